package platformapi_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/conformance/platformapi"
)

// judged runs the suite against a reference behind a layer, and checks that the suite itself made no error.
func judged(t *testing.T, r *reference, wrap func(http.Handler) http.Handler, change func(*platformapi.Target)) *conformance.Report {
	t.Helper()
	target := r.target(serve(t, wrap(r)), r.now)
	change(&target)
	report, err := platformapi.Run(t.Context(), target)
	require.NoError(t, err)
	require.Zero(t, report.Summary.Error, counts(report))
	return report
}

func plain(h http.Handler) http.Handler { return h }

func started(t *testing.T) *reference {
	t.Helper()
	r, err := newReference(t.Context())
	require.NoError(t, err)
	t.Cleanup(r.stop)
	return r
}

// unverified returns the checks that have no verdict, with the message of each.
func unverified(report *conformance.Report) map[string]string {
	all := map[string]string{}
	for _, c := range report.Checks {
		if c.Outcome == conformance.NotVerified {
			all[c.ID] = c.Findings[0].Message
		}
	}
	return all
}

// TestRunPassesWithOneAccount checks that a run with one account passes, and that only the checks that need a
// second one, and VOI-14, are unverified.
func TestRunPassesWithOneAccount(t *testing.T) {
	t.Parallel()
	report := judged(t, started(t), plain, func(target *platformapi.Target) {
		target.Credentials.Accounts = target.Credentials.Accounts[:1]
	})
	require.Equal(t, conformance.ExitPass, report.ExitCode(), "%v", report.Reasons())
	left := unverified(report)
	delete(left, "VOI-14")
	require.Len(t, left, 5, left)
	for _, id := range []string{"ACC-08", "TRK-10", "HOK-10", "DEV-10", "VOI-08"} {
		require.Contains(t, left[id], "two accounts", id)
	}
}

// TestExpiredTokensAreRenewed checks that a run renews tokens that expire after a few calls, also if expires_in is in
// another unit than expected.
func TestExpiredTokensAreRenewed(t *testing.T) {
	t.Parallel()
	for name, wrap := range map[string]func(http.Handler) http.Handler{
		"seconds": plain,
		"milliseconds": func(h http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				seen := httptest.NewRecorder()
				h.ServeHTTP(seen, r)
				w.Header().Set("Content-Type", seen.Header().Get("Content-Type"))
				w.WriteHeader(seen.Code)
				_, _ = w.Write([]byte(strings.ReplaceAll(seen.Body.String(), `expires_in":`, `expires_in":999`))) // the suite will see
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := started(t)
			report := judged(t, r, func(h http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
					r.ahead.Add(int64(150 * time.Millisecond)) // each call takes so long
					wrap(h).ServeHTTP(w, req)
				})
			}, func(*platformapi.Target) {})
			require.Equal(t, conformance.ExitPass, report.ExitCode(), "%v\n%s", report.Reasons(), counts(report))
			require.Zero(t, report.Summary.Fail+report.Summary.Warn, counts(report))
			renewals := 0
			for _, x := range report.Exchanges {
				if x.Intent == "renewal" && x.Succeeded() {
					renewals++
				}
			}
			require.Greater(t, renewals, 5)
		})
	}
}

// TestOnlySparesTheCalls checks that a run of one check verifies that check and no other, and makes few calls.
func TestOnlySparesTheCalls(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("many runs, one after another")
	}
	r := started(t)
	for id, most := range map[string]int{
		"TOK-01": 8, "TOK-09": 16, "TOK-12": 16, "TOK-15": 18, "ACC-04": 32, "ADR-02": 16, "TRK-10": 36, "HOK-05": 36,
		"DEV-13": 56, "DEV-18": 66, "API-05": 95, "ROL-01": 140, "VOI-05": 110, "VOI-08": 60, "VOI-17": 110, "ERR-01": 320, "API-04": 320,
	} {
		if os.Getenv("WHOLE") == "" && !matrix.InSample(id, 6) {
			continue
		}
		report := judged(t, r, plain, func(target *platformapi.Target) {
			target.Only, target.Credentials.Users = []string{id}, target.Credentials.Users[:1]
		})
		require.Equal(t, conformance.ExitPass, report.ExitCode(), "%s: %v", id, report.Reasons())
		require.Less(t, len(report.Exchanges), most, id)
		for _, c := range report.Checks {
			require.Equal(t, c.ID != id, c.Outcome == conformance.NotVerified, "%s: %s %+v", id, c.ID, c.Findings)
		}
		r.line.Advance(time.Minute) // the calls end
		r.ahead.Add(int64(time.Minute))
	}
}

