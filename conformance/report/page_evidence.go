package report

import (
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// evidence is a finding with the call that it points into.
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
