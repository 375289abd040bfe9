package interop

import (
	"fmt"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// pair is the two runs.
type pair struct{ vendor, platform *run }

// run is one of them, read for its evidence.
type run struct {
	side   Side
	file   *conformance.RunFile
	probes map[conformance.ProbeName]*told
	order  []conformance.ProbeName // in which they were asked for
}

// told is a platform's report on one customer request.
type told struct {
	task                *rules.Task
	answer              *rules.Answer
	failed, unsupported bool
	note                int // id of the observation
}

func newRun(side Side, f *conformance.RunFile) *run {
	r := &run{side: side, file: f, probes: map[conformance.ProbeName]*told{}}
	for _, x := range f.Calls {
		x.Read()
	}
	for _, o := range f.Observations {
		if r.probes[o.Probe] == nil {
			r.probes[o.Probe] = &told{}
			r.order = append(r.order, o.Probe)
		}
		r.probes[o.Probe].take(o)
	}
	return r
}

// scene is the first request of a scene; nil: it was not played.
func (r *run) scene(name conformance.ProbeName) *told {
	if t := r.probes[name]; t != nil {
		return t
	}
	return r.probes[rules.SceneRequest(name, 1, 2)]
}

// take records one observation.
func (t *told) take(o conformance.Observation) {
	said := rules.ToldBy(o)
	if said.Task != nil {
		t.task = said.Task
		return
	}
	t.note = o.ID
	if said.Answer != nil {
		t.answer = said.Answer
	}
	t.failed = t.failed || said.Failed != ""
	t.unsupported = t.unsupported || said.Unsupported
}

// of returns the calls of an operation that have an answer or, of a platform, arrived.
func (r *run) of(op conformance.Operation) []*conformance.Exchange {
	var all []*conformance.Exchange
	for _, x := range r.file.Calls {
		if x.Operation == op && x.Intent != conformance.IntentPartly && x.Intent != conformance.IntentPlainHTTP && x.Intent != rules.IntentStray {
			all = append(all, x)
		}
	}
	return all
}

// verdicts returns the verdicts on "BOK-34", or on one operation of them, "W-01@book".
func (r *run) verdicts(name string) []conformance.Result {
	id, op, one := strings.Cut(name, "@")
	var all []conformance.Result
	for _, v := range r.file.Checks {
		if v.ID == id && (!one || string(v.Operation) == op) {
			all = append(all, v)
		}
	}
	return all
}

// longest is how many characters of a run's texts are quoted.
const longest = 160

// call is evidence of one call, and of a place in its body.
func (r *run) call(x *conformance.Exchange, v jsonvalue.Value, form string, args ...any) Evidence {
	return Evidence{Side: r.side, Call: x.ID, Pointer: jsonvalue.Clip(v.Pointer(), longest), Says: jsonvalue.Clip(fmt.Sprintf(form, args...), longest)}
}

// heard is evidence of what a platform told of a request.
func (r *run) heard(t *told, form string, args ...any) Evidence {
	return Evidence{Side: r.side, Observation: t.note, Says: jsonvalue.Clip(fmt.Sprintf(form, args...), longest)}
}

// evidence returns the evidence of a verdict.
func (r *run) evidence(v conformance.Result) Evidence {
	e := Evidence{Side: r.side, Check: v.Name(), Outcome: v.Outcome}
	if n := len(v.ShownBy); n > 0 {
		e.Call = v.ShownBy[n-1]
	}
	if len(v.Findings) == 0 {
		return e
	}
	f := v.Findings[0]
	if n := len(f.Exchanges); n > 0 {
		e.Call = f.Exchanges[n-1]
	}
	if n := len(f.Observations); n > 0 {
		e.Observation = f.Observations[n-1]
	}
	e.Pointer, e.Says = jsonvalue.Clip(f.Pointer, longest), jsonvalue.Clip(f.Message, longest)
	return e
}
