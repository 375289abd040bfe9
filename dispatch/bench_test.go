package dispatch_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// The benchmarks of this file compare servers under the same load in the same
// process, a round of one and a round of the other in turn, so that their ratios
// hold on a noisy machine. Run them with
//
//	go test ./dispatch -run '^$' -bench . -benchtime 1x -tags nomsgpack

const (
	rounds   = 7
	roundFor = 400 * time.Millisecond
)

// BenchmarkStatus compares /status with a bare gin handler that decodes the
// same request and writes the same bytes, at 32 clients.
func BenchmarkStatus(b *testing.B) {
	records := store.Memory()
	service := newService(records)
	j, err := service.Book(b.Context(), benchBooking(0))
	require.NoError(b, err)
	snap, err := records.Journey(b.Context(), j.JourneyID)
	require.NoError(b, err)
	body := fmt.Appendf(nil, `{"userId":%q,"journeyId":%q}`, snap.UserID, j.JourneyID)

	gin.SetMode(gin.ReleaseMode)
	bare := gin.New()
	bare.POST(taxi.PathStatus, func(c *gin.Context) {
		var r taxi.JourneyRef
		raw, err := io.ReadAll(c.Request.Body)
		if err != nil || jsonv2.Unmarshal(raw, &r) != nil {
			c.Status(http.StatusBadRequest)
			return
		}
		c.Data(http.StatusOK, "application/json", snap.JSON())
	})
	request := func(int) []byte { return post(taxi.PathStatus, body) }
	compare(b, 32, request, []contender{
		{"bare", bare},
		{"cabrank", service.Handler(time.Now, dispatch.HTTPOptions{})},
	})
}

// BenchmarkBook compares durable bookings (SQLite, synchronous=FULL) with the
// same handler over memory, at 64 clients.
func BenchmarkBook(b *testing.B) {
	compare(b, 64, bookRequest, []contender{
		{"memory", serveRecords(store.Memory())},
		{"grouped", serveRecords(openBench(b))},
	})
}

func serveRecords(records dispatch.Records) http.Handler {
	return newService(records).Handler(time.Now, dispatch.HTTPOptions{})
}

// bookRequest is the n-th request that is offered.
func bookRequest(n int) []byte {
	body, err := json.Marshal(benchBooking(n))
	if err != nil {
		panic(err)
	}
	return post(taxi.PathBook, body)
}

// newService is an office whose callers book without end.
func newService(records dispatch.Records) *dispatch.Service {
	policy := dispatch.DefaultPolicy()
	policy.MaxLive = 0
	return dispatch.New(records, dispatch.Options{Policy: &policy, Now: time.Now, Fleet: &cab{}, Seed: 1})
}

func openBench(b *testing.B) *store.Store {
	b.Helper()
	s, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "bench.db"), store.Options{})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, s.Close()) })
	return s
}

func benchBooking(n int) taxi.BookRequest {
	pickup := station
	return taxi.BookRequest{
		Name: "Caller " + strconv.Itoa(n), PhoneNumber: taxi.E164(fmt.Sprintf("+44207%07d", 9_000_000+n%5000)),
		Pickup: &pickup, Dropoffs: []taxi.Address{hospital}, PickupTime: taxi.At(time.Now().Truncate(time.Second)),
	}
}

// contender is a server in a comparison.
type contender struct {
	name    string
	handler http.Handler
}

// compare loads each contender in turn and reports the median rate of each, and
// its ratio to the first.
func compare(b *testing.B, clients int, request func(n int) []byte, servers []contender) {
	addresses := make([]string, len(servers))
	for i, s := range servers {
		addresses[i] = serveBench(b, s.handler)
	}
	rates := make([][]float64, len(servers))
	var serial atomic.Int64
	for b.Loop() {
		for round := range rounds + 1 {
			for i, address := range addresses {
				rate := load(b, address, clients, request, &serial)
				if round > 0 { // the first warms up
					rates[i] = append(rates[i], rate)
				}
			}
		}
	}
	base := median(rates[0])
	for i, s := range servers {
		b.ReportMetric(median(rates[i]), s.name+"/s")
		if i > 0 {
			b.ReportMetric(median(rates[i])/base, s.name+"/"+servers[0].name)
		}
	}
	b.ReportMetric(0, "ns/op")
}

func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return s[len(s)/2]
}

// load keeps clients busy for a round and returns the answers a second.
func load(b *testing.B, address string, clients int, request func(int) []byte, serial *atomic.Int64) float64 {
	var answers atomic.Int64
	var wg sync.WaitGroup
	began := time.Now()
	end := began.Add(roundFor)
	for range clients {
		wg.Go(func() {
			line := dial(b, address)
			defer line.close()
			for time.Now().Before(end) {
				line.exchange(b, request(int(serial.Add(1))))
				answers.Add(1)
			}
		})
	}
	wg.Wait()
	return float64(answers.Load()) / time.Since(began).Seconds()
}

func serveBench(b *testing.B, h http.Handler) string {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	server := dispatch.Server(h)
	go func() { _ = server.Serve(l) }() // ends with Close
	b.Cleanup(func() { _ = server.Close() })
	return l.Addr().String()
}

// line is one keep-alive connection with as little client as possible, so that
// what is measured is the server.
type line struct {
	conn net.Conn
	r    *bufio.Reader
}

func dial(b *testing.B, address string) *line {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		b.Error(err)
	}
	return &line{conn, bufio.NewReader(conn)}
}

func (l *line) close() { _ = l.conn.Close() }

func (l *line) exchange(b *testing.B, request []byte) {
	if _, err := l.conn.Write(request); err != nil {
		b.Error(err)
		return
	}
	status, err := l.r.ReadSlice('\n')
	if err != nil || !bytes.HasPrefix(status, []byte("HTTP/1.1 200")) {
		b.Errorf("%s %v", status, err)
		return
	}
	length := 0
	for {
		header, err := l.r.ReadSlice('\n')
		if err != nil || len(header) <= 2 {
			break
		}
		if v, ok := bytes.CutPrefix(header, []byte("Content-Length: ")); ok {
			length, _ = strconv.Atoi(string(bytes.TrimSpace(v)))
		}
	}
	if _, err := l.r.Discard(length); err != nil {
		b.Error(err)
	}
}

func post(path string, body []byte) []byte {
	return append(fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
		path, len(body)), body...)
}
