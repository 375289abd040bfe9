package conformance

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// Report holds the results of a run.
type Report struct {
	Checks       []Result      `json:"checks"`
	Summary      Summary       `json:"summary"`
	Target       string        `json:"target"`
	Started      time.Time     `json:"started"`
	Duration     time.Duration `json:"durationNanos"`
	Seed         Seed          `json:"seed"`
	Leftovers    []Leftover    `json:"leftovers"`           // what the run made and could not cancel
	Requirements string        `json:"requirements"`        // the set of requirements that scores it
	Tiers        []TierScore   `json:"tiers"`               // what users gain
	Preflight    []Step        `json:"preflight,omitempty"` // the steps before the run; empty for traffic of other clients
	Stale        []string      `json:"stale,omitempty"`     // entries of the baseline that no longer excuse a failure
	FailOn       Level         `json:"failOn"`              // failures of this level and above fail the run, or [Harmful]
	Only         []string      `json:"only,omitempty"`      // ids of the chosen checks; empty: all

	Traffic     bool           `json:"traffic,omitempty"`     // the calls were made by other clients
	LookedOnly  bool           `json:"lookedOnly,omitempty"`  // read-only: the calls that change something were not made
	Interrupted bool           `json:"interrupted,omitempty"` // it was stopped before its end, so its results are incomplete
	Causes      []Cause        `json:"causes,omitempty"`      // faults that explain the failures, to be read first
	Unshown     []Gap          `json:"unshown,omitempty"`     // MUSTs of the core that could not be shown because of the server's own behaviour
	DeadAids    []Reason       `json:"deadAids,omitempty"`    // why aids that were given never worked
	Repeated    *ReplayOutcome `json:"repeated,omitempty"`    // of a repeated probe: the new result of the verdict or call it was repeated for

	// Observations are the evidence other than calls, with secrets hidden.
	Observations []Observation `json:"observations,omitempty"`

	// Exchanges are the calls, in the order in which they ended. They hold telephone
	// numbers as they were sent, so they are not part of the JSON report.
	Exchanges []*Exchange `json:"-"`

	// Suite is the suite of the run.
	Suite *Suite `json:"-"`

	// Hide returns a copy of a call with the same secrets hidden as in the rest of the
	// report; nil: there is nothing to hide.
	Hide func(*Exchange) *Exchange `json:"-"`
}

// Summary counts verdicts. Unscored ones are counted separately.
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

// Score counts the verdicts of a level or a tier.
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
	ExitFail        = 1 // a MUST failed or could not be shown, another failure is one that fails the run, a claimed tier is not offered, or the baseline is stale
	ExitAid         = 2 // a given aid never worked
	ExitUnreachable = 3 // nothing could be tested, or not enough of the core
	ExitBroken      = 4 // the suite reached no verdict where it should have
	ExitLooked      = 5 // read-only: every check that could be tested passed; the rest was not tested

	ExitInterrupted = 130 // the run was stopped before its end
)

// Shown returns a call with secrets hidden.
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
	var one Score
	one.Count(c)
	s.Known, s.Pass, s.Fail = s.Known+one.Known, s.Pass+one.Pass, s.Fail+one.Fail
	s.Warn, s.Flaky, s.NotVerified = s.Warn+one.Warn, s.Flaky+one.Flaky, s.NotVerified+one.NotVerified
	switch {
	case one != Score{}:
	case c.Outcome == Seen:
		s.Observed++
	default:
		s.Error++
	}
}

// Counts lists the number of verdicts of each kind, as every report shows it.
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

// Interrupt records that the run was stopped before its end.
func (r *Report) Interrupt() {
	r.Interrupted = true
	r.Summary.ExitCode = r.ExitCode()
}

// WriteJSON writes the report as one indented JSON object.
func (r *Report) WriteJSON(w io.Writer) error { return WriteJSON(w, r) }

// WriteJSON writes a value as one indented JSON object.
func WriteJSON(w io.Writer, v any) error {
	if err := jsonvalue.Encode(w, v, "", "  "); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// Leftover is a thing that a run made and could not cancel. Its JSON members are
// named after what the first suite makes, since scripts read them.
type Leftover struct {
	ID     string `json:"journeyId"`
	UserID string `json:"userId,omitempty"` // the user it was made for; "": none
	Reason string `json:"reason"`
}

// ObservationsByID returns the observations by id.
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

// Seed is the seed of a run. In JSON it is a string, since many readers round large
// numbers.
type Seed uint64

// MarshalJSON implements [json.Marshaler].
func (s Seed) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, `"%d"`, uint64(s)), nil }

// UnmarshalJSON implements [json.Unmarshaler]. It accepts a number, too, as in older
// run files.
func (s *Seed) UnmarshalJSON(text []byte) error {
	n, err := strconv.ParseUint(strings.Trim(string(text), `"`), 10, 64)
	if err != nil {
		return fmt.Errorf("seed %s: want digits: %w", text, err)
	}
	*s = Seed(n)
	return nil
}
