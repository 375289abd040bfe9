package live

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/journal"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/conformance/redact"
)

// judge judges one half of each call by a suite: the request or the answer.
type judge struct {
	suite  *conformance.Suite
	about  string
	checks map[string]*conformance.Check // checks for findings, by id
}

func newJudge(suite *conformance.Suite, about string) judge {
	checks, known := indexes.Load(suite)
	if !known {
		checks, _ = indexes.LoadOrStore(suite, conformance.IndexChecks(suite.TrafficChecks()))
	}
	return judge{suite, about, checks.(map[string]*conformance.Check)}
}

// indexes are the checks by id of each *conformance.Suite that has judged: a program has few
// suites, and may have thousands of journals.
var indexes sync.Map

// ofCall returns the findings on a single call.
func (j judge) ofCall(x *conformance.Exchange) []conformance.CallFinding {
	return conformance.FindingsByCall(j.suite.JudgeCall(x), j.checks, j.about)[x.ID]
}

// together returns the findings on several calls together, by call id.
func (j judge) together(history []*conformance.Exchange, extent conformance.Extent) map[int][]conformance.CallFinding {
	return conformance.FindingsByCall(j.suite.JudgeTraffic(history, extent), j.checks, j.about)
}

// Verdict is the summary of the findings on one half of a call.
type Verdict string

// The verdicts: the worst finding decides.
const (
	OK   Verdict = "ok"
	Warn Verdict = "warn" // a finding of level "should"
	Fail Verdict = "fail" // a finding of level "must"
)

// verdictOn sums up the findings on one half.
func verdictOn(findings []conformance.CallFinding, about string) Verdict {
	v := OK
	for _, f := range findings {
		switch {
		case f.About != about:
		case f.Level == conformance.CallMust:
			return Fail
		case f.Level == conformance.CallShould:
			v = Warn
		}
	}
	return v
}

// same reports whether two findings on a call are equal.
func same(a, b conformance.CallFinding) bool {
	return a.Rule == b.Rule && a.About == b.About && a.Pointer == b.Pointer && conformance.WithoutDigits(a.Message) == conformance.WithoutDigits(b.Message)
}

// judgeInBetween judges calls in the background, as far as the rate limit allows.
func (l *Journal) judgeInBetween() {
	for {
		select {
		case <-l.done:
			return
		case <-l.wake:
			for l.judgeSome(1) > 0 && l.pace.AllowN(l.opts.Now(), 1) { // the caller has taken the token for the first
			}
		}
	}
}

// settle judges every ended call singly. Calls that end meanwhile may be judged later.
func (l *Journal) settle() {
	l.mu.Lock()
	newest := l.last
	l.mu.Unlock()
	for l.judgedUpTo() < newest {
		l.judgeSome(100)
	}
}

func (l *Journal) judgedUpTo() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.judged
}

// judgeSome judges up to n calls singly, the oldest first, and returns how many it
// judged.
func (l *Journal) judgeSome(n int) int {
	l.judging.Lock()
	defer l.judging.Unlock()
	l.mu.Lock()
	waiting := l.after(l.judged)
	waiting = slices.Clone(waiting[:min(n, len(waiting))])
	l.mu.Unlock()
	for _, k := range waiting {
		v := l.judge(k)
		l.mu.Lock()
		k.Findings, k.Phone, k.IDs, k.untold = v.findings, v.phone, v.ids, v.untold
		k.Sent, k.Answered = verdictOn(v.findings, conformance.AboutRequest), verdictOn(v.findings, conformance.AboutAnswer)
		k.isJudged = true
		if k.X.ID > l.cleared {
			l.counts.add(k)
		}
		l.judged = max(l.judged, k.X.ID)
		l.mu.Unlock()
	}
	return len(waiting)
}

// judgement is the result of judging a single call.
type judgement struct {
	findings []conformance.CallFinding
	phone    string
	ids      map[string]string
	untold   string // the id of the object that it made, if the caller did not receive it
}

