package report

import (
	"slices"

	"github.com/cabrank/cabrank/conformance"
)

// scored are the levels that have a dial; the columns of the table are these and [conformance.Observed].
var (
	scored  = []conformance.Level{conformance.Must, conformance.Should, conformance.Robustness}
	columns = slices.Concat(scored, []conformance.Level{conformance.Observed})
)

// cellScore is a score that the page draws as a bar.
type cellScore struct {
	conformance.Score
	Seen, All int
}

// dial is the score of a level.
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

// offer is a tier, with its answer as an outcome.
type offer struct {
	conformance.TierScore
	Shown conformance.Outcome
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

// subjectTitle names the subject of verdicts: an operation by its path, and a span of
// several in the plural.
func subjectTitle(suite *conformance.Suite, op conformance.Operation) string {
	if slices.Contains(suite.Spanning, op) {
		return string(op) + "s"
	}
	return op.Path()
}

// offered shows the answer of a tier as an outcome.
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
