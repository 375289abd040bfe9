package serving

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest/ledger"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// bare are the flags that leave nothing but the operations.
var bare = []string{"--no-journal", "--no-control", "--variation", "0"}

// composed is a server as serve starts it, with a journey to ask for.
type composed struct {
	*system
	ref    []byte // the body of /status
	booked int
}

// compose serves until the test ends.
func compose(t testing.TB, args ...string) *composed {
	t.Helper()
	var flags systemFlags
	cmd := &cobra.Command{}
	flags.add(cmd, usual{speed: 1, demand: "none", logging: "off"})
	require.NoError(t, cmd.ParseFlags(append([]string{"--listen", "127.0.0.1:0"}, args...)))
	s, err := flags.start(t.Context(), cmd, cli.Outside{Stdout: io.Discard, Stderr: io.Discard})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.stop()) })
	c := &composed{system: s}
	var j taxi.Journey
	var u taxi.EndUser
	c.ask(t, &j)(c.book())
	c.ask(t, &u)(taxi.PathUser, []byte(`{"phoneNumber":"353860000001"}`))
	c.ref = fmt.Appendf(nil, `{"userId":%q,"journeyId":%q}`, u.UserID, j.JourneyID)
	return c
}

// status asks for a journey that no car has been looked for yet.
func (c *composed) status() (path string, body []byte) { return taxi.PathStatus, c.ref }

// book orders a taxi for a caller who has none, hours ahead.
func (c *composed) book() (path string, body []byte) {
	c.booked++
	return taxi.PathBook, fmt.Appendf(nil, `{"name":"Ada","phoneNumber":"+35386%07d","pickup":{"address":"1 High Street","location":{"longitude":-6.26,"latitude":53.35}},`+
		`"dropoffs":[{"address":"2 High Street","location":{"longitude":-6.25,"latitude":53.345}}],"pickupTime":%q}`,
		c.booked, cli.Now().Add(6*time.Hour).UTC().Format(time.RFC3339))
}

// ask decodes the answer to a request.
func (c *composed) ask(t testing.TB, into any) func(path string, body []byte) {
	return func(path string, body []byte) {
		t.Helper()
		w := httptest.NewRecorder()
		c.handler().ServeHTTP(w, posted(path, body))
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), into))
	}
}

// handler is what the server of the operations answers with.
func (c *composed) handler() http.Handler { return c.servers[0].Handler }

// posted is a request as net/http hands it to a handler.
func posted(path string, body []byte) *http.Request {
	return &http.Request{
		Method: http.MethodPost, URL: &url.URL{Path: path}, RequestURI: path, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Host: "localhost",
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), RemoteAddr: "127.0.0.1:1",
	}
}

// discarded is an answer that nobody reads.
type discarded struct {
	header http.Header
	status int
}

func (d *discarded) Header() http.Header         { return d.header }
func (d *discarded) WriteHeader(status int)      { d.status = status }
func (d *discarded) Write(b []byte) (int, error) { return len(b), nil }

// cost is what one request takes on its way through a server, without what the server does
// beside it.
type cost struct {
	allocations, bytes float64
	decoders           []string // the packages of ours that decode its body
}

// costOf reads the cost from the profile of the heap, which has each allocation with the
// stack that made it. It is the same on every machine, and costs nothing but here: decoding
// allocates, so that whoever decodes is in the profile.
func (c *composed) costOf(t testing.TB, request func() (string, []byte)) cost {
	t.Helper()
	const requests = 100
	ask := func() {
		path, body := request()
		w := &discarded{header: http.Header{}, status: http.StatusOK}
		c.handler().ServeHTTP(w, posted(path, body))
		require.Equal(t, http.StatusOK, w.status)
	}
	usual := runtime.MemProfileRate
	runtime.MemProfileRate = 1
	defer func() { runtime.MemProfileRate = usual }()
	for range 3 { // what is made once, and of a body that comes again
		ask()
	}
	before := allocated(t)
	gc := debug.SetGCPercent(-1) // a collection empties pools, and comes when it likes
	for range requests {
		ask()
	}
	debug.SetGCPercent(gc)
	var all cost
	for stack, now := range allocated(t) {
		objects, bytes := now.objects-before[stack].objects, now.bytes-before[stack].bytes
		decoder, served := readStack(now.stack)
		if objects < requests/20 || !served { // an array that grew, or done beside the request
			continue
		}
		all.allocations, all.bytes = all.allocations+float64(objects)/requests, all.bytes+float64(bytes)/requests
		if decoder != "" && !slices.Contains(all.decoders, decoder) {
			all.decoders = append(all.decoders, decoder)
		}
	}
	slices.Sort(all.decoders)
	return all
}

