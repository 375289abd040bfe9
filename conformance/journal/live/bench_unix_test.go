//go:build unix

package live_test

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// BenchmarkLive compares /status of a real system without and with a journal, a round of
// one and a round of the other in turn, so that the ratio holds on a noisy machine:
//
//	go test ./conformance/journal -run '^$' -bench Live -benchtime 1x
func BenchmarkLive(b *testing.B) {
	const rounds, each, clients = 7, 400 * time.Millisecond, 32
	handler, requests := followed(b, clients)
	kept := live.New(handler, bothSuites)
	b.Cleanup(kept.Close)
	addresses := []string{serveBare(b, handler), serveBare(b, kept)}
	rates, costs := make([][]float64, 2), make([][]float64, 2)
	for b.Loop() {
		for round := range rounds + 1 {
			for i, address := range addresses {
				before := used(b)
				answers := float64(load(b, address, requests, each))
				if round > 0 { // the first warms up
					rates[i] = append(rates[i], answers/each.Seconds())
					costs[i] = append(costs[i], float64((used(b)-before).Microseconds())/answers)
				}
			}
		}
	}
	without, with := median(rates[0]), median(rates[1])
	b.ReportMetric(without, "without/s")
	b.ReportMetric(with, "with/s")
	b.ReportMetric(100*(1-with/without), "overhead-%")
	b.ReportMetric(median(costs[0]), "without-µs-of-CPU")
	b.ReportMetric(median(costs[1]), "with-µs-of-CPU")
	b.ReportMetric(0, "ns/op")
}

// used is the time of processors that this process has taken. Where others want the
// machine too, it says more than a rate.
func used(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// followed is a system with a booking for each of some callers, who ask for its status.
func followed(t testing.TB, callers int) (handler http.Handler, requests [][]byte) {
	t.Helper()
	d := dispatchtest.New(t, dispatchtest.Options{})
	client := d.Client(taxi.ClientOptions{})
	for i := range callers {
		pickup := taxi.Address{Address: "1 High Street", Location: &taxi.Point{Longitude: -1.54, Latitude: 53.8}}
		j, err := client.Book(t.Context(), taxi.BookRequest{
			Name: "Ada", PhoneNumber: taxi.E164(fmt.Sprintf("4420794600%02d", i)), Pickup: &pickup,
			Dropoffs: []taxi.Address{{Address: "2 High Street", Location: &taxi.Point{Longitude: -1.55, Latitude: 53.81}}}, PickupTime: taxi.At(d.Clock().Now()),
		})
		require.NoError(t, err)
		user, err := client.User(t.Context(), taxi.UserRequest{PhoneNumber: taxi.E164(fmt.Sprintf("4420794600%02d", i))})
		require.NoError(t, err)
		body := fmt.Sprintf(`{"userId":%q,"journeyId":%q}`, user.UserID, j.JourneyID)
		requests = append(requests, fmt.Appendf(nil, "POST /status HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
	}
	return d.World().Service().Handler(time.Now, dispatch.HTTPOptions{}), requests
}

func serveBare(t testing.TB, h http.Handler) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := dispatch.Server(h)
	go func() { _ = server.Serve(l) }() // ends with Close
	t.Cleanup(func() { _ = server.Close() })
	return l.Addr().String()
}

// load has each caller ask again and again, and returns how many answers there were.
func load(t testing.TB, address string, requests [][]byte, each time.Duration) int {
	t.Helper()
	var answers atomic.Int64
	var wg sync.WaitGroup
	end := time.Now().Add(each)
	for _, request := range requests {
		wg.Go(func() {
			conn, err := net.Dial("tcp", address) //nolint:noctx // as little client as possible
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			for r := bufio.NewReader(conn); time.Now().Before(end) && exchange(t, conn, r, request); {
				answers.Add(1)
			}
		})
	}
	wg.Wait()
	return int(answers.Load())
}

func exchange(t testing.TB, conn net.Conn, r *bufio.Reader, request []byte) bool {
	if _, err := conn.Write(request); err != nil {
		t.Error(err)
		return false
	}
	length := 0
	for first := true; ; first = false {
		header, err := r.ReadSlice('\n')
		if err != nil || first && !strings.HasPrefix(string(header), "HTTP/1.1 200") {
			t.Errorf("%s %v", header, err)
			return false
		}
		if v, ok := bytes.CutPrefix(header, []byte("Content-Length: ")); ok {
			length, _ = strconv.Atoi(string(bytes.TrimSpace(v)))
		}
		if len(header) <= 2 {
			break
		}
	}
	_, err := r.Discard(length)
	return err == nil
}

func median(x []float64) float64 { return slices.Sorted(slices.Values(x))[len(x)/2] }
