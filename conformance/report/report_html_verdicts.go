package report

import (
	"fmt"
	"slices"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/cabrank/cabrank/conformance"
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

// Asked returns the requirement; for several checks, the common finding.
func (v verdict) Asked() string {
	for _, other := range v.Others {
		if other.ID != v.ID {
			return gistOf(v.Findings[0])
		}
	}
	return v.Rule.Requirement
}

// On lists the operations of a verdict and of those with the same message.
func (v verdict) On() string {
	ops := []string{string(v.Operation)}
	for _, other := range v.Others {
		if op := string(other.Operation); !slices.Contains(ops, op) {
			ops = append(ops, op)
		}
	}
	return strings.Join(ops, " ")
}

// judge prepares the cards of the causes and of other urgent verdicts, and all verdicts,
// grouped by operation and the worst first.
func (p *page) judge() {
	calls, scripts, cards := p.CallsByID(), map[string]string{}, map[string]string{}
	for i := range p.RunFile.Causes {
		card := p.cardOf(i, calls, scripts)
		if len(card.Results) > 0 {
			cards[anchor(card.Results[0].ID, string(card.Results[0].Operation))] = card.Anchor()
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

// rowsWith groups the verdicts of an outcome with the same message; for failures and warnings
// also across checks.
func rowsWith(results []conformance.Result, outcome conformance.Outcome) [][]conformance.Result {
	some := slices.DeleteFunc(conformance.ByWeight(results), func(r conformance.Result) bool { return r.Outcome != outcome })
	if outcome == conformance.Fail || outcome == conformance.Warn {
		return alikeAcross(folded(some))
	}
	return folded(some)
}

// mostCases is how many cases of one check are shown at the top of the page.
const mostCases = 2

// verdictOf prepares verdicts with the same message for several operations.
func (p *page) verdictOf(alike []conformance.Result, calls map[int]*conformance.Exchange) verdict {
	first := alike[0]
	v := verdict{Result: first, Rule: p.rules[first.ID], Anchor: anchor(first.ID, string(first.Operation)), IDs: idsOf(alike)}
	for _, f := range first.Findings {
		v.Cases = append(v.Cases, evidenceOf(p.RunFile, f, calls))
	}
	for _, r := range alike[1:] {
		v.Others = append(v.Others, verdict{Result: r, Anchor: anchor(r.ID, string(r.Operation))})
	}
	return v
}

// scriptFor writes the probe that shows a verdict as curl, up to the call that
// shows it.
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

// checks lists every verdict.
func (p *page) checks() g.Node {
	notPassed := h.Option(h.Value("!pass"), g.Text("not passed"))
	outcomes := []conformance.Outcome{conformance.Pass, conformance.Fail, conformance.Warn, conformance.Seen, conformance.NotVerified, conformance.Broken}
	return section("checks", "Every verdict",
		filter("id, words …", "search the checks", choice("outcome", "outcome", outcomes, notPassed),
			choice("level", "level", columns), choice("operation", "operation", p.Suite.Subjects())),
		h.Div(class("rows"), each(p.Verdicts, p.verdictRow)),
	)
}

func (p *page) verdictRow(v verdict) g.Node {
	space := g.Text(" ")
	return h.Details(class("row"), h.ID(v.Anchor), h.Data("outcome", string(v.Outcome)), h.Data("level", string(v.Level)), h.Data("operation", v.On()),
		h.Summary(g.Map(v.Others, func(other verdict) g.Node { return h.I(h.ID(other.Anchor)) }), pill(v.Outcome, v.Outcome), space, h.B(g.Text(v.IDs)), space,
			h.Span(class("tag"), text(v.Level)), space, h.Span(class("tag"), g.Text(v.On())), space, h.Span(class("text"), g.Text(v.Asked()))),
		h.Div(class("inside"), v.found(), p.why(v), h.P(h.A(to(v.Anchor), g.Text("#"+v.Anchor)))),
	)
}

// found shows the finding, or links to the card that shows it.
func (v verdict) found() g.Node {
	if v.First != "" {
		return h.P(h.A(to(v.First), g.Text("what was found, with the calls")))
	}
	return g.Group{
		g.If(v.Cause != 0, h.P(h.A(to(fmt.Sprint("cause-", v.Cause)), text("fails because of the ", ordinal(v.Cause), " cause")))),
		each(v.Cases, evidence.stated),
	}
}

// why explains the check of a verdict and names its evidence.
func (p *page) why(v verdict) g.Node {
	more := g.If(v.Evidence > 1, h.Small(text("and ", v.Evidence, " pieces of evidence in all")))
	return h.Dl(class("why"), term("Clause", g.Text(v.Rule.Clause)), term("Why it matters", g.Text(v.Rule.Why)), term("Hint", g.Text(v.Rule.Hint)),
		g.If(v.Rule.Tier != "", term("The "+p.Suite.UserName(), text(v.Rule.Tier))),
		g.If(len(v.ShownBy) > 0, term("Shown by", callLinks("call ", v.ShownBy), more)))
}