// judge judges a single call, without changing it.
func (l *Journal) judge(k *Call) judgement {
	x := k.shownToRules()
	x.Read()
	v := judgement{phone: l.phoneOf(&x), ids: l.idsOf(&x)}
	if k.madeID != "" && v.ids[k.madeName] == "" {
		if v.ids == nil {
			v.ids = map[string]string{}
		}
		v.ids[k.madeName], v.untold = k.madeID, k.madeID
	}
	switch {
	case k.Partly && x.Operation != "" && !l.enough(&x):
		partly := x // the path, the method and the answer can still be judged
		partly.RecordedPartly()
		v.findings = l.requests.ofCall(&partly)
	case k.knew:
		v.findings = slices.Clone(k.early)
	default:
		v.findings = l.requests.ofCall(&x)
	}
	asServed := x
	if k.Partly && !l.enough(&x) || asServed.ErrKind == conformance.ErrHungUp {
		asServed.RecordedPartly()
	}
	v.findings = append(v.findings, l.answers.ofCall(&asServed)...)
	if f, slow := l.slow(k); slow {
		v.findings = append(v.findings, f)
	}
	return v
}

// mostPlain limits the decompressed bytes of a body: a compressed kilobyte may expand to a
// megabyte.
const mostPlain = usualBody

// Plain returns the call with decompressed bodies.
func (k *Call) Plain() conformance.Exchange {
	x := k.X
	decodeHalf := func(body conformance.Body, cut int, encoding string) (conformance.Body, int) {
		if encoding == "" {
			return body, cut
		}
		plain, known := journal.Decode(body, encoding, mostPlain)
		if !known {
			cut = max(cut, 1)
		}
		return plain, cut
	}
	x.Request.Body, x.Request.Cut = decodeHalf(x.Request.Body, x.Request.Cut, x.Request.Header.Get("Content-Encoding"))
	if x.Response != nil {
		own := *x.Response
		own.Body, own.Cut = decodeHalf(own.Body, own.Cut, own.Header.Get("Content-Encoding"))
		x.Response = &own
	}
	return x
}

// shownToRules returns the call for rules, with credentials in its URL hidden, since findings quote it.
func (k *Call) shownToRules() conformance.Exchange {
	x := k.Plain()
	x.Request.URL = redact.Address(x.Request.URL)
	return x
}

// enough reports whether a request can be judged although its handler did not read it to the end.
func (l *Journal) enough(x *conformance.Exchange) bool {
	return x.Sent().Present() || slices.Contains(l.opts.Request.Bodiless, x.Operation)
}

// slow returns a finding if the answer took long.
func (l *Journal) slow(k *Call) (conformance.CallFinding, bool) {
	c := l.answers.checks[l.answers.suite.Traffic.Slow]
	if c == nil || k.X.Took < slow {
		return conformance.CallFinding{}, false
	}
	took := k.X.Took.Round(time.Millisecond).String()
	return conformance.CallFinding{Rule: c.ID, Level: conformance.CallShould, About: conformance.AboutAnswer, Finding: conformance.Finding{
		Message: "the answer took long", Got: took, Expected: fmt.Sprintf("less than %s", slow), Clause: c.Clause, Hint: c.Hint,
	}}, true
}

// phoneOf returns the telephone number in a call, as digits; "": none.
func (l *Journal) phoneOf(x *conformance.Exchange) string {
	for _, name := range []string{"phoneNumber", "phone"} {
		if n := jsonvalue.Digits(x.Sent().At(name).Scalar()); n != "" {
			return strings.Clone(n) // a copy, since a substring would retain the whole body
		}
	}
	return ""
}

// idsOf returns the ids of a call: those in the request, or else in the answer.
func (l *Journal) idsOf(x *conformance.Exchange) map[string]string {
	var ids map[string]string
	for _, name := range l.opts.Request.IDs {
		id := x.Sent().At(name).Scalar()
		if id == "" {
			id = x.Reply().At(name).Scalar()
		}
		if id != "" {
			if ids == nil {
				ids = make(map[string]string, 2)
			}
			ids[name] = strings.Clone(jsonvalue.Clip(id, longestText))
		}
	}
	return ids
}

// longestText limits the stored texts that a caller chose, in bytes.
const longestText = 200
