package report

import (
	"fmt"

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
