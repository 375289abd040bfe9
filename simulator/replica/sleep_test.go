package replica_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/replica"
	"github.com/cabrank/cabrank/simulator/worlds"
	"github.com/cabrank/cabrank/store"
)

// TestRequestsQueuedDuringSleepAreRefused checks that a replica that has slept refuses
// requests until one that it sends to itself has been read, and that a request which arrived
// before that stays refused, even if its world is found later.
func TestRequestsQueuedDuringSleepAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const lease = 3 * time.Second
		var slept atomic.Int64
		network := network{own: make(chan struct{})}
		r, err := replica.New(t.Context(), replica.Options{
			Table: &slowTable{}, Place: func(string, int64) store.Place { return nil }, ID: "one", Address: "http://localhost", Lease: lease,
			Now:       func() time.Time { return time.Now().Add(time.Duration(slept.Load())) },
			Transport: &network,
		})
		require.NoError(t, err)
		defer r.Close()
		found := time.Duration(0) // how long it takes to find a world
		next := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			time.Sleep(found)
			r.PassOn(w, req, &worlds.Elsewhere{Name: "ann", Address: "http://127.0.0.1:1", Owner: "two"}, 1000)
		})
		handler := r.Handler(next, next, next)
		ask := func() int {
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/s/ann/book", strings.NewReader("{}")))
			return w.Code
		}
		require.Equal(t, http.StatusOK, ask())
		slept.Store(int64(time.Minute))
		require.Equal(t, http.StatusServiceUnavailable, ask())
		time.Sleep(lease / 2)
		require.Equal(t, http.StatusServiceUnavailable, ask(), "its own request has not come through")
		found = lease / 2
		time.AfterFunc(lease/4, func() { close(network.own) })
		require.Equal(t, http.StatusServiceUnavailable, ask(), "it came before that")
		require.Equal(t, http.StatusOK, ask(), "it has settled")
	})
}

// network connects to another replica, which executes every request, and to the one under test.
type network struct {
	own chan struct{} // closed when a request of a replica to itself is read
}

func (n *network) RoundTrip(req *http.Request) (*http.Response, error) {
	if _, err := io.ReadAll(req.Body); err != nil {
		return nil, err
	}
	if req.URL.Path == "/livez" {
		<-n.own
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody, Request: req}, nil
}
