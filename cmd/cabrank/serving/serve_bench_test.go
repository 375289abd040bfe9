package serving

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// bare are the flags that leave nothing but the operations.
var bare = []string{"--no-journal", "--no-control", "--variation", "0"}

// BenchmarkServe is what a request costs of what serve composes, as it is by default and
// with everything off. "handler" has no network; "tcp" is 32 clients that keep their
// connections, in this process too, and tells the rate and the slowest hundredth:
//
//	go test ./cmd/cabrank/serving -run '^$' -bench Serve -benchmem -tags nomsgpack
func BenchmarkServe(b *testing.B) {
	for _, setting := range []struct {
		name string
		args []string
	}{{"default", nil}, {"bare", bare}} {
		b.Run(setting.name, func(b *testing.B) {
			c := compose(b, setting.args...)
			b.Run("status/handler", func(b *testing.B) { c.loop(b, c.status) })
			b.Run("status/tcp", c.load)
			b.Run("book/handler", func(b *testing.B) { c.loop(b, c.book) })
		})
	}
}

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

// loop has one request answered after the other.
func (c *composed) loop(b *testing.B, request func() (string, []byte)) {
	b.ReportAllocs()
	handler := c.handler()
	for b.Loop() {
		path, body := request()
		w := &discarded{header: http.Header{}, status: http.StatusOK}
		handler.ServeHTTP(w, posted(path, body))
		if w.status != http.StatusOK {
			b.Fatalf("%s: %d", path, w.status)
		}
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

// load has 32 clients ask for the same journey at once, b.N times together.
func (c *composed) load(b *testing.B) {
	const clients = 32
	path, body := c.status()
	request := fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, len(body), body)
	lines := make([]*line, clients)
	for i := range lines {
		lines[i] = dial(b, c.address)
	}
	took := make([][]time.Duration, clients)
	var left atomic.Int64
	left.Store(int64(b.N))
	var all sync.WaitGroup
	b.ResetTimer()
	for i, l := range lines {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				began := cli.Now()
				if err := l.exchange(request); err != nil {
					b.Error(err)
					return
				}
				took[i] = append(took[i], cli.Now().Sub(began))
			}
		})
	}
	all.Wait()
	b.StopTimer()
	slowest := slices.Sorted(slices.Values(slices.Concat(took...)))
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
	b.ReportMetric(float64(slowest[len(slowest)*99/100].Microseconds())/1000, "p99-ms")
}

// line is a connection with as little client as possible, so that what is measured is the
// server.
type line struct {
	conn net.Conn
	r    *bufio.Reader
}

func dial(b *testing.B, address string) *line {
	b.Helper()
	conn, err := (&net.Dialer{}).DialContext(b.Context(), "tcp", address)
	require.NoError(b, err)
	b.Cleanup(func() { _ = conn.Close() }) // it is only read from
	return &line{conn, bufio.NewReader(conn)}
}

// exchange sends a request and reads its answer, which must be a 200 that tells its length.
func (l *line) exchange(request []byte) error {
	if _, err := l.conn.Write(request); err != nil {
		return err
	}
	length := 0
	for first := true; ; first = false {
		header, err := l.r.ReadSlice('\n')
		if err != nil {
			return err
		}
		if first && !bytes.HasPrefix(header, []byte("HTTP/1.1 200")) {
			return fmt.Errorf("it answers %q", header)
		}
		if v, ok := bytes.CutPrefix(header, []byte("Content-Length: ")); ok {
			length, _ = strconv.Atoi(string(bytes.TrimSpace(v)))
		}
		if len(header) <= len("\r\n") {
			break
		}
	}
	_, err := l.r.Discard(length)
	return err
}
