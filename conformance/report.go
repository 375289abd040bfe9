package conformance

import (
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// Report is what a run found out.
type Report struct {
	Checks    []Result      `json:"checks"`
	Summary   Summary       `json:"summary"`
	Target    string        `json:"target"`
	Started   time.Time     `json:"started"`
	Duration  time.Duration `json:"durationNanos"`
	Seed      uint64        `json:"seed"`
	Leftovers []Leftover    `json:"leftovers"` // journeys made and not cancelled

	// Exchanges is the evidence, in the order the calls ended. It holds telephone
	// numbers as they were sent and is no part of the JSON report.
	Exchanges []*Exchange `json:"-"`
}

// Summary counts verdicts.
type Summary struct {
	Executed    int             `json:"executed"` // verdicts other than not-verified and error
	Pass        int             `json:"pass"`
	Fail        int             `json:"fail"`
	Warn        int             `json:"warn"`
	Observed    int             `json:"observed"`
	NotVerified int             `json:"notVerified"`
	Error       int             `json:"error"`
	Levels      map[Level]Score `json:"levels"`
	Exchanges   int             `json:"exchanges"` // calls made
	ExitCode    int             `json:"exitCode"`
}

// Score is how a level came off.
type Score struct {
	Pass        int `json:"pass"`
	Fail        int `json:"fail"`
	Warn        int `json:"warn"`
	NotVerified int `json:"notVerified"`
}

// The exit codes of a run that took place. Usage errors and servers that could
// not be reached are the caller's to report.
const (
	ExitPass   = 0 // no MUST failed
	ExitFail   = 1 // a MUST failed
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
		Exchanges: r.history,
	}
	if rep.Leftovers == nil {
		rep.Leftovers = []Leftover{}
	}
	rep.summarise()
	return rep
}

// summarise counts the verdicts.
func (r *Report) summarise() {
	s := Summary{Levels: map[Level]Score{}, Exchanges: len(r.Exchanges)}
	for _, c := range r.Checks {
		score := s.Levels[c.Level]
		switch c.Outcome {
		case Pass:
			s.Pass++
			score.Pass++
		case Fail:
			s.Fail++
			score.Fail++
		case Warn:
			s.Warn++
			score.Warn++
		case Seen:
			s.Observed++
		case NotVerified:
			s.NotVerified++
			score.NotVerified++
		default:
			s.Error++
		}
		s.Levels[c.Level] = score
	}
	s.Executed = len(r.Checks) - s.NotVerified - s.Error
	r.Summary = s
	r.Summary.ExitCode = r.ExitCode()
}

// ExitCode maps the report to a process's exit code: a failed MUST decides, then
// an error of the suite; nothing executed is an error.
func (r *Report) ExitCode() int {
	switch {
	case r.Summary.Levels[Must].Fail > 0:
		return ExitFail
	case r.Summary.Error > 0 || r.Summary.Executed == 0:
		return ExitBroken
	}
	return ExitPass
}

// WriteJSON writes the report as one indented JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
