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

// TestWhatWaitedWhileAReplicaSleptStaysRefused has a request whose world is found only when others are executed again.
func TestWhatWaitedWhileAReplicaSleptStaysRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const lease = 3 * time.Second
		var slept atomic.Int64
		r, err := replica.New(t.Context(), replica.Options{
			Table: &slowTable{}, Place: func(string, int64) store.Place { return nil }, ID: "one", Address: "http://localhost", Lease: lease,
			Now:       func() time.Time { return time.Now().Add(time.Duration(slept.Load())) },
			Transport: owner{},
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
		found = lease / 2
		require.Equal(t, http.StatusServiceUnavailable, ask())
		require.Equal(t, http.StatusOK, ask(), "it has settled")
	})
}

// owner is the network to a replica that executes what it gets.
type owner struct{}

func (owner) RoundTrip(req *http.Request) (*http.Response, error) {
	if _, err := io.ReadAll(req.Body); err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody, Request: req}, nil
}
