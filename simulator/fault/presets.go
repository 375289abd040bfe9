package fault

import (
	"fmt"
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/host"
)

// Preset is a group of rules.
type Preset struct {
	Name  string `json:"name"`
	Does  string `json:"does"`
	Rules []Rule `json:"rules"`
}

// Presets lists the presets. Their rules last [DefaultTTL] unless they set another limit.
func Presets() []Preset {
	sometimes := func(share Share, kind string) Rule { return Rule{Match: Match{Probability: share}, Do: Do{Kind: kind}} }
	on := func(op Op, share Share, do Do) Rule { return Rule{Match: Match{Op: op, Probability: share}, Do: do} }
	presets := []Preset{
		{"flaky", "one request in ten fails: 500, 503 or a closed connection", []Rule{
			sometimes(0.04, "status"), sometimes(0.04, "unavailable"), sometimes(0.03, "close"),
		}},
		{"slow", "every response is two seconds late, one in ten is ten seconds late", []Rule{
			{Match: Match{Probability: 0.1}, Do: Do{Kind: "delay", For: host.Duration(10 * time.Second)}},
			{Do: Do{Kind: "delay", For: host.Duration(2 * time.Second)}},
		}},
		{"lossy-network", "responses are lost, end early or are slow; the requests are processed", []Rule{
			sometimes(0.05, "reset-before-headers"), sometimes(0.05, "reset-mid-body"), sometimes(0.05, "truncate"), sometimes(0.1, "dribble"),
		}},
		{"bad-json", "one response in three is not valid JSON", []Rule{
			sometimes(0.06, "empty"), sometimes(0.06, "html-page"), sometimes(0.06, "bom"), sometimes(0.06, "trailing-bytes"),
			sometimes(0.06, "duplicate-keys"), sometimes(0.06, "numbers-as-strings"),
		}},
		{"mean-dispatcher", "lost responses to bookings, cancellations without effect, changing ids, wrong times and places", []Rule{
			on(Book, 0.2, Do{Kind: "commit-then-drop"}), on(Cancel, 0.3, Do{Kind: "cancel-ignored"}), on(Status, 0.1, Do{Kind: "journey-id-changes"}),
			on(Status, 0.2, Do{Kind: "eta-growing"}), on(Status, 0.1, Do{Kind: "location-zero"}), on(User, 0.2, Do{Kind: "bookings-stale"}),
		}},
		{"no-cars", "no booking finds a car", []Rule{on(Book, 0, Do{Kind: "no-cars"})}},
		{"rush-hour", "one booking in four finds no car, for one in four the driver cancels, and cars are half an hour away", []Rule{
			on(Book, 0.25, Do{Kind: "no-cars"}), on(Book, 0.33, Do{Kind: "driver-cancels", At: taxi.Accepted}),
			on(Status, 0, Do{Kind: "eta-is", Minutes: 30}),
		}},
		{"outage-30s", "every request gets 503 for thirty seconds of the world's clock", []Rule{
			{Window: Window{TTL: host.Duration(30 * time.Second)}, Do: Do{Kind: "unavailable", RetryAfter: host.Duration(30 * time.Second)}},
		}},
	}
	for _, p := range presets {
		for i := range p.Rules {
			p.Rules[i].ID = fmt.Sprintf("%s-%d", p.Name, i+1)
		}
	}
	return presets
}

// AddPreset adds the rules of a preset, replacing those with the same ids. phone and the
// members of w that are set replace those of the preset. The error is [ErrPreset], a
// [*RuleError] or [ErrFull]; then nothing is added.
func (s *Set) AddPreset(name string, phone taxi.E164, w Window) ([]Listed, error) {
	presets := Presets()
	at := slices.IndexFunc(presets, func(p Preset) bool { return p.Name == name })
	if at < 0 {
		return nil, fmt.Errorf("%s: %w", name, ErrPreset)
	}
	rules := presets[at].Rules
	for i := range rules {
		r := &rules[i]
		if phone != "" {
			r.Match.Phone = phone
		}
		if w != (Window{}) {
			r.Window = w
		}
		if _, err := r.complete(); err != nil {
			return nil, err
		}
	}
	if int(s.rules.Load())+len(rules) > mostRules {
		return nil, ErrFull
	}
	var added []Listed
	for _, r := range rules {
		_ = s.Remove(r.ID) // it may not exist
		l, err := s.Add(r)
		if err != nil {
			return added, err
		}
		added = append(added, l)
	}
	return added, nil
}
