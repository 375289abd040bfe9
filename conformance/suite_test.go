package conformance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
)

// TestASuiteFindsItsOperations matches addresses with operations of a method and a
// path, and with operations that are words.
func TestASuiteFindsItsOperations(t *testing.T) {
	t.Parallel()
	words := &conformance.Suite{Operations: []conformance.Operation{"hello", "send"}}
	for _, row := range []struct {
		suite       *conformance.Suite
		method, url string
		op, base    string
	}{
		{newTelephone(), "POST", "https://voice.example/v1/account/7/calls", "POST /account/{id}/calls", "https://voice.example/v1"},
		{newTelephone(), "POST", "https://voice.example/account/7/calls/", "POST /account/{id}/calls", "https://voice.example"},
		{newTelephone(), "DELETE", "https://voice.example/account/7/calls/9", "DELETE /account/{id}/calls/{call}", "https://voice.example"},
		{newTelephone(), "GET", "https://voice.example/account/7/calls", "", ""},
		{newTelephone(), "POST", "https://voice.example/account//calls", "", ""},
		{newTelephone(), "POST", "https://voice.example/calls", "", ""},
		{words, "GET", "https://mail.example/a/send", "send", "https://mail.example/a"},
		{words, "POST", "https://mail.example//hello/", "hello", "https://mail.example"},
		{words, "POST", "https://mail.example/cart", "", ""},
	} {
		u, err := url.Parse(row.url)
		require.NoError(t, err)
		op, base, ok := row.suite.Match(row.method, u)
		require.Equal(t, row.op != "", ok, row.url)
		require.Equal(t, conformance.Operation(row.op), op, row.url)
		require.Equal(t, row.base, base, row.url)
	}
}

// deaf is a telephone service that greets nobody.
func deaf(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			var asked map[string]string
			if err := json.NewDecoder(r.Body).Decode(&asked); err == nil {
				delete(asked, "greeting")
				changed, _ := json.Marshal(asked) // strings can be written
				r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(changed)), int64(len(changed))
			}
		}
		next.ServeHTTP(w, r)
	})
}

// stubborn is one that does not end a call.
func stubborn(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			http.Error(w, "not now", http.StatusServiceUnavailable)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// tested runs the telephone suite against a handler and keeps the run.
func tested(t *testing.T, h http.Handler) *conformance.RunFile {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	report, err := test(t.Context(), server.URL, func() time.Time { return autumn })
	require.NoError(t, err)
	return conformance.NewRunFile(report, "1.2.3")
}

// outcomes says what became of each check.
func outcomes(results []conformance.Result) string {
	var all []string
	for _, r := range results {
		all = append(all, r.ID+" "+string(r.Outcome))
	}
	return strings.Join(all, ", ")
}

func TestATelephoneServiceIsJudged(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name    string
		handler http.Handler
		want    string
		code    int
		tiers   map[string]bool
	}{
		{"right", newExchange(), "TEL-01 pass, TEL-02 pass, TEL-03 pass", conformance.ExitPass, map[string]bool{"core": true, "voice": false}},
		{"no greeting", deaf(newExchange()), "TEL-01 pass, TEL-02 pass, TEL-03 fail", conformance.ExitPass, map[string]bool{"core": true, "voice": false}},
		{"calls never end", stubborn(newExchange()), "TEL-01 pass, TEL-02 fail, TEL-03 pass", conformance.ExitPass, map[string]bool{"core": false, "voice": false}},
		{"nothing is there", http.NotFoundHandler(), "TEL-01 fail, TEL-02 not-verified, TEL-03 not-verified", conformance.ExitFail, map[string]bool{"core": false, "voice": false}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			run := tested(t, row.handler)
			require.Equal(t, row.want, outcomes(run.Checks))
			require.Equal(t, row.code, run.ExitCode())
			offered := map[string]bool{}
			for _, tier := range run.Tiers {
				offered[tier.Name] = tier.Answer == conformance.TierYes
			}
			require.Equal(t, row.tiers, offered)
		})
	}
	_, err := test(t.Context(), "http://127.0.0.1:1", time.Now)
	require.ErrorContains(t, err, "TCP: ")
}

// TestARequirementSetDecides scores one run by the frozen set, by the latest one, and
// by one that there is not.
func TestARequirementSetDecides(t *testing.T) {
	t.Parallel()
	run := tested(t, deaf(newExchange()))
	require.Equal(t, "1", run.Requirements)
	require.Equal(t, 1, run.Summary.Unscored)
	run.Score(conformance.Scoring{Requirements: conformance.RequirementsLatest, Claims: []conformance.Tier{tierVoice}}, autumn)
	require.Equal(t, conformance.ExitFail, run.ExitCode())
	require.Contains(t, fmt.Sprint(run.Reasons()), "the subscriber hears a voice")
	_, err := run.Suite.Required("2")
	require.EqualError(t, err, `requirements "2": want 1 or latest`)
	tier, err := run.Suite.TierNamed("voice")
	require.NoError(t, err)
	require.Equal(t, tierVoice, tier)
}

// TestABaselineIsOfASuite reads a baseline, and finds what is stale in it.
func TestABaselineIsOfASuite(t *testing.T) {
	t.Parallel()
	read := func(text string) (*conformance.Baseline, error) {
		return conformance.ReadBaseline(strings.NewReader(text), newTelephone())
	}
	for _, wrong := range []string{"W-01", "TEL-02@"} {
		_, err := read(fmt.Sprintf(`{"known":[{"id":%q,"owner":"ann","until":"2026-12-31"}]}`, wrong))
		require.ErrorContains(t, err, "there is no check")
	}
	_, err := read(`{"known":[{"id":"TEL-02","operation":"line","owner":"ann","until":"2026-12-31"}]}`)
	require.ErrorContains(t, err, `want one of ["DELETE /account/{id}/calls/{call}"]`)
	baseline, err := read(`{"known":[{"id":"tel-02","operation":"DELETE /account/{id}/calls/{call}","owner":"ann","until":"2026-12-31"}]}`)
	require.NoError(t, err)

	scoring := conformance.Scoring{Baseline: baseline, FailOn: conformance.Should}
	broken := tested(t, stubborn(newExchange()))
	require.Equal(t, conformance.ExitPass, broken.ExitCode())
	broken.Score(conformance.Scoring{FailOn: conformance.Should}, autumn)
	require.Equal(t, conformance.ExitFail, broken.ExitCode())
	broken.Score(scoring, autumn)
	require.Equal(t, 1, broken.Summary.Known)
	require.Empty(t, broken.Stale)
	require.Equal(t, conformance.ExitPass, broken.ExitCode())

	mended := tested(t, newExchange())
	mended.Score(scoring, autumn)
	require.Equal(t, []string{"TEL-02@DELETE /account/{id}/calls/{call} (owner ann): it no longer fails; remove it from the baseline"}, mended.Stale)
	require.Equal(t, conformance.ExitFail, mended.ExitCode())
}

// TestASuiteKnowsItsWords has the words of a suite's own sentences, and no others.
func TestASuiteKnowsItsWords(t *testing.T) {
	t.Parallel()
	words := slices.Collect(maps.Keys(newTelephone().Vocabulary()))
	require.Subset(t, words, []string{"greeting", "charged", "spoken", "null"})
	require.NotContains(t, words, "passenger")
}
