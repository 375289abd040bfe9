package live

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/journal"
)

// RunFile judges the calls that are kept by a suite: by the rules of calls together, which weigh
// what traffic shows as the verdicts do. With onlySeen checks of which the calls show nothing are
// left out. version is that of the program.
func (l *Journal) RunFile(suite *conformance.Suite, onlySeen bool, version string) *conformance.RunFile {
	l.mu.Lock()
	all, extent := slices.Clone(l.kept), l.extent()
	l.mu.Unlock()
	var history []conformance.Exchange
	var filed []conformance.FiledFinding
	var calls []*conformance.Exchange
	target := ""
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
	judged := journal.ReportFiled(suite, target, history, filed)
	if onlySeen {
		judged.Checks = slices.DeleteFunc(judged.Checks, func(r conformance.Result) bool { return r.Outcome == conformance.NotVerified })
	}
	return conformance.NewRunFile(judged, version)
}

// baseOf is the address that an operation is below, such as that of a sandbox.
func baseOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host + strings.TrimSuffix(path.Dir(u.Path), "/")
}

// judgeAlone judges a call that rules about several leave alone: one of no operation, or
// one that is known in part. A report has verdicts by operation, so that a call of none is
// filed under the one whose name its path has, or else under the first.
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
