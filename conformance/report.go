package conformance

import (
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// Report is what a run found out.
type Report struct {
	Checks       []Result      `json:"checks"`
	Summary      Summary       `json:"summary"`
	Target       string        `json:"target"`
	Started      time.Time     `json:"started"`
	Duration     time.Duration `json:"durationNanos"`
	Seed         Seed          `json:"seed"`
	Leftovers    []Leftover    `json:"leftovers"`           // what the run made and could not take away again
	Requirements string        `json:"requirements"`        // the set that it is scored by
	Tiers        []TierScore   `json:"tiers"`               // what users gain
	Preflight    []Step        `json:"preflight,omitempty"` // what was found before the run; none for traffic of others
	Stale        []string      `json:"stale,omitempty"`     // entries of the baseline that excuse nothing any more
	FailOn       Level         `json:"failOn"`              // failures of this level and above fail the run
	Only         []string      `json:"only,omitempty"`      // ids that were asked for; none: all

	Traffic     bool           `json:"traffic,omitempty"`     // of calls that somebody else made
	LookedOnly  bool           `json:"lookedOnly,omitempty"`  // it was to change nothing: the calls that do were left out
	Interrupted bool           `json:"interrupted,omitempty"` // it was stopped before its end: what it says is true, and not all
	Causes      []Cause        `json:"causes,omitempty"`      // what much else comes of, to be looked at first
	Unshown     []Gap          `json:"unshown,omitempty"`     // MUSTs of the core that the server's own behaviour kept from being shown
	DeadAids    []Reason       `json:"deadAids,omitempty"`    // why aids that were given never worked
	Repeated    *ReplayOutcome `json:"repeated,omitempty"`    // of a repeated story: what became of what it was repeated for

	// Observations are the evidence that is no call, as it is fit to be shown.
	Observations []Observation `json:"observations,omitempty"`

	// Exchanges is the evidence, in the order the calls ended. It holds telephone
	// numbers as they were sent and is no part of the JSON report.
	Exchanges []*Exchange `json:"-"`

	// Suite is what judged.
	Suite *Suite `json:"-"`

	// Hide returns a copy of a call that is fit to be shown, as it was hidden in the
	// rest; nil: all calls are.
	Hide func(*Exchange) *Exchange `json:"-"`
}

// Summary counts verdicts. Those that are unscored are counted apart.
type Summary struct {
	Executed    int             `json:"executed"` // verdicts other than not-verified and error
	Pass        int             `json:"pass"`
	Fail        int             `json:"fail"`
	Warn        int             `json:"warn"`
	Flaky       int             `json:"flaky,omitempty"`
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
	Flaky       int `json:"flaky,omitempty"`
	NotVerified int `json:"notVerified"`
	Known       int `json:"known,omitempty"`
}

// The exit codes of a run. Usage errors are the caller's to report.
const (
	ExitPass        = 0 // the core is shown, and no MUST failed
	ExitFail        = 1 // a MUST failed or could not be shown, a claimed tier is not offered, or the baseline is stale
	ExitAid         = 2 // an aid that was given never worked
	ExitUnreachable = 3 // nothing could be tested, or not enough of the core
	ExitBroken      = 4 // the suite came to no verdict where it should have
	ExitLooked      = 5 // what can be seen without changing anything is as it should be; the rest was not tried

	ExitInterrupted = 130 // the run was stopped before its end
)

// Shown returns a call as it is fit to be shown.
func (r *Report) Shown(x *Exchange) *Exchange {
	if r.Hide == nil {
		return x
	}
	return r.Hide(x)
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
		score.Count(c)
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
	case c.Outcome == Flaky:
		s.Flaky++
	case c.Outcome == Seen:
		s.Observed++
	case c.Outcome == NotVerified:
		s.NotVerified++
	default:
		s.Error++
	}
}

// Counts says how many verdicts there are of each kind, as every report says it.
func (s Summary) Counts() string {
	text := fmt.Sprintf("%d passed, %d failed, %s, %d observed, %d not verified", s.Pass, s.Fail, Count(s.Warn, "warning"), s.Observed, s.NotVerified)
	if s.Flaky > 0 {
		text += fmt.Sprintf(", %d flaky", s.Flaky)
	}
	if s.Known > 0 {
		text += ", " + Count(s.Known, "known failure")
	}
	if s.Unscored > 0 {
		text += fmt.Sprintf(", %d not scored", s.Unscored)
	}
	if s.Error > 0 {
		text += fmt.Sprintf(", %s of the suite", Count(s.Error, "error"))
	}
	return text
}

// Interrupt takes down that the run was stopped before its end.
func (r *Report) Interrupt() {
	r.Interrupted = true
	r.Summary.ExitCode = r.ExitCode()
}

// WriteJSON writes the report as one indented JSON object.
func (r *Report) WriteJSON(w io.Writer) error { return WriteJSON(w, r) }

func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// Leftover is a thing that a run made and could not take away again. Its members
// in JSON are named after what the first suite makes; scripts read them.
type Leftover struct {
	ID     string `json:"journeyId"`
	UserID string `json:"userId,omitempty"` // of whom it was made for; "": nobody in particular
	Reason string `json:"reason"`
}

// ObservationsByID finds observations by their number.
func (r *Report) ObservationsByID() map[int]Observation {
	m := make(map[int]Observation, len(r.Observations))
	for _, o := range r.Observations {
		m[o.ID] = o
	}
	return m
}

// Observed returns the observations that show a finding.
func (r *Report) Observed(f Finding) []Observation {
	all := r.ObservationsByID()
	var shown []Observation
	for _, id := range f.Observations {
		shown = append(shown, all[id])
	}
	return shown
}
