package serving

import (
	"bytes"
	"fmt"
	"net/http"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// cost is what one request takes on its way through a server, without what the server does
// beside it.
type cost struct {
	allocations, bytes int64
	decoders           []string // the functions of ours that decoded its body
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
	for range requests {
		ask()
	}
	var all cost
	for stack, now := range allocated(t) {
		objects, bytes := now.objects-before[stack].objects, now.bytes-before[stack].bytes
		decoder, served := readStack(now.stack)
		if objects < requests/2 || !served { // an array that grew, or done beside the request
			continue
		}
		all.allocations, all.bytes = all.allocations+objects, all.bytes+bytes
		if decoder != "" && !slices.Contains(all.decoders, decoder) {
			all.decoders = append(all.decoders, decoder)
		}
	}
	slices.Sort(all.decoders)
	all.allocations, all.bytes = (all.allocations+requests/2)/requests, (all.bytes+requests/2)/requests
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

// TestWhoDecodesABody names the packages that decode a body on its way: none where a
// platform sends the same again and again; each once where it has not come before.
func TestWhoDecodesABody(t *testing.T) {
	everything, operations := compose(t), compose(t, append(slices.Clone(bare), "--no-magic")...)
	require.Empty(t, everything.costOf(t, everything.status).decoders)
	require.Empty(t, operations.costOf(t, operations.status).decoders)
	require.Equal(t, []string{"conformance/jsonvalue", "dispatch", "simulator/fault"}, everything.costOf(t, everything.book).decoders)
	require.Equal(t, []string{"dispatch"}, operations.costOf(t, operations.book).decoders)
}

// TestWhatARequestCosts bounds what a request allocates on its way. The counts are exact on
// one version of Go; the bounds leave room for the next.
func TestWhatARequestCosts(t *testing.T) {
	for _, most := range []struct {
		args         []string
		status, book cost
	}{
		{nil, cost{allocations: 11, bytes: 2200}, cost{allocations: 155, bytes: 17_000}},
		{bare, cost{allocations: 8, bytes: 900}, cost{allocations: 61, bytes: 4100}},
	} {
		c := compose(t, most.args...)
		status, book := c.costOf(t, c.status), c.costOf(t, c.book)
		require.LessOrEqual(t, status.allocations, most.status.allocations, "/status %v", most.args)
		require.LessOrEqual(t, status.bytes, most.status.bytes, "/status %v", most.args)
		require.LessOrEqual(t, book.allocations, most.book.allocations, "/book %v", most.args)
		require.LessOrEqual(t, book.bytes, most.book.bytes, "/book %v", most.args)
	}
}
