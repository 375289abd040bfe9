package report

import (
	"fmt"
	"slices"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/cabrank/cabrank/conformance"
)

// scored are the levels that have a dial; the columns of the table are these and [conformance.Observed].
var (
	scored  = []conformance.Level{conformance.Must, conformance.Should, conformance.Robustness}
	columns = slices.Concat(scored, []conformance.Level{conformance.Observed})
)

// operationRow is a row of the table of operations by level.
type operationRow struct {
	Operation conformance.Operation
	Cells     []cellScore
}

type cellScore struct {
	conformance.Score
	Seen, All int
}

type clauseRow struct {
	Clause string
	cellScore
	IDs []conformance.Result
}

// score fills in the tables of the summary.
func (p *page) score() {
	for _, op := range p.Suite.Subjects() {
		row := operationRow{Operation: op, Cells: make([]cellScore, len(columns))}
		for _, r := range p.Checks {
			if r.Operation == op {
				row.Cells[slices.Index(columns, r.Level)].add(r)
			}
		}
		p.Table = append(p.Table, row)
	}
	clauses := map[string]int{}
	for _, r := range p.Checks {
		clause := p.rules[r.ID].Clause
		at, known := clauses[clause]
		if !known {
			at = len(p.Clauses)
			clauses[clause] = at
			p.Clauses = append(p.Clauses, clauseRow{Clause: clause})
		}
		row := &p.Clauses[at]
		row.add(r)
		row.IDs = append(row.IDs, r)
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

// summary shows the run by operation, tier and clause.
func (p *page) summary() g.Node {
	return section("summary", "Summary",
		h.Div(class("columns"), h.Div(p.byOperation(), p.untested(), list(g.Text("Not tried"), notTried(&p.Report), item)), h.Div(p.tiers(), p.preflight())),
		g.If(!p.Interrupted, list(g.Text("Cannot be shown"), p.Unshown, unshown)),
		p.leftovers(),
		list(g.Text("Stale entries of the baseline"), p.Stale, item),
		h.Details(h.Summary(h.B(g.Text("By clause"))), h.Div(class("clauses"), each(p.Clauses, clauseRow.node))),
	)
}

func (p *page) byOperation() g.Node {
	legend := func(o conformance.Outcome, meaning string) g.Node {
		return h.Span(class(o), text(glyphs[o], " ", meaning))
	}
	return g.Group{
		h.H3(g.Text("By operation")),
		h.Table(class("grid"),
			h.THead(h.Tr(h.Th(), g.Map(columns, func(l conformance.Level) g.Node { return h.Th(text(l)) }))),
			h.TBody(each(p.Table, func(row operationRow) g.Node {
				return h.Tr(h.Th(h.A(to("checks"), h.Data("filter-operation", string(row.Operation)), g.Text(subjectTitle(p.Suite, row.Operation)))),
					g.Map(row.Cells, cellScore.node))
			}))),
		h.P(class("legend"), legend(conformance.Pass, "passed"), legend(conformance.Fail, "failed"), legend(conformance.Warn, "warning"),
			legend(conformance.Seen, "observed"), legend(conformance.NotVerified, "not verified, never counted as passed")),
	}
}

func (c cellScore) node() g.Node {
	if c.All == 0 {
		return h.Td()
	}
	right := fmt.Sprint(c.Pass, " ", glyphs[conformance.Pass])
	if c.Seen != 0 {
		right = fmt.Sprint(c.Seen, " ", glyphs[conformance.Seen])
	}
	return h.Td(bar(c.Score, c.Seen), h.Small(counted(conformance.Fail, c.Fail, glyphs[conformance.Fail]), counted(conformance.Warn, c.Warn, glyphs[conformance.Warn]),
		g.Text(right), g.If(c.NotVerified != 0, text(" · ", c.NotVerified, " ", glyphs[conformance.NotVerified]))))
}

func (c clauseRow) node() g.Node {
	return h.Details(h.Summary(bar(c.Score, c.Seen), g.Text(" "+c.Clause)), h.P(chips(c.IDs)))
}

func (p *page) untested() g.Node {
	return list(g.Group{h.ID("untested"), g.Text("MUSTs that were not tested")}, p.Untested,
		func(l untestedLine) g.Node { return h.Li(chips(l.Verdicts), g.Text(l.Why)) })
}

func unshown(gap conformance.Gap) g.Node {
	return h.Li(h.A(to(anchor(gap.ID, string(gap.Operation))), g.Text(gap.ID)), text(" on ", gap.Operation, ": ", gap.Why))
}

func (p *page) tiers() g.Node {
	return list(text("The ", p.Suite.UserName(), " …"), p.Tiers, func(t conformance.TierScore) g.Node {
		shown := p.offered(t)
		return h.Li(class(shown), h.Span(class("g"), g.Text(glyphs[shown])), g.Text(" "),
			h.Span(text(t.Tier), g.If(t.Answer == conformance.TierFaulty, g.Text(", with faults")), g.If(t.Claimed, g.Group{g.Text(" "), h.Em(g.Text("claimed"))})))
	}, class("tiers"))
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

func (p *page) preflight() g.Node {
	return list(g.Text("Before the run"), p.Preflight, func(s conformance.Step) g.Node {
		outcome := map[bool]conformance.Outcome{true: conformance.Pass, false: conformance.Fail}[s.OK]
		return h.Li(class(outcome), h.B(g.Text(s.Name)), g.Text(" "+s.Detail), g.If(s.Cure != "", g.Group{h.Br(), h.Em(g.Text(stepCure(s)))}))
	}, class("steps"))
}

func (p *page) leftovers() g.Node {
	return g.If(len(p.Leftovers) > 0, g.Group{
		h.H3(g.Text("Left over")), h.P(g.Text("The run made these and could not cancel them; please cancel them yourself.")),
		h.Ul(each(p.Leftovers, func(l conformance.Leftover) g.Node {
			return h.Li(text(p.Suite.ThingName(), " "), h.Code(g.Text(l.ID)), g.If(l.UserID != "", g.Group{g.Text(" of user "), h.Code(g.Text(l.UserID))}), g.Text(": "+l.Reason))
		})),
	})
}
