package live

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/journal"
	"github.com/cabrank/cabrank/conformance/report"
)

// Summary is the report as JSON: what was found since the journal was cleared last.
type Summary struct {
	Calls    int             `json:"calls"`    // judged
	Kept     int             `json:"kept"`     // of them
	Unjudged int             `json:"unjudged"` // calls that made room before they were judged
	Verdicts map[Verdict]int `json:"verdicts"` // on what was sent
	Answers  map[Verdict]int `json:"answerVerdicts"`
	Rules    []RuleCount     `json:"rules"` // the gravest first
}

// RuleCount is how many calls a rule found something about.
type RuleCount struct {
	Rule        string `json:"rule"`
	Level       string `json:"level"`
	About       string `json:"about"`
	Calls       int    `json:"calls"`
	Requirement string `json:"requirement"`
	Clause      string `json:"clause"`
	Hint        string `json:"hint"`
	Examples    []int  `json:"examples"` // ids of kept calls, the newest last
}

// report is GET /report: a summary of every rule, or with as= the kept calls judged anew
// by a suite as JUnit, HTML or a summary in Markdown, or all of them as HAR. Numbers in all
// but JSON are pseudonyms.
func (l *Journal) report(w http.ResponseWriter, r *http.Request) error {
	as, masked, err := exportOf(r.URL.Query(), true, "json", "junit", "html", "markdown", "har")
	if err != nil {
		return err
	}
	suite, err := l.suite(r.URL.Query().Get("suite"))
	if err != nil {
		return err
	}
	seen, err := onlySeen(r.URL.Query(), as)
	if err != nil {
		return err
	}
	l.ended(r.Context())
	l.settleAll()
	if as == "json" {
		return succeed(w, l.summary())
	}
	l.mu.Lock()
	all := slices.Clone(l.kept)
	l.mu.Unlock()
	var b bytes.Buffer
	kind := "application/xml"
	switch as {
	case "har":
		kind, err = "application/json", report.WriteCallsHAR(&b, l.shown(all, masked), l.opts.Version, masked)
	case "junit":
		err = report.WriteJUnit(&b, l.runFile(suite, all, seen))
	case "markdown":
		kind, err = "text/markdown; charset=utf-8", report.WriteMarkdown(&b, l.runFile(suite, all, seen))
	case "html":
		kind, err = "text/html; charset=utf-8", report.WriteHTML(&b, l.runFile(suite, all, seen))
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'")
	}
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(b.Bytes()) // a caller who has gone needs no answer
	return nil
}

// onlySeen reads the parameter that leaves out checks, in a form that lists checks.
func onlySeen(q url.Values, as string) (bool, error) {
	const name = "onlySeen"
	if !q.Has(name) {
		return false, nil
	}
	if as == "json" || as == "har" {
		return false, wrongField(name, "unknown", "goes with as=html, junit or markdown")
	}
	return yes(name, q.Get(name))
}

// suite is one of the two by its name, "" that of callers.
func (l *Journal) suite(name string) (*conformance.Suite, error) {
	for _, s := range []*conformance.Suite{l.opts.Request, l.opts.Answer} {
		if name == "" || s.Name == name {
			return s, nil
		}
	}
	return nil, wrongField("suite", "range", "is %q, want %s or %s", clipped(name), l.opts.Request.Name, l.opts.Answer.Name)
}

// runFile judges calls by a suite: by the rules of calls together, which weigh what traffic
// shows as the verdicts do. With onlySeen checks of which the calls show nothing are left out.
func (l *Journal) runFile(suite *conformance.Suite, all []*kept, onlySeen bool) *conformance.RunFile {
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
	l.mu.Lock()
	whole := l.gone == 0
	l.mu.Unlock()
	filed = append(filed, suite.JudgeTraffic(calls, whole)...)
	judged := journal.ReportFiled(suite, target, history, filed)
	if onlySeen {
		judged.Checks = slices.DeleteFunc(judged.Checks, func(r conformance.Result) bool { return r.Outcome == conformance.NotVerified })
	}
	return conformance.NewRunFile(judged, l.opts.Version)
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

func (l *Journal) summary() Summary {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := Summary{
		Calls: l.counts.judged, Kept: len(l.kept), Unjudged: l.unjudged, Rules: []RuleCount{},
		Verdicts: verdictCounts(l.counts.sent), Answers: verdictCounts(l.counts.answered),
	}
	for key, n := range l.counts.rules {
		if n == 0 {
			continue
		}
		c := l.requests.checks[key.Rule]
		if key.About == aboutAnswer {
			c = l.answers.checks[key.Rule]
		}
		s.Rules = append(s.Rules, RuleCount{
			Rule: key.Rule, Level: key.Level, About: key.About, Calls: n,
			Requirement: c.Requirement, Clause: c.Clause, Hint: c.Hint, Examples: l.examples(key),
		})
	}
	slices.SortFunc(s.Rules, func(a, b RuleCount) int {
		return cmp.Or(weightOf(a.Level)-weightOf(b.Level), cmp.Compare(b.About, a.About), cmp.Compare(a.Rule, b.Rule))
	})
	return s
}

func verdictCounts(by map[Verdict]int) map[Verdict]int {
	return map[Verdict]int{OK: by[OK], Warn: by[Warn], Fail: by[Fail]}
}

func weightOf(level string) int {
	return slices.Index([]string{conformance.CallMust, conformance.CallShould, conformance.CallNote}, level)
}

// examples are the newest kept calls of which a rule said something; mu is held.
func (l *Journal) examples(key ruleKey) []int {
	const most = 5
	ids := []int{}
	for _, k := range slices.Backward(l.kept) {
		if len(ids) == most {
			break
		}
		if slices.ContainsFunc(k.findings, func(f conformance.CallFinding) bool {
			return f.Rule == key.Rule && f.About == key.About && f.Level == key.Level
		}) {
			ids = append(ids, k.x.ID)
		}
	}
	slices.Reverse(ids)
	return ids
}
