package live

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/journal"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/conformance/redact"
)

// judge judges one half of each call by a suite: what was sent, or what was answered.
type judge struct {
	suite  *conformance.Suite
	about  string
	checks map[string]*conformance.Check // that findings may be filed under
}

func newJudge(suite *conformance.Suite, about string) judge {
	return judge{suite, about, conformance.IndexChecks(suite.TrafficChecks())}
}

// ofCall finds what a call shows by itself.
func (j judge) ofCall(x *conformance.Exchange) []conformance.CallFinding {
	return conformance.FindingsByCall(j.suite.JudgeCall(x), j.checks, j.about)[x.ID]
}

// together finds what calls show together, by the ids of calls.
func (j judge) together(history []*conformance.Exchange, extent conformance.Extent) map[int][]conformance.CallFinding {
	return conformance.FindingsByCall(j.suite.JudgeTraffic(history, extent), j.checks, j.about)
}

// Verdict is what the findings on one half of a call come to.
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

// same reports two findings that say the same of a call.
func same(a, b conformance.CallFinding) bool {
	return a.Rule == b.Rule && a.About == b.About && a.Pointer == b.Pointer && conformance.WithoutDigits(a.Message) == conformance.WithoutDigits(b.Message)
}

// judgeInBetween judges calls while nobody asks, as far as the pace allows.
func (l *Journal) judgeInBetween() {
	for {
		select {
		case <-l.done:
			return
		case <-l.wake:
			if l.opts.File != nil {
				l.settle()
				continue
			}
			for l.judgeSome(1) > 0 && l.pace.AllowN(l.opts.Now(), 1) { // whoever woke us has paid for the first
			}
		}
	}
}

// settle judges every call that has ended by itself. Those that end meanwhile may wait.
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

// judgeSome judges up to n calls by themselves, the oldest first, and returns how many
// there were.
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
		l.file(k)
	}
	return len(waiting)
}

// judgement is what is known of a call once it is judged by itself.
type judgement struct {
	findings []conformance.CallFinding
	phone    string
	ids      map[string]string
	untold   string // the id of what it made, which nobody told the caller
}

// judge judges a call by itself. It only reads it.
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
		partly := x // its path, its method and the answer tell something all the same
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

// mostPlain is how much is read of a body that is compressed, in bytes: a kilobyte may stand for
// a megabyte.
const mostPlain = usualBody

// Plain returns the call with its bodies as whoever gets them reads them.
func (k *Call) Plain() conformance.Exchange {
	x := k.X
	decodeHalf := func(body conformance.Body, cut int, encoding string) (conformance.Body, int) {
		if encoding == "" {
			return body, cut
		}
		plain, known := journal.DecodeUpTo(body, encoding, mostPlain)
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

// shownToRules is the call as rules see it, whose findings quote its address.
func (k *Call) shownToRules() conformance.Exchange {
	x := k.Plain()
	x.Request.URL = redact.Address(x.Request.URL)
	return x
}

// enough reports a request that its handler had no need to read further.
func (l *Journal) enough(x *conformance.Exchange) bool {
	return x.Sent().Present() || slices.Contains(l.opts.Request.Bodiless, x.Operation)
}

// slow says of an answer that it took long.
func (l *Journal) slow(k *Call) (conformance.CallFinding, bool) {
	c := l.answers.checks[l.answers.suite.Traffic.Slow]
	if c == nil || k.X.Took < l.opts.Slow {
		return conformance.CallFinding{}, false
	}
	took := k.X.Took.Round(time.Millisecond).String()
	return conformance.CallFinding{Rule: c.ID, Level: conformance.CallShould, About: conformance.AboutAnswer, Finding: conformance.Finding{
		Message: "the answer took long", Got: took, Expected: fmt.Sprintf("less than %s", l.opts.Slow), Clause: c.Clause, Hint: c.Hint,
	}}, true
}

// phoneOf is the telephone number that a call is about, as digits; "": it names none.
func (l *Journal) phoneOf(x *conformance.Exchange) string {
	for _, name := range []string{"phoneNumber", "phone"} {
		if n := jsonvalue.Digits(x.Sent().At(name).Scalar()); n != "" {
			return strings.Clone(n) // a part of the body's text would keep all of it
		}
	}
	return ""
}

// idsOf are the ids that a call is about: those that were sent, or else answered.
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

// longestText is how much is kept of what a caller chose and everybody may ask for.
const longestText = 200
