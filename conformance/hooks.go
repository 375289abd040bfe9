package conformance

import (
	"slices"
	"strings"
	"sync"
)

// Hook is something that only whoever runs the server can lend to a run.
type Hook string

// The hooks, by what [Target] calls them.
const (
	HookAdvance  Hook = "advance"  // Target.Advance lets journeys progress
	HookRestart  Hook = "restart"  // Target.Restart stops and starts the server
	HookFixtures Hook = "fixtures" // Target.Disabled and Target.Blacklisted name such users, Target.Agreed a trip with a fixed price
	HookAuth     Hook = "auth"     // Target.Auth shows credentials, so that their absence can be tried
)

// Hooks lists the hooks.
func Hooks() []Hook { return []Hook{HookAdvance, HookRestart, HookFixtures, HookAuth} }

// flagsOf are the flags of the command that lend a hook.
var flagsOf = map[Hook]string{
	HookAdvance:  "--advance-url or --advance-cmd",
	HookRestart:  "--restart-cmd",
	HookFixtures: "--fixtures",
	HookAuth:     "--auth",
}

// Flags names the flags of 'cabrank check' that lend the hook.
func (h Hook) Flags() string { return flagsOf[h] }

// lent reports whether a target has the hook.
func (t *Target) lent(h Hook) bool {
	switch h {
	case HookAdvance:
		return t.Advance != nil
	case HookRestart:
		return t.Restart != nil
	case HookFixtures:
		return t.Disabled != "" && t.Blacklisted != "" && t.Agreed != nil
	default:
		_, certificate := t.ownCertificate()
		return t.Auth != nil || certificate
	}
}

// unlocking says which flags would help with a check that is not verified; "":
// none that is not given already.
func (t *Target) unlocking(id string) string {
	var flags []string
	for _, h := range Hooks() {
		if !t.lent(h) && slices.Contains(Unlocks(h), id) {
			flags = append(flags, h.Flags())
		}
	}
	return wordList(flags)
}

// storiesOf names the stories that can only be told with a hook.
var storiesOf = map[Hook][]string{
	HookAdvance:  {"full life", "cancelled in each status", "edited in each status"},
	HookRestart:  {"restart"},
	HookFixtures: {"barred users", "agreed price"},
	HookAuth:     {"no credentials", "wrong credentials", "scheme in other capitals"},
}

// Unlocks returns the ids of the checks that are not verified without a hook, or
// on less evidence.
func Unlocks(h Hook) []string { return slices.Clone(unlocked()[h]) }

// unlocked are the checks of each hook.
var unlocked = sync.OnceValue(func() map[Hook][]string {
	all := map[Hook][]string{}
	for h, stories := range storiesOf {
		var ids []string
		for _, p := range probes() {
			if slices.Contains(stories, p.name) {
				ids = append(ids, strings.Fields(p.covers)...)
			}
		}
		slices.SortFunc(ids, func(a, b string) int { return place(a) - place(b) })
		all[h] = slices.Compact(ids)
	}
	return all
})

// place returns where in the catalogue a check stands.
func place(id string) int {
	return slices.IndexFunc(catalogue, func(c Check) bool { return c.ID == id })
}
