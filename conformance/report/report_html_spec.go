package report

import (
	"fmt"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/cabrank/cabrank/conformance"
)

// specSection is a section of the interface with the result for each clause.
type specSection struct {
	Section string
	Rows    []specRow
}

type specRow struct {
	conformance.Clause
	Outcome  conformance.Outcome // "": nothing tests it
	Verdicts []conformance.Result
	Open     *conformance.Ambiguity
}

// openRow is a question that the interface leaves open, with the observations.
type openRow struct {
	conformance.Ambiguity
	Seen     []string
	Verdicts []conformance.Result
}

// specify lists the results of the run by clause of the interface.
func (p *page) specify() {
	for _, c := range p.Suite.Clauses {
		if len(p.Spec) == 0 || p.Spec[len(p.Spec)-1].Section != c.Section {
			p.Spec = append(p.Spec, specSection{Section: c.Section})
		}
		section := &p.Spec[len(p.Spec)-1]
		section.Rows = append(section.Rows, p.specRow(c))
	}
	for _, a := range p.Suite.Ambiguities {
		row := openRow{Ambiguity: a, Verdicts: p.resultsOf(a.Checks)}
		for _, r := range row.Verdicts {
			for _, f := range r.Findings {
				if f.Outcome == conformance.Seen || f.Outcome == conformance.Warn {
					row.Seen = append(row.Seen, f.Message)
				}
			}
		}
		p.Open = append(p.Open, row)
	}
}

func (p *page) specRow(c conformance.Clause) specRow {
	row := specRow{Clause: c, Outcome: conformance.NotVerified, Verdicts: p.resultsOf(c.Checks)}
	if c.Excluded != "" {
		row.Outcome = ""
	}
	for _, r := range row.Verdicts {
		if conformance.Severity[r.Outcome] > conformance.Severity[row.Outcome] {
			row.Outcome = r.Outcome
		}
	}
	for i, a := range p.Suite.Ambiguities {
		if a.ID == c.Ambiguity {
			row.Open = &p.Suite.Ambiguities[i]
		}
	}
	return row
}

// resultsOf returns one result for each check: the worst of its operations.
func (p *page) resultsOf(ids []string) []conformance.Result {
	var found []conformance.Result
	for _, id := range ids {
		if r := conformance.WorstOf(p.Checks, id, ""); r.ID != "" {
			found = append(found, r)
		}
	}
	return found
}

// specification shows the clauses of the interface and its open questions.
func (p *page) specification() g.Node {
	return section("specification", "The specification, clause by clause",
		each(p.Spec, specSection.node),
		h.H3(h.ID("open"), g.Text("What the interface leaves open")),
		h.P(g.Text("Every reading is accepted; what this server does is recorded.")),
		h.Table(class("spec"), h.TBody(each(p.Open, openRow.node))),
	)
}

func (s specSection) node() g.Node {
	id := "spec-" + anchor(s.Section)
	return g.Group{h.H3(h.ID(id), g.Text(s.Section)), h.Table(class("spec"), h.TBody(numbered(s.Rows, func(i int, row specRow) g.Node {
		state, shown := "tested", pill(row.Outcome, row.Outcome)
		if row.Excluded != "" {
			state, shown = "excluded", h.Span(class("pill plain"), g.Text("left out"))
		}
		return h.Tr(h.ID(fmt.Sprint(id, "-", i)), class(state), h.Td(class("state"), shown),
			h.Td(g.Text(row.Text), g.If(row.Excluded != "", remark(g.Text(row.Excluded))), g.Iff(row.Open != nil, row.open)), h.Td(class("chips"), chips(row.Verdicts)))
	})))}
}

func (r specRow) open() g.Node {
	return remark(g.Text("open: "), h.A(to("open-"+r.Open.ID), g.Text(r.Open.ID)), g.Text(" "+r.Open.Question))
}

func (r openRow) node() g.Node {
	seen := func(s string) g.Node { return g.Group{h.Br(), h.Span(class("observed"), g.Text("◦ "+s))} }
	return h.Tr(h.ID("open-"+r.ID), h.Td(class("state"), h.B(g.Text(r.ID))),
		h.Td(g.Text(r.Question), remark(g.Text(r.Accepted)), each(r.Seen, seen)), h.Td(class("chips"), chips(r.Verdicts)))
}

// remark is small text on its own line.
func remark(content ...g.Node) g.Node { return g.Group{h.Br(), h.Small(content...)} }
