package platformapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/platformapi"
)

// TestRepeatedRunsStopCreatingResources checks that repeated runs pass, and that from the eleventh on they
// create no more resources.
func TestRepeatedRunsStopCreatingResources(t *testing.T) {
	if testing.Short() {
		t.Skip("many runs, one after another")
	}
	t.Parallel()
	r := started(t)
	for n := range 11 {
		report := judged(t, r, plain, func(target *platformapi.Target) {
			target.Only, target.Credentials.Users = []string{"TRK-04", "TRK-06", "HOK-05"}, target.Credentials.Users[:1]
		})
		require.Equal(t, conformance.ExitPass, report.ExitCode(), "%v", report.Reasons())
		left := unverified(report)
		require.Empty(t, left["TRK-06"])
		require.Equal(t, n >= 10, left["TRK-04"] != "" && left["HOK-05"] != "", "run %d: %s", n, left["TRK-04"])
	}
}

// capped refuses to create more than ten objects of a kind.
func capped(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && strings.Contains(r.URL.Path, "/account/") && !strings.Contains(r.URL.Path, "/channels/") {
			list := httptest.NewRequestWithContext(r.Context(), http.MethodGet, r.URL.Path, http.NoBody)
			list.Header = r.Header
			seen := httptest.NewRecorder()
			h.ServeHTTP(seen, list)
			if strings.Count(seen.Body.String(), `"id":`) >= 10 {
				http.Error(w, "there are ten already", http.StatusConflict)
				return
			}
		}
		h.ServeHTTP(w, r)
	})
}

// TestResourceLimitFailsNoCheck checks that no check fails on a platform that allows ten resources of a kind, if
// the limit is reached after some runs or was from the beginning.
func TestResourceLimitFailsNoCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("many runs, one after another")
	}
	t.Parallel()
	r := started(t)
	for n := range 11 {
		report := judged(t, r, capped, func(target *platformapi.Target) {
			if n < 9 {
				target.Only, target.Credentials.Users = []string{"TRK-04", "HOK-04", "DEV-04", "DEV-18"}, target.Credentials.Users[:1]
			}
		})
		require.Zero(t, report.Summary.Fail, counts(report))
		require.Equal(t, conformance.ExitPass, report.ExitCode(), "%v", report.Reasons())
		r.line.Advance(time.Minute) // the calls end
		r.ahead.Add(int64(time.Minute))
	}
	for there, exit := range map[int]int{1: conformance.ExitFail, 10: conformance.ExitUnreachable} {
		report := judged(t, started(t), full(there), func(target *platformapi.Target) { target.Only = []string{"TRK-03", "TRK-04", "API-01", "DEV-05"} })
		require.Zero(t, report.Summary.Fail, counts(report))
		require.Equal(t, exit, report.ExitCode(), "%v", report.Reasons())
		require.Contains(t, unverified(report)["TRK-03"], "if that is a limit, use an account with fewer")
		require.Contains(t, unverified(report)["DEV-05"], "no trunk")
	}
}

// full lists some trunks of other people, and refuses to create more.
func full(there int) func(http.Handler) http.Handler {
	return func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case !strings.HasSuffix(r.URL.Path, "/trunk") || len(r.Header.Get("Authorization")) < 100:
				h.ServeHTTP(w, r)
			case r.Method == http.MethodPost:
				http.Error(w, "no more", http.StatusForbidden)
			default:
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte(`[{"id":"00000000-0000-4000-8000-000000000001","description":"Leeds"}` + // the suite will see
					strings.Repeat(`,{"id":"00000000-0000-4000-8000-000000000002","description":"York"}`, there-1) + `]`))
			}
		})
	}
}
