package conformance

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Report is what a run found out.
type Report struct {
	Checks       []Result      `json:"checks"`
	Summary      Summary       `json:"summary"`
	Target       string        `json:"target"`
	Started      time.Time     `json:"started"`
	Duration     time.Duration `json:"durationNanos"`
	Seed         uint64        `json:"seed"`
	Leftovers    []Leftover    `json:"leftovers"`           // journeys made and not cancelled
	Requirements string        `json:"requirements"`        // the set that it is scored by
	Tiers        []TierScore   `json:"tiers"`               // what a passenger gains
	Preflight    []Step        `json:"preflight,omitempty"` // what was found before the run; none for traffic of others
	Stale        []string      `json:"stale,omitempty"`     // entries of the baseline that excuse nothing any more

	// Exchanges is the evidence, in the order the calls ended. It holds telephone
	// numbers as they were sent and is no part of the JSON report.
	Exchanges []*Exchange `json:"-"`

	secrets []string // the caller's, to be kept out of run files
}

// Summary counts verdicts. Those that are unscored are counted apart.
type Summary struct {
	Executed    int             `json:"executed"` // verdicts other than not-verified and error
	Pass        int             `json:"pass"`
	Fail        int             `json:"fail"`
	Warn        int             `json:"warn"`
	Observed    int             `json:"observed"`
	NotVerified int             `json:"notVerified"`
	Error       int             `json:"error"`
	Known       int             `json:"known,omitempty"`    // failures that the baseline excuses
	Unscored    int             `json:"unscored,omitempty"` // verdicts outside the set of requirements
	Levels      map[Level]Score `json:"levels"`
	Exchanges   int             `json:"exchanges"` // calls made
	ExitCode    int             `json:"exitCode"`
}

// Score is how a level or a tier came off.
type Score struct {
	Pass        int `json:"pass"`
	Fail        int `json:"fail"`
	Warn        int `json:"warn"`
	NotVerified int `json:"notVerified"`
	Known       int `json:"known,omitempty"`
}

// The exit codes of a run that took place. Usage errors and servers that could
// not be reached are the caller's to report.
const (
	ExitPass   = 0 // no MUST failed
	ExitFail   = 1 // a MUST failed, a claimed tier is not offered, or the baseline is stale
	ExitBroken = 4 // the suite came to no verdict where it should have
)

func (r *run) report(results []Result, left []Leftover, started time.Time) *Report {
	rep := &Report{
		Checks:    results,
		Target:    r.target.URL,
		Started:   started,
		Duration:  r.target.since(started),
		Seed:      r.target.Seed,
		Leftovers: left,
		Preflight: r.steps,
		Exchanges: r.history,
	}
	for _, p := range r.proofs {
		rep.secrets = append(rep.secrets, p.secrets()...)
	}
	if rep.Leftovers == nil {
		rep.Leftovers = []Leftover{}
	}
	rep.Score(Scoring{}, started)
	return rep
}

// ReportOn returns a report on traffic that somebody else made, judged by the
// same rules. target is the server's base address, for the reader.
func ReportOn(target string, history []Exchange) *Report {
	rep := &Report{Checks: Judge(history), Target: target, Leftovers: []Leftover{}}
	for i := range history {
		history[i].read()
		rep.Exchanges = append(rep.Exchanges, &history[i])
	}
	if len(history) > 0 {
		rep.Started = history[0].Started
		rep.Duration = history[len(history)-1].ended().Sub(rep.Started)
	}
	mask := newMask(rep.Exchanges)
	for i := range rep.Checks {
		for k := range rep.Checks[i].Findings {
			mask.finding(&rep.Checks[i].Findings[k])
		}
	}
	rep.Score(Scoring{}, rep.Started)
	return rep
}

// summarise counts the verdicts.
func (r *Report) summarise() {
	s := Summary{Levels: map[Level]Score{}, Exchanges: len(r.Exchanges)}
	for _, c := range r.Checks {
		if c.Unscored {
			s.Unscored++
			continue
		}
		s.count(c)
		score := s.Levels[c.Level]
		score.count(c)
		s.Levels[c.Level] = score
	}
	s.Executed = len(r.Checks) - s.NotVerified - s.Error - s.Unscored
	r.Summary = s
	r.Summary.ExitCode = r.ExitCode()
}

func (s *Summary) count(c Result) {
	switch {
	case c.Known != nil:
		s.Known++
	case c.Outcome == Pass:
		s.Pass++
	case c.Outcome == Fail:
		s.Fail++
	case c.Outcome == Warn:
		s.Warn++
	case c.Outcome == Seen:
		s.Observed++
	case c.Outcome == NotVerified:
		s.NotVerified++
	default:
		s.Error++
	}
}

// ExitCode maps the report to a process's exit code: a failed MUST decides, a
// claim that is not kept or a stale baseline likewise, then an error of the
// suite; nothing executed is an error.
func (r *Report) ExitCode() int {
	switch {
	case r.Summary.Levels[Must].Fail > 0, len(r.Stale) > 0, slices.ContainsFunc(r.Tiers, TierScore.Broken):
		return ExitFail
	case r.Summary.Error > 0 || r.Summary.Executed == 0:
		return ExitBroken
	}
	return ExitPass
}

// Verdict says in a sentence how the report came off.
func (r *Report) Verdict() string {
	must := r.Summary.Levels[Must]
	switch {
	case must.Fail > 0:
		if must.Fail == 1 {
			return "a requirement of the interface is not met"
		}
		return fmt.Sprintf("%d requirements of the interface are not met", must.Fail)
	case slices.ContainsFunc(r.Tiers, TierScore.Broken):
		return "a tier that is claimed is not offered"
	case len(r.Stale) > 0:
		return "the baseline of known failures is stale"
	case r.ExitCode() == ExitBroken:
		return "the suite came to no verdict where it should have"
	case must.Known > 0:
		return fmt.Sprintf("every MUST that could be tested is met, but for %d known failures", must.Known)
	case must.NotVerified > 0:
		return fmt.Sprintf("every MUST that could be tested is met; %d could not be tested", must.NotVerified)
	}
	return "every MUST of the interface is met"
}

// WriteJSON writes the report as one indented JSON object.
func (r *Report) WriteJSON(w io.Writer) error { return writeJSON(w, r) }

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// wordList joins words for a sentence: "a, b and c".
func wordList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
