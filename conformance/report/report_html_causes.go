package report

import (
	"fmt"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/cabrank/cabrank/conformance"
)

// causeCard is a cause with its consequences and the evidence of the most informative verdict.
type causeCard struct {
	conformance.Cause
	N       int // from 1
	Level   conformance.Level
	Head    string // which checks: "CAN-01, JRN-02, 3 more"
	Note    string // why it does not count; "": it counts
	Results []conformance.Result
	Behind  []conformance.Result // verdicts that it hides
	Rule    conformance.Check    // check of the most informative verdict
	Case    *evidence
	Script  string // the calls as curl
}

// Anchor returns the id of the card's element.
func (c causeCard) Anchor() string { return fmt.Sprintf("cause-%d", c.N) }

// cardOf makes the card of a cause.
func (p *page) cardOf(i int, calls map[int]*conformance.Exchange, scripts map[string]string) causeCard {
	c := p.RunFile.Causes[i]
	card := causeCard{Cause: c, N: i + 1, Results: resultsOf(&p.Report, c), Head: subject(c.Operation)}
	hidden := map[string]bool{}
	for _, name := range c.Hidden {
		hidden[name] = true
	}
	for _, r := range p.Checks {
		if hidden[r.Name()] {
			card.Behind = append(card.Behind, r)
		}
	}
	if len(card.Results) == 0 {
		return card
	}
	first := card.Results[0]
	card.Level, card.Head, card.Note = levelOf(card.Results), idsOf(card.Results), excuseOf(card.Results)
	card.Rule, card.Script = p.rules[first.ID], p.scriptFor(first, calls, scripts)
	shown := evidenceOf(p.RunFile, first.Findings[0], calls)
	card.Case = &shown
	return card
}

// first shows the section of causes and urgent verdicts; nothing if there are none.
func (p *page) first() g.Node {
	caused, more := len(p.Causes) > 0, len(p.Urgent) > 0
	heading := "What to look at"
	if caused {
		heading = "What is wrong"
	}
	return g.If(caused || more, section("first", heading,
		numbered(p.Causes, func(i int, c causeCard) g.Node { return c.node(i == 0) }),
		g.If(caused && more, h.H3(g.Text("What else to look at"))),
		numbered(p.Urgent, func(i int, v verdict) g.Node { return v.card(i == 0 && !caused) }),
	))
}

func (c causeCard) node(opened bool) g.Node {
	classes, note := "case fail", ""
	if c.Note != "" {
		classes, note = "case fail excused", " · "+c.Note
	}
	return h.Details(class(classes), h.ID(c.Anchor()), open(opened),
		cardHead(pill(conformance.Fail, c.Head), text(c.Level, note), c.Message, cureOf(c.Cause), g.If(c.Reach() != "", h.Span(class("reach"), g.Text(c.Reach())))),
		h.Dl(class("why"), c.firstSeen(), g.If(c.Rule.ID != "", whyAsked(c.Rule))),
		g.Iff(c.Case != nil, func() g.Node { return c.Case.shown() }),
		g.If(len(c.Results) > 0, h.P(class("chips"), g.Text("Fails because of it: "), chipsOn(c.Results))),
		g.If(len(c.Behind) > 0, h.Details(class("behind"), h.Summary(text("hides ", len(c.Behind), " more")), h.P(class("chips"), chipsOn(c.Behind)))),
		curl(c.Script),
	)
}

// firstSeen links to the deciding call of a cause, or to the first call that shows it.
func (c causeCard) firstSeen() g.Node {
	switch {
	case c.Deciding != nil:
		return term("Sent", text(c.Deciding, " · "), callLink("call ", c.Deciding.Call))
	case c.Call != 0:
		return term("First seen", callLink("call ", c.Call))
	}
	return nil
}

// card shows a verdict without a cause.
func (v verdict) card(opened bool) g.Node {
	note := ""
	if v.Known != nil {
		note = fmt.Sprintf(" · known: %s, until %s", v.Known.Owner, v.Known.Until.Format("2 January 2006"))
	}
	if v.Unscored {
		note += " · not scored"
	}
	return h.Details(class("case ", v.Outcome), h.ID("first-"+v.Anchor), open(opened),
		cardHead(pill(v.Outcome, v.IDs), text(v.Level, " · ", v.On(), note), v.Gist, v.Rule.Hint),
		h.Dl(class("why"), whyAsked(v.Rule)),
		each(v.Cases, evidence.shown),
		curl(v.Script),
	)
}

// cardHead is the visible part of a closed card.
func cardHead(pill, note g.Node, gist, fix string, more ...g.Node) g.Node {
	return h.Summary(h.Span(class("top"), pill, g.Text(" "), h.Small(note)), h.Span(class("gist"), g.Text(gist)),
		g.If(fix != "", h.Span(class("fix"), h.B(g.Text("Fix")), g.Text(" "+fix))), g.Group(more))
}

func whyAsked(c conformance.Check) g.Node {
	return g.Group{term("Asked", g.Text(c.Requirement+" "), h.Small(g.Text(c.Clause))), term("Why it matters", g.Text(c.Why))}
}
