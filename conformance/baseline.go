package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// KnownFailure is a failure that an owner has accepted until a date.
type KnownFailure struct {
	ID        string    `json:"id"`                  // the check
	Operation Operation `json:"operation,omitempty"` // one operation; "": every operation on which the check fails
	Owner     string    `json:"owner"`               // who fixes it
	Until     Day       `json:"until"`               // the last day on which it is excused
	Reason    string    `json:"reason,omitempty"`
}

// Day is a calendar date. In JSON it is a string such as "2026-12-31".
type Day struct{ time.Time }

// UnmarshalJSON implements [json.Unmarshaler].
func (d *Day) UnmarshalJSON(text []byte) error {
	day, err := time.Parse(`"`+time.DateOnly+`"`, string(text))
	if err != nil {
		return fmt.Errorf("date %s: want YYYY-MM-DD, such as %q", text, "2027-01-31")
	}
	d.Time = day
	return nil
}

// MarshalJSON implements [json.Marshaler].
func (d Day) MarshalJSON() ([]byte, error) { return []byte(d.Format(`"` + time.DateOnly + `"`)), nil }

// over reports whether the day has ended in every time zone.
func (d Day) over(now time.Time) bool { return now.After(d.AddDate(0, 0, 1).Add(12 * time.Hour)) }

// Baseline lists known failures, which are reported but do not fail a run. A run fails if an entry no
// longer excuses a failure.
type Baseline struct {
	Known []KnownFailure `json:"known"`
}

// ReadBaseline reads a baseline from JSON, {"known": [{"id", "operation", "owner", "until", "reason"}]}. It
// returns an error unless every entry has the id of a check of the suite, an owner and a last day.
func ReadBaseline(in io.Reader, suite *Suite) (*Baseline, error) {
	d := json.NewDecoder(in)
	d.DisallowUnknownFields()
	var b Baseline
	if err := d.Decode(&b); err != nil {
		if shape, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return nil, fmt.Errorf(`%q is %s; want {"known": [{"id": "…", "owner": "ann", "until": "2027-01-31", "reason": "…"}]}`, shape.Field, Article(shape.Value))
		}
		return nil, fmt.Errorf("not a baseline: %w", err)
	}
	for i, k := range b.Known {
		c, ok := suite.Lookup(k.ID)
		switch {
		case !ok:
			return nil, fmt.Errorf("there is no check %q", k.ID)
		case k.Operation != "" && !slices.Contains(c.Operations, k.Operation):
			return nil, fmt.Errorf("%s has no verdict on %q; want one of %q, or none for all", k.ID, k.Operation, c.Operations)
		case strings.TrimSpace(k.Owner) == "":
			return nil, fmt.Errorf("%s has no owner", k.ID)
		case k.Until.IsZero():
			return nil, fmt.Errorf("%s has no last day (until)", k.ID)
		}
		b.Known[i].ID = c.ID
	}
	return &b, nil
}

// BaselineOf makes a baseline of all failures of a report, including those already excused:
// one entry for each verdict, with the finding as its reason.
func BaselineOf(r *Report, owner string, until Day) Baseline {
	b := Baseline{Known: []KnownFailure{}}
	for _, res := range ByWeight(r.Checks) {
		if res.Outcome == Fail {
			b.Known = append(b.Known, KnownFailure{ID: res.ID, Operation: res.Operation, Owner: owner, Until: until, Reason: HeadlineOf(res)})
		}
	}
	return b
}

func (k KnownFailure) covers(r Result) bool {
	return k.ID == r.ID && (k.Operation == "" || k.Operation == r.Operation)
}

// entryFor returns the entry that excuses a failure today, or nil.
func (b *Baseline) entryFor(r Result, now time.Time) *KnownFailure {
	if b == nil {
		return nil
	}
	for i := range b.Known {
		if k := &b.Known[i]; k.covers(r) && !k.Until.over(now) {
			return k
		}
	}
	return nil
}

// stale describes each entry whose last day is over or whose check no longer fails, with the reason to
// remove the entry.
func (b *Baseline) stale(results []Result, now time.Time) []string {
	if b == nil {
		return nil
	}
	var stale []string
	for _, k := range b.Known {
		if why := k.stale(results, now); why != "" {
			stale = append(stale, fmt.Sprintf("%s (owner %s): %s", k.name(), k.Owner, why))
		}
	}
	return stale
}

// name returns the name of the excused verdict, or the check's id if all verdicts of the check are excused.
func (k KnownFailure) name() string {
	if k.Operation == "" {
		return k.ID
	}
	return k.ID + "@" + string(k.Operation)
}

func (k KnownFailure) stale(results []Result, now time.Time) string {
	if k.Until.over(now) {
		return "its last day was " + k.Until.Format(time.DateOnly)
	}
	outcome := NotVerified
	for _, r := range results {
		if k.covers(r) && Severity[r.Outcome] > Severity[outcome] {
			outcome = r.Outcome
		}
	}
	if outcome == Fail || outcome == NotVerified { // what was not tested may still be broken
		return ""
	}
	return "it no longer fails; remove it from the baseline"
}
