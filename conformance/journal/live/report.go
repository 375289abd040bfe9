package live

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/journal"
)

// Report judges the stored calls together by a suite. extent is [conformance.Beginning], or
// [conformance.All] after the last call.
func (l *Journal) Report(suite *conformance.Suite, extent conformance.Extent) *conformance.Report {
	l.mu.Lock()
	all := slices.Clone(l.kept)
	if l.gone > 0 {
		extent = conformance.Part
	}
	l.mu.Unlock()
	var history []conformance.Exchange
	var filed []conformance.FiledFinding
	var calls []*conformance.Exchange
	target := l.target
	for _, k := range all {
		x, asServer := k.seen(l)
		if suite != l.opts.Request {
			x = asServer
		}
		alone := x.Operation == "" || x.Intent == conformance.IntentPartly
		if x.Operation == "" && suite != l.opts.Request {
			continue
		}
		if alone {
			filed = append(filed, judgeAlone(suite, x)...)
		}
		if target == "" && x.Operation != "" {
			target = baseOf(x.Request.URL)
		}
		history, calls = append(history, *x), append(calls, x)
	}
	filed = append(filed, suite.JudgeTraffic(calls, extent)...)
	return journal.ReportFiled(suite, target, history, filed)
}

// baseOf returns the address before the operation's path, such as that of a sandbox.
func baseOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host + strings.TrimSuffix(path.Dir(u.Path), "/")
}

// judgeAlone judges a call that the rules about several calls skip: a call of no operation, or
// a partly recorded one. Since a report has verdicts by operation, a call of none is filed
// under the operation named in its path, or else under the first.
func judgeAlone(suite *conformance.Suite, x *conformance.Exchange) []conformance.FiledFinding {
	stray := *x
	if x.Operation == "" {
		x.Operation = suite.Operations[0]
		if u, err := url.Parse(x.Request.URL); err == nil {
			if op, _, is := suite.Match(x.Request.Method, u); is {
				x.Operation = op
			}
		}
		x.RecordedPartly()
	}
	var filed []conformance.FiledFinding
	for _, f := range suite.JudgeCall(&stray) {
		if f.Outcome == conformance.Pass {
			continue
		}
		if f.Op == "" {
			f.Op = x.Operation
		}
		filed = append(filed, f)
	}
	return filed
}
