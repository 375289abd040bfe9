package report

import (
	"fmt"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// evidence is a finding with the call that it points into.
type evidence struct {
	conformance.Finding
	Call  *conformance.Exchange
	Heard []conformance.Observation
	Sent  escaped
	Reply escaped
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

// stated shows a finding with its message and its evidence.
func (e evidence) stated() g.Node {
	return g.Group{
		h.P(class("found ", e.Outcome), g.Text(messageOf(e.Finding)), g.If(e.Count > 1, g.Group{g.Text(" "), h.Small(text("(", e.Count, " times)"))})),
		e.shown(),
	}
}

// shown shows the evidence of a finding: the expected and the actual value, and the call.
func (e evidence) shown() g.Node {
	return h.Div(class("finding ", e.Outcome),
		each(e.Heard, func(o conformance.Observation) g.Node { return h.P(text("observed ", o)) }),
		g.If(e.Expected != "" || e.Got != "", h.Dl(class("diff"),
			h.Dt(g.Text("expected")), h.Dd(class("want"), g.Text(e.Expected)), h.Dt(g.Text("got")), h.Dd(class("got"), g.Text(e.Got)),
			g.If(len(e.Exchanges) > 1, term("calls", callLinks("", e.Exchanges))))),
		g.Iff(e.Call != nil, e.pair),
	)
}

func (e evidence) pair() g.Node {
	answered := "answered"
	if e.Call.Response != nil {
		answered = fmt.Sprint("answered ", e.Call.Response.Status)
	}
	return h.Div(class("pair"),
		h.Div(h.H4(g.Text("sent, "), callLink("call ", e.Call.ID), text(" ", e.Call.Request.Method, " ", e.Call.Operation.Path())), h.Pre(class("json"), e.Sent)),
		h.Div(h.H4(g.Text(answered)), h.Pre(class("json"), e.Reply)))
}

// curl shows a script below a heading that opens it.
func curl(script string) g.Node {
	return g.If(script != "", h.Details(class("curl"), h.Summary(g.Text("The calls up to here, as curl")),
		h.Button(class("copy"), h.Type("button"), g.Text("copy")), h.Pre(g.Text(script))))
}
