package report

import (
	"slices"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

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

// transcripts shows probes as conversations; nothing if the suite has no transcript.
func (p *page) transcripts() g.Node {
	t := p.Suite.Transcript
	if t == nil {
		return nil
	}
	return section("transcripts", t.Title, g.If(t.Note != "", h.P(g.Text(t.Note))), numbered(p.Spoken, func(i int, s spoken) g.Node {
		return h.Details(class("spoken"), h.ID("transcript-"+anchor(string(s.Probe))), open(i < 2),
			h.Summary(h.B(text(s.Probe))), h.Ol(each(s.Lines, lineNode)))
	}))
}

func lineNode(l conformance.Line) g.Node {
	by := "stage"
	switch {
	case l.User:
		by = "user"
	case l.Who != "":
		by = "system"
	}
	return h.Li(class(by), g.If(l.Who != "", h.B(g.Text(l.Who))), h.Span(g.Text(l.Text)), g.Text(" "),
		g.If(l.Call != 0, callLink("", l.Call)), g.If(l.Note != "", h.Small(g.Text(l.Note))))
}
