package dispatchside

import (
	"slices"
	"sync"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// Aids lists the aids without which some probes cannot be run.
func Aids() []conformance.Aid {
	return []conformance.Aid{conformance.AidAdvance, conformance.AidRestart, conformance.AidClock, conformance.AidFixtures, conformance.AidAuth}
}

// has reports whether the run has the aid.
func (r *run) has(a conformance.Aid) bool {
	t := &r.target
	switch a {
	case conformance.AidAdvance:
		return t.Advance != nil
	case conformance.AidRestart:
		return t.Restart != nil
	case conformance.AidClock:
		return t.SetClock != nil
	case conformance.AidFixtures:
		return t.Disabled != "" && t.Blacklisted != "" && t.Agreed != nil
	case conformance.AidNumbers:
		return len(t.Phones) > 1
	case conformance.AidAuth:
		_, certificate := r.OwnCertificate()
		return t.Auth != nil || certificate
	}
	return true
}

// missingAid returns the aid that a check without a verdict needs; "" if the run already has every
// aid that would help.
func (r *run) missingAid(c conformance.Check) conformance.Aid {
	for _, a := range Aids() {
		if !r.has(a) && slices.Contains(ChecksNeeding(a), c.ID) {
			return r.target.lacking(a)
		}
	}
	if c.Aid != "" && !r.has(c.Aid) {
		return c.Aid
	}
	return ""
}

// lacking returns the part of an aid that was not given if the other part was, and otherwise the aid itself.
func (t *Target) lacking(a conformance.Aid) conformance.Aid {
	barred := t.Disabled != "" || t.Blacklisted != ""
	switch {
	case a == conformance.AidFixtures && barred && t.Agreed == nil:
		return conformance.AidAgreed
	case a == conformance.AidFixtures && !barred && t.Agreed != nil:
		return conformance.AidBarred
	}
	return a
}

// ChecksNeeding returns the ids of the checks that are not verified, or have less evidence, without
// an aid, in the order of the catalogue.
func ChecksNeeding(a conformance.Aid) []string { return slices.Clone(checksOfAids()[a]) }

// checksOfAids returns, by aid, the ids of the checks whose probes need it.
var checksOfAids = sync.OnceValue(func() map[conformance.Aid][]string {
	all := map[conformance.Aid][]string{}
	for _, p := range probes() {
		if p.aid != "" {
			all[p.aid] = append(all[p.aid], p.checks...)
		}
	}
	place := map[string]int{} // index in the catalogue
	for i, c := range rules.Catalogue() {
		place[c.ID] = i
	}
	for a, ids := range all {
		slices.SortFunc(ids, func(x, y string) int { return place[x] - place[y] })
		all[a] = slices.Compact(ids)
	}
	return all
})
