package report

import (
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

// addClauseResults adds to the page the results by clause of the interface, and the observations on its open
// questions.
func (p *page) addClauseResults() {
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

// resultsOf returns one result for each check: the worst of its results.
func (p *page) resultsOf(ids []string) []conformance.Result {
	var found []conformance.Result
	for _, id := range ids {
		if r := conformance.WorstOf(p.Checks, id, ""); r.ID != "" {
			found = append(found, r)
		}
	}
	return found
}
