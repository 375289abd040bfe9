package fault_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/fault"
)

// TestAWorldThatBeginsAnewRemembersNothing has the same request meet the same fault again.
func TestAWorldThatBeginsAnewRemembersNothing(t *testing.T) {
	t.Parallel()
	w := begin(t)
	w.add(`{"do":{"kind":"commit-then-drop","status":500,"once":true}}`)
	require.Equal(t, []int{500, 200}, w.statuses(2))
	w.set.Begin(1)
	require.Equal(t, []int{500, 200}, w.statuses(2))
}

// TestARuleThatIsRemovedMeanwhileIsNotCounted fills a set after a rule had nothing to
// break and was removed before that was known.
func TestARuleThatIsRemovedMeanwhileIsNotCounted(t *testing.T) {
	t.Parallel()
	set := fault.New(fault.Options{Now: func() time.Time { return monday }})
	_, err := set.Add(fault.Rule{ID: "mine", Window: fault.Window{Times: 1}, Do: fault.Do{Kind: "commit-twice"}})
	require.NoError(t, err)
	h := fault.Handler(set, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if err := set.Remove("mine"); err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusUnprocessableEntity)
	}))
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/book", strings.NewReader("{}")))
	for i := range 200 {
		_, err := set.Add(fault.Rule{ID: fmt.Sprint(i), Do: fault.Do{Kind: "close"}})
		require.NoError(t, err, i)
	}
}

// TestDispatchIsAskedAsLongAsTheExchangeLasts ends the context of what dispatch is asked when the
// exchange is over, since dispatch counts its large responses until then, and not when the client
// has gone, since the request is acted on all the same.
func TestDispatchIsAskedAsLongAsTheExchangeLasts(t *testing.T) {
	t.Parallel()
	w := begin(t)
	w.add(`{"do":{"kind":"commit-then-drop","status":500}}`)
	ctx, gone := context.WithCancel(t.Context())
	var inner context.Context
	h := fault.Handler(w.set, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		gone()
		inner = r.Context()
		if err := inner.Err(); err != nil {
			t.Error(err)
		}
	}))
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodPost, "/book", strings.NewReader("{}")))
	require.ErrorIs(t, inner.Err(), context.Canceled)
}

// stripped is an answer from which a journal takes the headers away.
type stripped struct{ http.ResponseWriter }

func (s stripped) Unwrap() http.ResponseWriter { return s.ResponseWriter }

func (s stripped) WriteHeader(status int) {
	s.Header().Del(fault.Header)
	s.ResponseWriter.WriteHeader(status)
}

// TestFaultsOfBareAnswersAreTold to all but the caller, whether they are sent or written to
// a connection that was taken.
func TestFaultsOfBareAnswersAreTold(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{`"status"`, `"close","part":"end"`} {
		w := begin(t, func(o *fault.Options) { o.Bare = true })
		rule := w.add(`{"do":{"kind":` + kind + `}}`)
		h := fault.Handler(w.set, w.host)
		returned := make(chan struct{}) // a server does not wait for whoever has taken a connection
		server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
			defer close(returned)
			h.ServeHTTP(stripped{out}, r)
		}))
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/config", strings.NewReader("{}"))
		require.NoError(t, err)
		resp, err := server.Client().Do(req)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		server.Close()
		<-returned
		require.NotContains(t, resp.Header, fault.Header, kind)
		w.mu.Lock()
		last := w.told[len(w.told)-1]
		w.mu.Unlock()
		require.Equal(t, []any{fault.Hit, rule.ID}, []any{last.What, last.ID}, kind)
	}
}
