package report

import (
	"fmt"
	"slices"

	"github.com/cabrank/cabrank/conformance"
)

// scored are the levels that have a dial; the columns of the table are these and [conformance.Observed].
var (
	scored  = []conformance.Level{conformance.Must, conformance.Should, conformance.Robustness}
	columns = slices.Concat(scored, []conformance.Level{conformance.Observed})
)

// cellScore is a score that the page shows as a bar.
type cellScore struct {
	conformance.Score
	Seen, All int
}

// dial is the score of a level, as the page shows it.
type dial struct {
	Level conformance.Level
	cellScore
}

// operationRow is a row of the table of operations by level.
type operationRow struct {
	Operation conformance.Operation
	Title     string
	Cells     []cellScore
}

type clauseRow struct {
	Clause string
	cellScore
	IDs []conformance.Result
}

// offer is a tier of the report; Shown is the outcome that stands for its answer.
type offer struct {
	conformance.TierScore
	Shown conformance.Outcome
}

// hurtRow lists the failures that have one harm and count.
type hurtRow struct {
	Harm   conformance.Harm
	Failed []conformance.Result
}

// Hurts groups the failures that count by the harm that they do.
func (p *page) Hurts() (rows []hurtRow) {
	for _, h := range p.Suite.Harms {
		row := hurtRow{Harm: h.Harm}
		for _, r := range p.Checks {
			if r.Harm == h.Harm && r.Counts() {
				row.Failed = append(row.Failed, r)
			}
		}
		if row.Failed != nil {
			rows = append(rows, row)
		}
	}
	return rows
}

// gravesOf lists the grave harms of a suite.
func gravesOf(s *conformance.Suite) string {
	var all []string
	for _, h := range s.Harms {
		if h.Grave {
			all = append(all, string(h.Harm))
		}
	}
	return conformance.WordList(all)
}

// score fills in the tables of the summary.
func (p *page) score() {
	for _, l := range scored {
		s := p.Summary.Levels[l]
		p.Dials = append(p.Dials, dial{l, cellScore{Score: s, All: s.Pass + s.Fail + s.Warn + s.NotVerified + s.Known}})
	}
	for _, op := range p.Suite.Subjects() {
		row := operationRow{Operation: op, Title: subjectTitle(p.Suite, op), Cells: make([]cellScore, len(columns))}
		for _, r := range p.Checks {
			if r.Operation == op {
				row.Cells[slices.Index(columns, r.Level)].add(r)
			}
		}
		p.Table = append(p.Table, row)
	}
	for _, r := range p.Checks {
		clause := p.rules[r.ID].Clause
		at := slices.IndexFunc(p.Clauses, func(row clauseRow) bool { return row.Clause == clause })
		if at < 0 {
			at = len(p.Clauses)
			p.Clauses = append(p.Clauses, clauseRow{Clause: clause})
		}
		p.Clauses[at].add(r)
		p.Clauses[at].IDs = append(p.Clauses[at].IDs, r)
	}
	for _, t := range p.Tiers {
		p.Offers = append(p.Offers, offer{t, p.offered(t)})
	}
}

func (c *cellScore) add(r conformance.Result) {
	c.Count(r)
	c.All++
	if r.Outcome == conformance.Seen {
		c.Seen++
	}
}

// subjectTitle returns the title for what a verdict is about: an operation's path, or the plural of a span
// of operations.
func subjectTitle(suite *conformance.Suite, op conformance.Operation) string {
	if slices.Contains(suite.Spanning, op) {
		return string(op) + "s"
	}
	return op.Path()
}

// offered returns the outcome that stands for the answer of a tier.
func (p *page) offered(t conformance.TierScore) conformance.Outcome {
	switch {
	case t.Answer == conformance.TierYes && !p.Interrupted:
		return conformance.Pass
	case t.Broken() || t.Answer == conformance.TierNo:
		return conformance.Fail
	case t.Answer == conformance.TierFaulty:
		return conformance.Warn
	}
	return conformance.NotVerified
}

// causeCard is a cause with its consequences and the evidence of the most informative verdict.
type causeCard struct {
	conformance.Cause
	N       int // from 1
	Level   conformance.Level
	Harm    string // whom its verdicts hurt
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

// cardOf returns the card of the i-th cause. calls are the calls by id; scripts keeps the scripts already
// written.
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
	card.Harm = harmsOf(p.Suite, card.Results)
	card.Level, card.Head, card.Note = levelOf(card.Results), idsOf(card.Results), excuseOf(card.Results)
	card.Rule, card.Script = p.rules[first.ID], p.scriptFor(first, calls, scripts)
	shown := evidenceOf(p.RunFile, first.Findings[0], calls)
	card.Case = &shown
	return card
}
