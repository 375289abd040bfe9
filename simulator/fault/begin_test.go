package fault_test

import (
	"context"
	"fmt"
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
