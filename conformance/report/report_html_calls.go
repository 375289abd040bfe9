package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/cabrank/cabrank/conformance"
)

// shownCall is a call with the verdicts for which it is evidence.
type shownCall struct {
	*conformance.Exchange
	At       time.Duration // since the run began
	Worst    conformance.Outcome
	Verdicts []conformance.Result // those other than plain passes
	Bare     bool                 // its bodies are only in the run file
	Sent     escaped
	Reply    escaped
}

// mostBodies limits the bodies of the calls on a page, in bytes: nobody reads thousands of
// them, and the run file has them all.
const mostBodies = 400 << 10

// showCalls lists every call. While there is room, it includes the bodies of calls that are
// evidence for anything but a plain pass, or belong to a probe worth reading.
func (p *page) showCalls(verdicts map[int][]conformance.Result, worst map[int]conformance.Outcome) {
	spent := 0
	for _, x := range p.Calls {
		notable := slices.DeleteFunc(slices.Clone(verdicts[x.ID]), func(r conformance.Result) bool { return r.Outcome == conformance.Pass })
		s := shownCall{Exchange: x, At: x.Started.Sub(p.Started).Round(10 * time.Microsecond), Worst: worst[x.ID], Verdicts: notable, Bare: true}
		if len(notable) > 0 || slices.Contains(p.Suite.Shown, x.Probe) || len(p.Calls) <= fewCalls {
			s = showCall(p.RunFile, x, notable, worst[x.ID])
			if spent += len(s.Sent) + len(s.Reply); spent > mostBodies {
				s.Bare = true
			}
		}
		if s.Bare {
			p.Left++
		}
		p.Shown = append(p.Shown, s)
	}
}

// fewCalls are shown with all their bodies, while there is room.
const fewCalls = 150

func showCall(f *conformance.RunFile, x *conformance.Exchange, verdicts []conformance.Result, worst conformance.Outcome) shownCall {
	s := shownCall{Exchange: x, At: x.Started.Sub(f.Started).Round(10 * time.Microsecond), Worst: worst, Verdicts: verdicts}
	slices.SortStableFunc(s.Verdicts, func(a, b conformance.Result) int {
		return conformance.Severity[b.Outcome] - conformance.Severity[a.Outcome]
	})
	var pins []pin
	for _, r := range verdicts {
		for _, finding := range r.Findings {
			last := len(finding.Exchanges) - 1
			if last >= 0 && finding.Exchanges[last] == x.ID && finding.Pointer != "" {
				pins = append(pins, pinOf(finding, r.ID))
			}
		}
	}
	s.Sent = shownBody(x.Request.Body, x.Request.Cut, false)
	if x.Response != nil {
		s.Reply = shownBody(x.Response.Body, x.Response.Cut, false, pins...)
	}
	return s
}

// calls lists every call.
func (p *page) calls() g.Node {
	outcomes := []conformance.Outcome{conformance.Pass, conformance.Fail, conformance.Warn, conformance.Seen}
	return section("calls", "Every call",
		h.P(g.Text("Telephone numbers and credentials are pseudonyms: a number has the same pseudonym everywhere, which starts with 9s and ends in its last three digits.")),
		g.If(p.Left != 0, h.P(text(p.Left, " calls are listed without their bodies, which are in the run file: "), h.Code(g.Text("cabrank report RUN --call N")),
			g.Text(", of a run with "), h.Code(g.Text("--out RUN")), g.Text("."))),
		filter("probe, operation, id of a check …", "search the calls", choice("outcome", "verdict", outcomes)),
		h.Div(class("rows"), each(p.Shown, shownCall.node)),
	)
}

func (s shownCall) node() g.Node {
	space, code, took := g.Text(" "), "none", h.Span(class("ms"), g.Text(fmt.Sprintf("%.1f ms", float64(s.Took.Microseconds())/1000)))
	if s.Code() != 0 {
		code = fmt.Sprint(s.Code())
	}
	known := g.Group{class("row call"), h.ID(fmt.Sprint("call-", s.ID)), h.Data("outcome", string(s.Worst))}
	head := g.Group{h.Span(class("num"), text(s.ID)), space, h.Span(class("code c", s.Code()), g.Text(code)), space}
	if s.Bare {
		return h.P(known, head, h.B(g.Text(s.Operation.Path())), space, h.I(text(s.Probe)), space, took)
	}
	path := s.Operation.Path()
	if s.Request.Method != "POST" {
		path = s.Request.Method + " " + path
	}
	return h.Details(known, h.Summary(head, h.B(g.Text(path)), space, h.Span(class("tag"), text(s.Probe)),
		g.If(s.Intent != "", g.Group{space, h.Span(class("tag odd"), text(s.Intent))}), space, took, space, h.Span(class("chips"), chips(s.Verdicts))), s.inside())
}

// inside shows the request and the answer.
func (s shownCall) inside() g.Node {
	answered := "answered"
	if s.Code() != 0 {
		answered = fmt.Sprint("answered ", s.Code())
	}
	return h.Div(class("inside"),
		h.P(h.Small(text(s.Request.Method, " ", s.Request.URL, " · ", s.At, " after the start")), g.If(s.Err != "", g.Group{h.Br(), h.B(class("fail"), text("no answer: ", s.Err))})),
		h.Div(class("pair"), h.Div(h.H4(g.Text("sent")), h.Pre(class("json"), s.Sent)), h.Div(h.H4(g.Text(answered)), g.Iff(s.Response != nil, s.answer))))
}

func (s shownCall) answer() g.Node {
	var headers strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s.Response.Header)) {
		fmt.Fprintf(&headers, "%s: %s\n", name, conformance.WordList(s.Response.Header[name]))
	}
	return g.Group{h.Pre(class("json"), s.Reply), h.Details(class("heads"), h.Summary(g.Text("headers")), h.Pre(g.Text(headers.String())))}
}
