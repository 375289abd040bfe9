package hooks_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/hooks"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// slow is a receiver of events that answers only when the test tells it to. The path of a hook is its account.
type slow struct {
	url     string
	arrived chan string // paths
	answers map[string]chan bool
	release func() // has it answer everything from now on

	mu       sync.Mutex
	inFlight map[string]int // by path; "" is all
	most     map[string]int
}

func newSlow(t *testing.T, paths ...string) *slow {
	t.Helper()
	s := &slow{arrived: make(chan string, 10_000), answers: map[string]chan bool{}, inFlight: map[string]int{}, most: map[string]int{}}
	for _, path := range paths {
		s.answers[path] = make(chan bool)
	}
	s.release = sync.OnceFunc(func() {
		for _, path := range paths {
			close(s.answers[path])
		}
	})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		s.count(r.URL.Path, 1)
		s.arrived <- r.URL.Path
		<-s.answers[r.URL.Path]
		s.count(r.URL.Path, -1)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(s.release)
	s.url = server.URL
	return s
}

func (s *slow) count(path string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, of := range []string{path, ""} {
		s.inFlight[of] += n
		s.most[of] = max(s.most[of], s.inFlight[of])
	}
}

// arrivals waits for n requests and returns their number by path.
func (s *slow) arrivals(n int) map[string]int {
	by := map[string]int{}
	for range n {
		by[<-s.arrived]++
	}
	return by
}

// deliveredAll waits until n deliveries have arrived and no other is pending.
func (h *house) deliveredAll(n int) {
	h.t.Helper()
	require.Eventually(h.t, func() bool {
		return maps.Equal(map[records.State]int{records.Delivered: n}, h.states())
	}, time.Minute, time.Millisecond)
}

// TestSlowHooksDoNotDelayOtherAccounts checks that no account has more than 64 current attempts, and that a delivery of
// another account does not have to wait for hundreds of deliveries to hooks that do not answer.
func TestSlowHooksDoNotDelayOtherAccounts(t *testing.T) {
	h := newHouse(t)
	h.close()
	h.openOn(voice.NewWall(time.Now, 1), hooks.Normal)
	accounts := []string{"/a1", "/a2", "/a3", "/a4", "/a5"}
	s := newSlow(t, accounts...)
	const each = 100 // events of an account, for each of two hooks
	publish := func(account string, n int) {
		for i := range n {
			h.deliverer.Publish(hooks.Event{Account: account, Call: fmt.Sprint(i), Type: "call.test", Body: []byte("{}")})
		}
	}
	for _, account := range accounts {
		h.account(account)
		for _, hook := range []string{"one", "other"} {
			h.hookOf(account, account+hook, func(x *api.Hook) { x.URL = s.url + account })
		}
	}
	publish("/a5", 1)
	s.answers["/a5"] <- true
	s.answers["/a5"] <- true
	require.Equal(t, map[string]int{"/a5": 2}, s.arrivals(2))
	h.deliveredAll(2)
	again, err := h.records.Deliveries(t.Context(), records.DeliveryFilter{State: records.Delivered, Most: 5})
	require.NoError(t, err)
	require.Len(t, again, 2)

	for _, account := range accounts[:4] {
		publish(account, each)
	}
	require.Equal(t, map[string]int{"/a1": 64, "/a2": 64, "/a3": 64, "/a4": 64}, s.arrivals(256))
	for _, d := range again {
		require.NoError(t, h.deliverer.Redeliver(t.Context(), d.ID))
		s.answers["/a1"] <- true
		require.Equal(t, map[string]int{"/a5": 1}, s.arrivals(1), "it is sent before what has waited longer")
	}
	s.release()
	h.deliveredAll(2 + 4*2*each)
	require.Len(t, s.arrived, 4*2*each-256)
	require.Equal(t, map[string]int{"/a1": 64, "/a2": 64, "/a3": 64, "/a4": 64, "/a5": 2, "": 256}, s.most)
}
