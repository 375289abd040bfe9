package conformance

// specSection is a section of the interface with what became of each clause.
type specSection struct {
	Section string
	Rows    []specRow
}

type specRow struct {
	Clause
	State    string // "tested", "excluded" or "open"
	Outcome  Outcome
	Verdicts []Result
	Open     *Ambiguity
}

// openRow is a question that the interface leaves open, and what was seen.
type openRow struct {
	Ambiguity
	Seen     []string
	Verdicts []Result
}

// specify holds the run against the interface, clause by clause.
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
				if f.Outcome == Seen || f.Outcome == Warn {
					row.Seen = append(row.Seen, f.Message)
				}
			}
		}
		p.Open = append(p.Open, row)
	}
}

func (p *page) specRow(c Clause) specRow {
	row := specRow{Clause: c, State: "tested", Outcome: NotVerified, Verdicts: p.resultsOf(c.Checks)}
	if c.Excluded != "" {
		row.State, row.Outcome = "excluded", ""
	}
	for _, r := range row.Verdicts {
		if severity[r.Outcome] > severity[row.Outcome] {
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
func (p *page) resultsOf(ids []string) []Result {
	var found []Result
	for _, id := range ids {
		if r := worstOf(p.Checks, id, ""); r.ID != "" {
			found = append(found, r)
		}
	}
	return found
}
