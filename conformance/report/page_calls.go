package report

import (
	"fmt"
	"slices"
	"time"

	"github.com/cabrank/cabrank/conformance"
)

// shownCall is a call with the verdicts for which it is evidence.
type shownCall struct {
	*conformance.Exchange
	At       time.Duration // since the run began
	Worst    conformance.Outcome
	Verdicts []conformance.Result // those other than plain passes
	Bare     bool                 // its bodies are only in the run file
	Sent     shownText
	Reply    shownText
}

// mostBodies limits the bodies of the calls on a page, in bytes: nobody reads thousands of
// them, and the run file has them all.
const mostBodies = 400 << 10

// showCalls lists every call. Bodies are included, up to a limit, of calls that are evidence for anything
// but a plain pass and of probes that the suite wants shown; in a short run, of all calls.
func (p *page) showCalls(verdicts map[int][]conformance.Result, worst map[int]conformance.Outcome) {
	spent := 0
	for _, x := range p.Calls {
		notable := slices.DeleteFunc(slices.Clone(verdicts[x.ID]), func(r conformance.Result) bool { return r.Outcome == conformance.Pass })
		s := shownCall{Exchange: x, At: x.Started.Sub(p.Started).Round(10 * time.Microsecond), Worst: worst[x.ID], Verdicts: notable, Bare: true}
		if len(notable) > 0 || slices.Contains(p.Suite.Shown, x.Probe) || len(p.Calls) <= fewCalls {
			s = showCall(p.RunFile, x, notable, worst[x.ID])
			if spent += s.Sent.size() + s.Reply.size(); spent > mostBodies {
				s.Bare = true
			}
		}
		if s.Bare {
			p.Left++
		}
		p.Shown = append(p.Shown, s)
	}
}

// fewCalls is the number of calls up to which a run is shown with all bodies, up to their limit.
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

// Milliseconds returns how long a call took, such as "1.5 ms".
func (s shownCall) Milliseconds() string {
	return fmt.Sprintf("%.1f ms", float64(s.Took.Microseconds())/1000)
}

// spoken is a probe shown as a conversation.
type spoken struct {
	Probe conformance.ProbeName
	Lines []conformance.Line
}

// recorded is shown in place of a probe's name for traffic of other clients.
const recorded = "recorded traffic"

// addConversations adds the conversations to the page: of the probes that the suite wants shown, and of recorded
// traffic.
func (p *page) addConversations() {
	if p.Suite.Transcript == nil {
		return
	}
	for _, calls := range p.CallsByProbe() {
		name := calls[0].Probe
		if name != "" && !slices.Contains(p.Suite.Shown, name) {
			continue
		}
		if name == "" {
			const most = 60
			name, calls = recorded, calls[:min(len(calls), most)]
		}
		if lines := p.Suite.Transcript.Lines(calls); len(lines) > 0 {
			p.Spoken = append(p.Spoken, spoken{name, lines})
		}
	}
	slices.SortStableFunc(p.Spoken, func(a, b spoken) int {
		return slices.Index(p.Suite.Shown, a.Probe) - slices.Index(p.Suite.Shown, b.Probe)
	})
}
