package dispatchside_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// TestAReadOnlyRunChangesNothing checks that a read-only run calls neither /book nor /cancel, and that the
// checks that need them are not verified rather than failed.
func TestAReadOnlyRunChangesNothing(t *testing.T) {
	t.Parallel()
	var changed atomic.Int32
	sound := dispatchsidetest.NewVendor(dispatchsidetest.None)
	rep := check(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/book" || r.URL.Path == "/cancel" {
			changed.Add(1)
		}
		sound.ServeHTTP(w, r)
	}), dispatchside.Target{Seed: 1, ReadOnly: true})
	require.Zero(t, changed.Load())
	require.Equal(t, conformance.Pass, outcomeOf(rep, "CFG-01"))
	require.Equal(t, conformance.NotVerified, outcomeOf(rep, "BOK-01"))
	require.Equal(t, conformance.ExitLooked, rep.ExitCode(), rep.Verdict())
	require.Equal(t, conformance.TierNotShown, rep.Tiers[0].Answer)
	require.Positive(t, reasonsOf(rep)[conformance.NotAsked])
}

// TestConfigChecksBookNothing checks that a run of all checks of /config calls neither /book nor /cancel.
func TestConfigChecksBookNothing(t *testing.T) {
	t.Parallel()
	var only []string
	for _, c := range rules.Catalogue() {
		if strings.HasPrefix(c.ID, "CFG-") {
			only = append(only, c.ID)
		}
	}
	target := dispatchside.Target{Seed: 1, Only: only}
	require.Zero(t, dispatchside.CostOf(target).Sent)
	rep := check(t, dispatchsidetest.NewVendor(dispatchsidetest.None), target)
	for _, x := range rep.Exchanges {
		require.NotContains(t, []conformance.Operation{rules.OpBook, rules.OpCancel}, x.Operation)
	}
	for id := range strings.FieldsSeq("CFG-01 CFG-02 CFG-03 CFG-08 CFG-10 CFG-12 CFG-13 CFG-14") {
		require.NotEqual(t, conformance.NotVerified, outcomeOf(rep, id), id)
	}
}

// TestRunReportsInterimVerdicts checks that a run reports, while it goes on, the verdicts of the calls so far,
// in the order of the report.
func TestRunReportsInterimVerdicts(t *testing.T) {
	t.Parallel()
	var told [][]conformance.Result
	rep := check(t, dispatchsidetest.NewVendor(dispatchsidetest.None), dispatchside.Target{
		Seed: 1, Only: []string{"BOK-01", "CFG-08", "ENR-08"},
		SoFar: func(all []conformance.Result) { told = append(told, slices.Clone(all)) },
	})
	require.NotEmpty(t, told)
	for i, c := range told[0] {
		require.Equal(t, rep.Checks[i].Name(), c.Name(), "the order is that of the report")
	}
	require.True(t, slices.ContainsFunc(told[0], func(c conformance.Result) bool { return c.Outcome == conformance.Pass }))
	require.True(t, slices.ContainsFunc(told[0], func(c conformance.Result) bool { return c.Outcome == conformance.NotVerified }))
}

// TestAbortedRunEndsOnSilentServer checks that a run that is aborted ends although the server never answers /book.
func TestAbortedRunEndsOnSilentServer(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	abandon, booked := make(chan struct{}), make(chan struct{}, 100)
	server := httptest.NewServer(except("/book", func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // or nobody would notice that the caller has gone
		booked <- struct{}{}
		<-r.Context().Done() // no answer ever comes
	}))
	t.Cleanup(server.Close)
	go func() {
		<-booked
		stop() // which waits for the bookings under way
		close(abandon)
	}()
	rep, err := dispatchside.Run(ctx, dispatchside.Target{URL: server.URL, Now: time.Now, Seed: 1, Timeout: time.Hour, Abandon: abandon})
	require.NoError(t, err)
	require.True(t, rep.Interrupted)
}
