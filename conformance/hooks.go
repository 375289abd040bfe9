package conformance

import (
	"slices"
	"strings"
)

// Hook is something that only whoever runs the server can lend to a run.
type Hook string

// The hooks, by what [Target] calls them.
const (
	HookAdvance  Hook = "advance"  // Target.Advance lets journeys progress
	HookRestart  Hook = "restart"  // Target.Restart stops and starts the server
	HookFixtures Hook = "fixtures" // Target.Disabled and Target.Blacklisted name such users
	HookAuth     Hook = "auth"     // Target.Auth shows credentials, so that their absence can be tried
)

// storiesOf names the stories that can only be told with a hook.
var storiesOf = map[Hook][]string{
	HookAdvance:  {"full life", "cancelled in each status", "edited in each status"},
	HookRestart:  {"restart"},
	HookFixtures: {"barred users"},
	HookAuth:     {"no credentials", "wrong credentials", "scheme in other capitals"},
}

// Unlocks returns the ids of the checks that are not verified without a hook, or
// on less evidence.
func Unlocks(h Hook) []string {
	var ids []string
	for _, p := range probes() {
		if slices.Contains(storiesOf[h], p.name) {
			ids = append(ids, strings.Fields(p.covers)...)
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return place(a) - place(b) })
	return slices.Compact(ids)
}

// place returns where in the catalogue a check stands.
func place(id string) int {
	return slices.IndexFunc(catalogue, func(c Check) bool { return c.ID == id })
}
