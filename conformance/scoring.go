package conformance

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Scoring says what counts in a report. The zero value scores by the newest
// frozen set of requirements and knows of no failures.
type Scoring struct {
	Requirements string    // a set for [Suite.Required]
	Baseline     *Baseline // failures that are known; nil: none
	Claims       []Tier    // tiers that the server claims to offer: each has to be shown
	FailOn       Level     // the lowest level whose failures fail a run; "": Must
}

// Mark says of one verdict whether it is scored and whether it is known.
func (s Scoring) Mark(suite *Suite, r Result, now time.Time) Result {
	ids, err := suite.Required(s.Requirements)
	r.Unscored = err == nil && !slices.Contains(ids, r.ID)
	r.Known = nil
	if r.Outcome == Fail {
		r.Known = s.Baseline.entryFor(r, now)
	}
	return r
}

// Score scores the report anew: it marks every verdict, holds the baseline
// against them, counts, and says which tiers are offered.
func (r *Report) Score(s Scoring, now time.Time) {
	r.Requirements = s.Requirements
	if r.Requirements == "" {
		r.Requirements = r.Suite.newest()
	}
	r.FailOn = cmp.Or(s.FailOn, Must)
	for i := range r.Checks {
		r.Checks[i] = s.Mark(r.Suite, r.Checks[i], now)
	}
	r.orderCauses()
	r.Stale = s.Baseline.stale(r.Checks, now)
	r.scoreTiers(s.Claims)
	r.summarise()
}

// TierScore says how much of what users can gain a server offers.
type TierScore struct {
	Tier    Tier   `json:"tier"`
	Name    string `json:"name"`              // short: "core", "eta", …
	Claimed bool   `json:"claimed,omitempty"` // the server says that it offers it
	Offered bool   `json:"offered"`           // what it consists of was shown, and no MUST or SHOULD of it failed
	Score
}

// Broken reports a tier that was claimed and is not offered.
func (t TierScore) Broken() bool { return t.Claimed && !t.Offered }

// Scope says in a few words which part of a run this is; "": all of it.
func (r *Report) Scope() string {
	switch {
	case r.Unreached():
		return "a run that did not begin"
	case r.Interrupted:
		return "a run that was stopped"
	case r.Repeated != nil:
		return "one probe, repeated"
	case len(r.Only) > 0:
		return "only " + strings.Join(r.Only, ", ")
	case r.Traffic:
		return "the traffic of others"
	}
	return ""
}

// scoreTiers says which tiers are offered: of all, or of those that are claimed
// when only some checks were asked for.
func (r *Report) scoreTiers(claims []Tier) {
	r.Tiers = nil
	for _, t := range r.Suite.Tiers {
		if !slices.Contains(claims, t.Tier) && (len(r.Only) > 0 || r.Repeated != nil) {
			continue
		}
		score := TierScore{Tier: t.Tier, Name: t.Name, Claimed: slices.Contains(claims, t.Tier)}
		levels := map[Level]Score{}
		for _, c := range r.Checks {
			check, known := r.Suite.Lookup(c.ID)
			if !known || check.Tier != t.Tier || c.Unscored {
				continue
			}
			score.Count(c)
			level := levels[c.Level]
			level.Count(c)
			levels[c.Level] = level
		}
		score.Offered = offered(levels[Must], levels[Should]) && (!t.Core || r.coreShown())
		r.Tiers = append(r.Tiers, score)
	}
}

// coreShown reports whether nothing that the server did kept the core from being
// shown. For other people's traffic it reports whether the traffic shows the core.
func (r *Report) coreShown() bool {
	if r.Traffic && slices.ContainsFunc(r.Checks, r.notShown) {
		return false
	}
	return len(r.gaps()) == 0 && !slices.ContainsFunc(r.Causes, func(c Cause) bool { return c.Ends })
}

// notShown reports a MUST of the core that was not verified, although every right
// server shows it without a hook.
func (r *Report) notShown(res Result) bool {
	c, _ := r.Suite.Lookup(res.ID)
	return res.Outcome == NotVerified && !res.Unscored && r.Suite.Core(c) && !r.Suite.MayOmit[res.ID] && !r.Suite.needsAid(res.ID)
}

// offered judges a tier by its MUSTs, or by its SHOULDs when it has none. That
// nothing was seen to be wrong is not enough: what is never told is told wrongly nowhere.
func offered(must, should Score) bool {
	if must.Fail+should.Fail+must.Known+should.Known > 0 {
		return false
	}
	if must == (Score{}) {
		return should.Pass > 0 && should.NotVerified == 0
	}
	return must.Pass > 0
}

// Count adds one verdict to a score.
func (s *Score) Count(c Result) {
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
	case c.Outcome == NotVerified:
		s.NotVerified++
	}
}