// site is a stack that allocates, and how much it has allocated so far.
type site struct {
	objects, bytes int64
	stack          []uintptr
}

// allocated is the profile of the heap, by the stack as the profile writes it. Its text has
// the whole of each stack, where [runtime.MemProfile] has its end only.
func allocated(t testing.TB) map[string]site {
	t.Helper()
	runtime.GC() // the profile is of what was allocated before a collection was done
	runtime.GC()
	var text bytes.Buffer
	require.NoError(t, pprof.Lookup("allocs").WriteTo(&text, 1))
	sites := map[string]site{}
	for line := range strings.Lines(text.String()) {
		counts, stack, isSite := strings.Cut(line, "] @ ")
		_, counts, ours := strings.Cut(counts, "[")
		if !isSite || !ours || strings.HasPrefix(line, "heap profile") {
			continue
		}
		var s site
		_, err := fmt.Sscanf(counts, "%d: %d", &s.objects, &s.bytes)
		require.NoError(t, err, line)
		for field := range strings.FieldsSeq(stack) {
			pc, err := strconv.ParseUint(field, 0, 64)
			require.NoError(t, err, line)
			s.stack = append(s.stack, uintptr(pc))
		}
		s.objects, s.bytes = s.objects+sites[stack].objects, s.bytes+sites[stack].bytes // one for each size
		sites[stack] = s
	}
	return sites
}

// readStack finds in a stack the package of ours that decodes JSON, if one does, and reports
// whether a request is being served.
func readStack(stack []uintptr) (decoder string, served bool) {
	frames, decodes := runtime.CallersFrames(stack), false
	for more := len(stack) > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		served = served || strings.HasSuffix(f.Function, ".ServeHTTP")
		switch {
		case strings.Contains(f.Function, "json.Unmarshal"), strings.Contains(f.Function, "json.(*Decoder).Decode"):
			decodes = true
		case strings.HasSuffix(f.Function, "/jsonvalue.Parse") && decoder == "":
			decoder = packageOf(f.Function)
		case decodes && decoder == "" && strings.HasPrefix(f.Function, "github.com/cabrank/"):
			decoder = packageOf(f.Function)
		}
	}
	return decoder, served
}

// packageOf is the package of a function, without the module.
func packageOf(function string) string {
	name := strings.TrimPrefix(function, "github.com/cabrank/cabrank/")
	slash := strings.LastIndex(name[:strings.IndexAny(name+"[", "[(")], "/") + 1
	return name[:slash+strings.Index(name[slash:], ".")]
}

// TestLedger counts what a request takes on its way through what serve composes: as it is by
// default, and with everything off that can be off.
func TestLedger(t *testing.T) {
	ledger.Countable(t)
	var rows []ledger.Row
	for _, setting := range []struct {
		name string
		args []string
	}{{"", nil}, {", with nothing beside the operations", bare}} {
		c := compose(t, append([]string{"--seed", "1"}, setting.args...)...)
		for _, op := range []struct {
			name    string
			request func() (string, []byte)
		}{{"a /status that comes again", c.status}, {"a /book", c.book}} {
			cost, what := c.costOf(t, op.request), op.name+setting.name
			rows = append(rows,
				ledger.Row{What: what, Count: cost.allocations, Unit: "allocations"},
				ledger.Row{What: what, Count: cost.bytes, Unit: "bytes allocated"},
				ledger.Row{What: what, Count: float64(len(cost.decoders)), Unit: decoded(cost.decoders)},
			)
		}
	}
	ledger.Compare(t, "cmd/cabrank/serving", rows...)
}

// decoded names the packages in the row, so that another one is another row.
func decoded(packages []string) string {
	if len(packages) == 0 {
		return "times that the body is decoded"
	}
	return "times that the body is decoded, by " + strings.Join(packages, ", ")
}

// TestMain gives the tests a home of their own, so that what a demo keeps there is not the user's.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "cabrank-home-")
	if err != nil {
		panic(err)
	}
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME"} {
		if err := os.Setenv(name, home); err != nil {
			panic(err)
		}
	}
	flag.Parse()
	if err := flag.Set("test.parallel", "4"); err != nil { // they wait for what happens in a world
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(home)
	os.Exit(code)
}
