package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// verdict is a result with the data to show it.
type verdict struct {
	conformance.Result
	Rule   conformance.Check
	Anchor string
	Cases  []evidence
	Script string    // the probe as curl
	Others []verdict // with the same message for other operations
	Gist   string    // the finding, in one line
	First  string    // the anchor of the card with the evidence; "": this one
	IDs    string    // ids of the verdict and of those with the same message
}

// Asked returns the requirement of the verdict's check, or the common finding if there are verdicts on
// several checks.
func (v verdict) Asked() string {
	for _, other := range v.Others {
		if other.ID != v.ID {
			return gistOf(v.Findings[0])
		}
	}
	return v.Rule.Requirement
}

// On lists the operations of a verdict and of the other verdicts with the same message.
func (v verdict) On() string {
	ops := []string{string(v.Operation)}
	for _, other := range v.Others {
		if op := string(other.Operation); !slices.Contains(ops, op) {
			ops = append(ops, op)
		}
	}
	return strings.Join(ops, " ")
}

// judge adds to the page the cards of the causes, those of other urgent verdicts, and all verdicts by
// outcome, the worst first.
func (p *page) judge() {
	calls, scripts, cards := p.CallsByID(), map[string]string{}, map[string]string{}
	for i := range p.RunFile.Causes {
		card := p.cardOf(i, calls, scripts)
		if len(card.Results) > 0 {
			cards[anchor(card.Results[0].ID, card.Results[0].Operation)] = card.Anchor()
		}
		p.Causes = append(p.Causes, card)
	}
	for _, alike := range faultsOf(&p.Report) {
		v := p.verdictOf(alike, calls)
		v.Script = p.scriptFor(alike[0], calls, scripts)
		if v.Cases = v.Cases[:min(len(v.Cases), mostCases)]; len(alike[0].Findings) > 0 {
			v.Gist = gistOf(alike[0].Findings[0])
		}
		cards[v.Anchor] = "first-" + v.Anchor
		p.Urgent = append(p.Urgent, v)
	}
	order := []conformance.Outcome{conformance.Fail, conformance.Broken, conformance.Flaky, conformance.Warn, conformance.Seen, conformance.NotVerified, conformance.Pass}
	for _, outcome := range order {
		for _, alike := range rowsWith(p.Checks, outcome) {
			v := p.verdictOf(alike, calls)
			if first := cards[v.Anchor]; first != "" {
				v.First, v.Cases = first, nil
			}
			p.Verdicts = append(p.Verdicts, v)
		}
	}
	if len(p.Preflight) > 0 && len(p.Only) == 0 && !p.Interrupted {
		p.Untested = untestedMusts(&p.Report)
	}
}

// rowsWith returns the verdicts with an outcome, grouped by message; failures and warnings also across
// checks.
func rowsWith(results []conformance.Result, outcome conformance.Outcome) [][]conformance.Result {
	some := slices.DeleteFunc(conformance.ByWeight(results), func(r conformance.Result) bool { return r.Outcome != outcome })
	if outcome == conformance.Fail || outcome == conformance.Warn {
		return alikeAcross(groupByMessage(some))
	}
	return groupByMessage(some)
}

// mostCases is how many findings of one check are shown at the top of the page.
const mostCases = 2

// verdictOf makes one verdict of the page from verdicts with the same message for several operations.
func (p *page) verdictOf(alike []conformance.Result, calls map[int]*conformance.Exchange) verdict {
	first := alike[0]
	v := verdict{Result: first, Rule: p.rules[first.ID], Anchor: anchor(first.ID, first.Operation), IDs: idsOf(alike)}
	for _, f := range first.Findings {
		v.Cases = append(v.Cases, evidenceOf(p.RunFile, f, calls))
	}
	for _, r := range alike[1:] {
		v.Others = append(v.Others, verdict{Result: r, Anchor: anchor(r.ID, r.Operation)})
	}
	return v
}

// scriptFor returns the calls of a probe up to the one that shows a verdict, as a curl script; "": no call
// shows it. It keeps the script in done.
func (p *page) scriptFor(r conformance.Result, calls map[int]*conformance.Exchange, done map[string]string) string {
	if len(r.ShownBy) == 0 {
		return ""
	}
	at := calls[r.ShownBy[len(r.ShownBy)-1]]
	if at == nil {
		return ""
	}
	key := fmt.Sprint(at.ID)
	if done[key] == "" {
		const most = 30
		calls := p.CallsUpTo(at)
		done[key] = curlScript(p.Suite, p.Target, calls[max(0, len(calls)-most):])
	}
	return done[key]
}

// evidence is a finding with the call that the finding points into.
type evidence struct {
	conformance.Finding
	Call  *conformance.Exchange
	Heard []conformance.Observation
	Sent  shownText
	Reply shownText
}

func evidenceOf(run *conformance.RunFile, f conformance.Finding, calls map[int]*conformance.Exchange) evidence {
	e := evidence{Finding: f, Heard: run.Observed(f)}
	if len(f.Exchanges) == 0 {
		return e
	}
	e.Call = calls[f.Exchanges[len(f.Exchanges)-1]]
	if e.Call == nil {
		return e
	}
	e.Sent = shownBody(e.Call.Request.Body, e.Call.Request.Cut, true)
	if e.Call.Response != nil {
		e.Reply = shownBody(e.Call.Response.Body, e.Call.Response.Cut, true, pin{f.Pointer, f.Outcome, "← here"}) // the fault is described above
	}
	return e
}

func pinOf(f conformance.Finding, id string) pin {
	label := strings.TrimSpace(id + " " + string(f.Outcome))
	if f.Expected != "" {
		label = strings.TrimSpace(id + " expected " + f.Expected)
		if f.Got != "" && f.Got[0] != '{' && f.Got[0] != '[' { // a container is shown beside it
			label += " · got " + jsonvalue.Clip(f.Got, 80)
		}
	}
	return pin{f.Pointer, f.Outcome, label}
}
