package interop

import (
	"errors"
	"fmt"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// Side is one of the two systems.
type Side string

// The sides.
const (
	Vendor   Side = "vendor"   // the dispatch system of a third party
	Platform Side = "platform" // the platform that calls it
)

// Verdict is the result of a prediction.
type Verdict string

// The verdicts. Only [Breaks] is a fault of one of the two.
const (
	Works   Verdict = "works"
	Breaks  Verdict = "breaks"  // one of the two needs it of the other, and it will not work
	Without Verdict = "without" // one of the two does not have it, as it may: it will not be offered
	Unknown Verdict = "unknown" // one side was not verified, and nothing is predicted
)

// Evidence is a fact that one of the runs shows.
type Evidence struct {
	Side        Side                `json:"side"`
	Check       string              `json:"check,omitempty"`   // such as "BOK-34@book"; "": what was seen is no verdict
	Outcome     conformance.Outcome `json:"outcome,omitempty"` // of the check
	Call        int                 `json:"call,omitempty"`    // its number in the run; 0: none shows it
	Observation int                 `json:"observation,omitempty"`
	Pointer     string              `json:"pointer,omitempty"` // JSON Pointer into the body of the call: a vendor's reply, a platform's request
	Says        string              `json:"says,omitempty"`    // what was seen, in words
}

// Prediction is the prediction for one function of the two systems together.
type Prediction struct {
	ID       string     `json:"id"`
	About    string     `json:"about"`
	Verdict  Verdict    `json:"verdict"`
	Sentence string     `json:"sentence"`
	Reason   string     `json:"reason,omitempty"` // why it does not work, is not offered or is not known
	Vendor   []Evidence `json:"vendor"`
	Platform []Evidence `json:"platform"`
}

// Forecast is all predictions for two runs.
type Forecast struct {
	Vendor      string          `json:"vendor"`   // what the runs judged
	Platform    string          `json:"platform"` // its drive address
	Counts      map[Verdict]int `json:"counts"`
	Predictions []Prediction    `json:"predictions"`
}

// The names of the suites whose runs are joined.
const (
	vendorSuite   = "third-party"
	platformSuite = "caller"
)

// Join predicts what the dispatch system of one run and the platform of another will do
// together. The error says which of the files is of another kind.
func Join(vendor, platform *conformance.RunFile) (*Forecast, error) {
	if suiteOf(vendor) == platformSuite && suiteOf(platform) == vendorSuite {
		return nil, errors.New("the first is a platform's run and the second a dispatch system's: give them the other way round")
	}
	if err := wantSuite("first", vendor, vendorSuite, "a dispatch system: 'cabrank check URL --out FILE' writes one"); err != nil {
		return nil, err
	}
	if err := wantSuite("second", platform, platformSuite, "a calling platform: 'cabrank check caller --drive URL --out FILE' writes one"); err != nil {
		return nil, err
	}
	p := &pair{vendor: newRun(Vendor, vendor), platform: newRun(Platform, platform)}
	f := &Forecast{Vendor: jsonvalue.Clip(vendor.Target, longest), Platform: jsonvalue.Clip(platform.Target, longest), Counts: map[Verdict]int{}}
	for _, r := range rows() {
		one := r.predict(p)
		f.Counts[one.Verdict]++
		f.Predictions = append(f.Predictions, one)
	}
	return f, nil
}

func wantSuite(which string, run *conformance.RunFile, want, how string) error {
	switch got := suiteOf(run); got {
	case want:
		return nil
	case platformSuite:
		return fmt.Errorf("the %s is a platform's run, want one of %s", which, how)
	case vendorSuite:
		return fmt.Errorf("the %s is a dispatch system's run, want one of %s", which, how)
	default:
		return fmt.Errorf("the %s is a run of the suite %q, want one of %s", which, got, how)
	}
}

func suiteOf(run *conformance.RunFile) string {
	if run.Suite != nil {
		return run.Suite.Name
	}
	return run.Judge.Suite
}

// Silent reports whether no prediction has evidence from both runs. A function that one of the
// two lacks is no evidence about the pair.
func (f *Forecast) Silent() bool { return f.Counts[Works]+f.Counts[Breaks] == 0 }

// Broken reports whether a function that the two need of each other will not work.
func (f *Forecast) Broken() bool { return f.Counts[Breaks] > 0 }
