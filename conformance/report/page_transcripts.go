package report

import (
	"slices"

	"github.com/cabrank/cabrank/conformance"
)

// spoken is a probe as a conversation.
type spoken struct {
	Probe conformance.ProbeName
	Lines []conformance.Line
}

// recorded replaces the name of a probe for traffic of other clients.
const recorded = "recorded traffic"

// speak chooses the probes to show as conversations.
func (p *page) speak() {
	if p.Suite.Transcript == nil {
		return
	}
	for _, calls := range p.CallsByProbe() {
		name := calls[0].Probe
		if name != "" && !slices.Contains(p.Suite.Shown, name) {
			continue
		}
		if name == "" {
			const most = 60
			name, calls = recorded, calls[:min(len(calls), most)]
		}
		if lines := p.Suite.Transcript.Lines(calls); len(lines) > 0 {
			p.Spoken = append(p.Spoken, spoken{name, lines})
		}
	}
	slices.SortStableFunc(p.Spoken, func(a, b spoken) int {
		return slices.Index(p.Suite.Shown, a.Probe) - slices.Index(p.Suite.Shown, b.Probe)
	})
}
