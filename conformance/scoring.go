package conformance

import (
	"cmp"
	"slices"
	"time"
)

// Scoring says what counts in a report. The zero value uses the newest frozen set of
// requirements and no baseline.
type Scoring struct {
	Requirements string    // a set for [Suite.Required]
	Baseline     *Baseline // known failures; nil: none
	Claims       []Tier    // tiers that the server claims to offer: each must be shown
	FailOn       Level     // the lowest level whose failures fail a run; "": Harmful
}

// Mark returns the verdict with its marks set: whether it is scored, and which baseline entry excuses its
// failure.
func (s Scoring) Mark(suite *Suite, r Result, now time.Time) Result {
	ids, err := suite.Required(s.Requirements)
	r.Unscored = err == nil && !slices.Contains(ids, r.ID)
	r.Known = nil
	if r.Outcome == Fail {
		r.Known = s.Baseline.entryFor(r, now)
	}
	return r
}

// Score scores the report again: it marks every verdict, applies the baseline, counts,
// and decides which tiers are offered.
func (r *Report) Score(s Scoring, now time.Time) {
	r.Requirements = s.Requirements
	if r.Requirements == "" {
		r.Requirements = r.Suite.newest()
	}
	r.FailOn = cmp.Or(s.FailOn, Harmful)
	r.Checks = AskedFor(r.Checks, r.Only)
	for i := range r.Checks {
		r.Checks[i] = s.Mark(r.Suite, r.Checks[i], now)
	}
	r.orderCauses()
	r.Stale = s.Baseline.stale(r.Checks, now)
	r.scoreTiers(s.Claims)
	r.summarise()
}

// AskedFor returns the verdicts on the checks in only, or all if only is empty. The calls for the
// chosen checks also give partial evidence for others, which is not shown.
func AskedFor(results []Result, only []string) []Result {
	if len(only) == 0 {
		return results
	}
	return slices.DeleteFunc(slices.Clone(results), func(res Result) bool { return !slices.Contains(only, res.ID) })
}

// TierScore is the score of one tier.
type TierScore struct {
	Tier    Tier   `json:"tier"`
	Name    string `json:"name"`              // short: "core", "eta", …
	Claimed bool   `json:"claimed,omitempty"` // the server says that it offers it

	// Answer says whether the tier is offered.
	Answer TierAnswer `json:"answer"`
	Score
}

// TierAnswer says whether a server offers what a tier promises.
type TierAnswer string

// The answers for a tier.
const (
	TierYes      TierAnswer = "yes"       // all of it was shown
	TierFaulty   TierAnswer = "faults"    // it was shown, and a SHOULD of it failed
	TierNotShown TierAnswer = "not-shown" // too little of it was seen to decide
	TierNo       TierAnswer = "no"        // a MUST of it failed
)

// answerOfOld sets the answer for a tier of an older file, which has none: yes only if no
// check was left open.
func (t *TierScore) answerOfOld() {
	switch {
	case t.Answer != "":
	case t.Fail > 0:
		t.Answer = TierNo
	case t.Pass > 0 && t.NotVerified == 0:
		t.Answer = TierYes
	default:
		t.Answer = TierNotShown
	}
}

// Broken reports whether a tier was claimed and is not offered.
func (t TierScore) Broken() bool { return t.Claimed && t.Answer != TierYes }

// Scope names the part that the report covers; "": a whole run.
func (r *Report) Scope() string {
	switch {
	case r.Unreached():
		return "a run that did not start"
	case r.Interrupted:
		return "a run that was stopped"
	case r.Repeated != nil:
		return "one probe, repeated"
	case len(r.Only) > 0:
		return "only " + r.askedFor()
	case r.Traffic:
		return "traffic of other clients"
	}
	return ""
}

// scoreTiers decides which tiers are offered: all of them, or only the claimed ones if the
// run was limited to some checks.
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
		score.Answer = answer(levels[Must], levels[Should])
		if t.Core && score.Answer != TierNo && !r.coreShown() {
			score.Answer = TierNotShown
		}
		r.Tiers = append(r.Tiers, score)
	}
}

// FaultsOf lists the SHOULDs of a tier that failed, by their ids.
func (r *Report) FaultsOf(tier Tier) (ids []string) {
	for _, c := range r.Checks {
		check, known := r.Suite.Lookup(c.ID)
		if known && check.Tier == tier && c.Level == Should && !c.Unscored && c.Outcome == Fail && !slices.Contains(ids, c.ID) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// coreShown reports whether the core was shown, as far as it depends on the server. For
// traffic of other clients it reports whether the traffic shows the core.
func (r *Report) coreShown() bool {
	if r.Traffic && slices.ContainsFunc(r.Checks, r.notShown) {
		return false
	}
	return !r.LookedOnly && len(r.gaps()) == 0 && !slices.ContainsFunc(r.Causes, func(c Cause) bool { return c.Ends })
}

// notShown reports whether a MUST of the core was not verified, although every correct server shows it without an aid.
func (r *Report) notShown(res Result) bool {
	c, _ := r.Suite.Lookup(res.ID)
	return res.Outcome == NotVerified && !res.Unscored && r.Suite.Core(c) && !r.Suite.MayOmit[res.ID] && !r.Suite.needsAid(res.ID)
}

// answer judges a tier by its MUSTs, or by its SHOULDs if it has none. The absence of
// failures is not enough: a member that is never sent is never wrong.
func answer(must, should Score) TierAnswer {
	shown := must.Pass > 0
	if must == (Score{}) {
		shown = should.Pass > 0 && should.NotVerified == 0
	}
	switch {
	case must.Fail+must.Known > 0:
		return TierNo
	case should.Fail+should.Known > 0:
		return TierFaulty
	case !shown:
		return TierNotShown
	}
	return TierYes
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
