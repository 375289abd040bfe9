// Package journal judges recorded traffic by the rules of a suite. Package live records the
// calls of a handler or of a proxy, and judges them while a server runs.
package journal

import (
	"errors"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/redact"
)

// ReportOn judges calls of other clients by the rules of a suite and returns a report. target is the
// server's base address, for the reader.
func ReportOn(suite *conformance.Suite, target string, history []conformance.Exchange) *conformance.Report {
	calls := make([]*conformance.Exchange, len(history))
	for i := range history {
		calls[i] = &history[i]
	}
	return ReportFiled(suite, target, history, suite.JudgeTraffic(calls, conformance.All))
}

// ReportFiled is like [ReportOn], with findings that the rules have already filed.
func ReportFiled(suite *conformance.Suite, target string, history []conformance.Exchange, filed []conformance.FiledFinding) *conformance.Report {
	rep := &conformance.Report{Suite: suite, Checks: suite.Conclude(filed, conformance.Unseen), Target: target, Traffic: true, Leftovers: []conformance.Leftover{}}
	for i := range history {
		history[i].Read()
		rep.Exchanges = append(rep.Exchanges, &history[i])
	}
	if len(history) > 0 {
		rep.Started = history[0].Started
		rep.Duration = history[len(history)-1].Ended().Sub(rep.Started)
	}
	if suite.Traffic.Unshown != nil {
		rep.Unshown = suite.Traffic.Unshown(suite, rep.Exchanges, rep.Checks)
	}
	hidden := redact.NewPseudonyms(suite, nil).Redactor(rep.Exchanges)
	hidden.Results(rep.Checks)
	rep.Target, rep.Hide = hidden.URL(target), hidden.Exchange
	rep.Explain()
	rep.Score(conformance.Scoring{}, rep.Started)
	return rep
}

// Decode decompresses a body, up to most bytes, so that it can be judged. known is false if the whole body
// cannot be known: the encoding is not supported, or the result is too long. A body that is not encoded as
// its header says is returned unchanged, since its recipient cannot decode it either.
func Decode(body []byte, encoding string, most int) (plain []byte, known bool) {
	plain, err := conformance.Unpack(encoding, body, most)
	switch {
	case errors.Is(err, conformance.ErrEncoding):
		return body, len(body) == 0
	case err != nil:
		return body, true
	case len(plain) > most:
		return plain[:most], false
	}
	return plain, true
}