// TestOrderOfUsersDoesNotMatter checks that a run passes if the user with the fewest rights comes first and no roles are given.
func TestOrderOfUsersDoesNotMatter(t *testing.T) {
	t.Parallel()
	report := judged(t, started(t), plain, func(target *platformapi.Target) {
		target.Credentials.Users = slices.Clone(target.Credentials.Users)
		slices.Reverse(target.Credentials.Users)
		for i := range target.Credentials.Users {
			target.Credentials.Users[i].Roles = nil
		}
	})
	require.Equal(t, conformance.ExitPass, report.ExitCode(), "%v\n%s", report.Reasons(), counts(report))
}

// TestRateLimitedPlatformPasses checks that a platform that answers every fifth call with 429 passes.
func TestRateLimitedPlatformPasses(t *testing.T) {
	t.Parallel()
	var n atomic.Int64
	report := judged(t, started(t), func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if n.Add(1)%5 == 0 {
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			h.ServeHTTP(w, r)
		})
	}, func(*platformapi.Target) {})
	require.Equal(t, conformance.ExitPass, report.ExitCode(), "%v\n%s", report.Reasons(), counts(report))
}

// TestRunEndsIfThePlatformStopsAnswering checks that a run ends soon after the platform stops answering, and that
// failures found before that, of JSON labelled as plain text, have a cause.
func TestRunEndsIfThePlatformStopsAnswering(t *testing.T) {
	t.Parallel()
	var n atomic.Int64
	report := judged(t, started(t), func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if n.Add(1) > 60 {
				panic(http.ErrAbortHandler)
			}
			h.ServeHTTP(plainText{w}, r)
		})
	}, func(*platformapi.Target) {})
	require.Equal(t, conformance.ExitFail, report.ExitCode())
	require.Regexp(t, `^the server stopped answering at call \d+`, report.Verdict())
	require.Contains(t, unverified(report)["VOI-01"], "stopped answering")
	require.Less(t, n.Load(), int64(100))
	require.Positive(t, report.Summary.Fail)
	for _, res := range report.Checks {
		if res.Outcome == conformance.Fail {
			require.True(t, res.Cause > 0 && res.Cause <= len(report.Causes) && report.Causes[res.Cause-1].Explains(res), "%s has cause %d of %d", res.Name(), res.Cause, len(report.Causes))
		}
	}
}

// plainText calls each answer so.
type plainText struct{ http.ResponseWriter }

// WriteHeader implements [http.ResponseWriter].
func (w plainText) WriteHeader(code int) {
	w.Header().Set("Content-Type", "text/plain")
	w.ResponseWriter.WriteHeader(code)
}

// TestWrongCredentialsEndTheRunEarly checks that a wrong password, account or URL ends a run before its first
// check, and that the error says what to correct.
func TestWrongCredentialsEndTheRunEarly(t *testing.T) {
	t.Parallel()
	r := started(t)
	url := serve(t, r)
	for says, change := range map[string]func(*platformapi.Target){
		"check username and password of users/0": func(target *platformapi.Target) { target.Credentials.Users[0].Password = "wrong" },
		"check the id of accounts/0":             func(target *platformapi.Target) { target.Credentials.Accounts[0].ID = "another" },
		"give {base_url}":                        func(target *platformapi.Target) { target.URL += "/api" },
	} {
		target := r.target(url, r.now)
		target.Credentials.Users, target.Credentials.Accounts = slices.Clone(target.Credentials.Users), slices.Clone(target.Credentials.Accounts)
		change(&target)
		_, err := platformapi.Run(t.Context(), target)
		unreachable, ok := errors.AsType[*conformance.Unreachable](err)
		require.True(t, ok, "%v", err)
		require.ErrorContains(t, unreachable, says)
	}
}
