package conformance_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/matrix"
)

// TestSuiteMatchesURLsWithOperations checks that URLs are matched with operations that are a method and a path, and
// with those that are words.
func TestSuiteMatchesURLsWithOperations(t *testing.T) {
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

// outcomes lists the outcome of each check.
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
		handler http.Handler
		want    string
		code    int
		core    conformance.TierAnswer
	}{
		{newExchange(), "TEL-01 pass, TEL-02 pass, TEL-03 pass", conformance.ExitPass, conformance.TierYes},
		{without("heard")(newExchange()), "TEL-01 pass, TEL-02 pass, TEL-03 fail", conformance.ExitPass, conformance.TierYes},
		{stubborn(newExchange()), "TEL-01 pass, TEL-02 fail, TEL-03 pass", conformance.ExitFail, conformance.TierFaulty},
		{http.NotFoundHandler(), "TEL-01 fail, TEL-02 not-verified, TEL-03 not-verified", conformance.ExitFail, conformance.TierNo},
	} {
		run := tested(t, row.handler)
		require.Equal(t, row.want, outcomes(run.Checks))
		require.Equal(t, row.code, run.ExitCode())
		require.Equal(t, row.core, run.Tiers[0].Answer)
		require.Equal(t, conformance.TierNotShown, run.Tiers[1].Answer, "its check is not in the frozen set")
	}
	_, err := test(t.Context(), "http://127.0.0.1:1", time.Now)
	require.ErrorContains(t, err, "TCP: ")
}

// TestRequirementSetDeterminesScore checks how one run is scored by the frozen set and by the latest one, and
// that an unknown set is an error.
func TestRequirementSetDeterminesScore(t *testing.T) {
	t.Parallel()
	run := tested(t, without("heard")(newExchange()))
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

// TestBaselineIsCheckedAgainstItsSuite checks that a baseline may only name checks of its suite, excuses their failures,
// and is stale if a check no longer fails.
func TestBaselineIsCheckedAgainstItsSuite(t *testing.T) {
	t.Parallel()
	read := func(id string) (*conformance.Baseline, error) {
		return conformance.ReadBaseline(strings.NewReader(`{"known":[{`+id+`,"owner":"ann","until":"2026-12-31"}]}`), newTelephone())
	}
	_, err := read(`"id":"TEL-02@"`)
	require.ErrorContains(t, err, "there is no check")
	_, err = read(`"id":"TEL-02","operation":"line"`)
	require.ErrorContains(t, err, `want one of ["DELETE /account/{id}/calls/{call}"]`)
	baseline, err := read(`"id":"tel-02","operation":"DELETE /account/{id}/calls/{call}"`)
	require.NoError(t, err)

	broken, mended := tested(t, stubborn(newExchange())), tested(t, newExchange())
	require.Equal(t, "every MUST that could be tested is met; failures below that hurt: money 1", broken.Verdict())
	for _, row := range []struct {
		run     *conformance.RunFile
		scoring conformance.Scoring
		code    int
	}{
		{broken, conformance.Scoring{FailOn: conformance.Must}, conformance.ExitPass},
		{broken, conformance.Scoring{FailOn: conformance.Should}, conformance.ExitFail},
		{broken, conformance.Scoring{FailOn: conformance.Should, Baseline: baseline}, conformance.ExitPass},
		{mended, conformance.Scoring{FailOn: conformance.Should, Baseline: baseline}, conformance.ExitFail},
	} {
		row.run.Score(row.scoring, autumn)
		require.Equal(t, row.code, row.run.ExitCode())
	}
	require.Equal(t, 1, broken.Summary.Known)
	require.Empty(t, broken.Stale)
	require.Equal(t, []string{"TEL-02@DELETE /account/{id}/calls/{call} (owner ann): it no longer fails; remove it from the baseline"}, mended.Stale)
	require.Equal(t, "the baseline of known failures is stale", mended.Verdict())
}

// TestVocabularyIsOfTheSuitesOwnTexts checks that the vocabulary of a suite has the words of its own sentences, and no others.
func TestVocabularyIsOfTheSuitesOwnTexts(t *testing.T) {
	t.Parallel()
	words := newTelephone().Vocabulary()
	require.True(t, words["greeting"] && words["charged"] && words["spoken"] && words["null"])
	require.NotContains(t, words, "passenger")
}

// TestTheMatrixJudgesAnySuite checks that the matrix is right with a mutant for each check of the telephone
// suite, a variant and a null peer, and reports a check without a mutant and a variant that fails.
func TestTheMatrixJudgesAnySuite(t *testing.T) {
	t.Parallel()
	extra := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Odd", "and right")
			next.ServeHTTP(w, r)
		})
	}
	nobody := func(http.Handler) http.Handler { return http.NotFoundHandler() }
	sound := func(context.Context) (matrix.Subject, error) {
		return matrix.Subject{Handler: newExchange(), Now: time.Now, Test: func(ctx context.Context, at matrix.Place) (*conformance.Report, error) {
			return test(ctx, at.URL, at.Now)
		}}, nil
	}
	trial := matrix.Trial{
		Suite: newTelephone(), Sound: sound, Now: time.Now,
		Mutants: []matrix.Mutant{
			{Name: "calls without a number", KilledBy: "TEL-01", Wrap: without("callId")},
			{Name: "calls never end", KilledBy: "TEL-02", Wrap: stubborn},
			{Name: "nobody is greeted", KilledBy: "TEL-03@line", Wrap: without("heard")},
		},
		Variants: []matrix.Mutant{{Name: "one more header", Wrap: extra}},
		Peers:    []matrix.Mutant{{Name: "nothing is there", Own: true, Wrap: nobody}},
	}
	m, err := matrix.KillMatrix(t.Context(), trial)
	require.NoError(t, err)
	require.True(t, m.OK(), m.String())
	require.Contains(t, m.String(), "3 mutants, 1 variant, 1 null peer")

	trial.Mutants, trial.Variants = trial.Mutants[:2], []matrix.Mutant{{Name: "calls never end", Wrap: stubborn}}
	m, err = matrix.KillMatrix(t.Context(), trial)
	require.NoError(t, err)
	require.Contains(t, matrix.Proofs(trial.Suite, trial.Mutants), "TEL-03 (must): no mutant\n")
	require.Equal(t, "failed, and it is right", m.Variants[0].Problem)
}
