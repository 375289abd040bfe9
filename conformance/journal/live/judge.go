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

// Judge is how one half of each call is judged: what was sent, or what was answered.
// Suite and OfCall are required. Its functions are pure and change no call.
type Judge struct {
	Suite  *conformance.Suite
	Checks []conformance.Check // that findings may be filed under; nil: those of the suite

	// OfCall applies the rules that need no other call. Timed are the operations for which
	// it looks at when the call was made.
	OfCall func(*conformance.Exchange) []conformance.FiledFinding
	Timed  []conformance.Operation

	// Together applies the rules to calls in the order in which they ended. whole is true
	// when nothing was before them. nil: calls are judged by themselves only.
	Together func(history []*conformance.Exchange, whole bool) []conformance.FiledFinding
}

// checks finds those under which findings may be filed.
func (j *Judge) checks() []conformance.Check {
	if j.Checks != nil {
		return j.Checks
	}
	return j.Suite.Checks
}

// Verdict is what the findings on one half of a call come to.
type Verdict string

// The verdicts: the worst finding decides.
const (
	OK   Verdict = "ok"
	Warn Verdict = "warn" // a finding of level "should"
	Fail Verdict = "fail" // a finding of level "must"
)

var worse = map[Verdict]int{"": 0, OK: 1, Warn: 2, Fail: 3}

// The levels of findings.
const (
	levelMust   = "must"
	levelShould = "should"
	levelNote   = "note" // changes no verdict
)

// The halves of a call.
const (
	aboutRequest = "request"
	aboutAnswer  = "answer"
)

// Finding is what a rule says of a call.
type Finding struct {
	Rule     string `json:"rule"`  // the id of its check
	Level    string `json:"level"` // "must", "should" or "note"
	About    string `json:"about"` // "request" or "answer"
	Message  string `json:"message"`
	Pointer  string `json:"pointer,omitzero"` // JSON Pointer into the body that it is about
	Expected string `json:"expected,omitzero"`
	Got      string `json:"got,omitzero"`
	Clause   string `json:"clause,omitzero"` // where the interface asks for it
	Hint     string `json:"hint,omitzero"`   // what to change
	Calls    []int  `json:"calls,omitzero"`  // ids of the calls that show it together; none: this one does
}

// levelOf weighs what was found under a check. Only a MUST of the interface that was
// failed is one; "" means that it is nothing to tell of one call.
func levelOf(c *conformance.Check, o conformance.Outcome) string {
	switch {
	case o == conformance.Fail && c.Level == conformance.Must:
		return levelMust
	case o == conformance.Fail && c.Level != conformance.Observed, o == conformance.Warn:
		return levelShould
	case o == conformance.Fail, o == conformance.Seen:
		return levelNote
	}
	return ""
}

// verdictOn sums up the findings on one half.
func verdictOn(findings []Finding, about string) Verdict {
	v := OK
	for _, f := range findings {
		switch {
		case f.About != about:
		case f.Level == levelMust:
			return Fail
		case f.Level == levelShould:
			v = Warn
		}
	}
	return v
}

// told is what filed findings say of the half of a call, by the call's id.
func told(filed []conformance.FiledFinding, checks map[string]*conformance.Check, about string) map[int][]Finding {
	by := map[int][]Finding{}
	for _, f := range filed {
		c := checks[f.Check]
		if c == nil || len(f.Exchanges) == 0 {
			continue
		}
		level := levelOf(c, f.Outcome)
		if level == "" {
			continue
		}
		own := Finding{
			Rule: f.Check, Level: level, About: about, Message: f.Message, Pointer: f.Pointer,
			Expected: f.Expected, Got: f.Got, Clause: c.Clause, Hint: f.Hint,
		}
		if own.Hint == "" && level != levelNote {
			own.Hint = c.Hint
		}
		if len(f.Exchanges) > 1 {
			own.Calls = slices.Clone(f.Exchanges)
		}
		id := f.Exchanges[len(f.Exchanges)-1]
		by[id] = append(by[id], own)
	}
	return by
}

// same reports two findings that say the same of a call.
func same(a, b Finding) bool {
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
		k.findings, k.phone, k.ids, k.untold = v.findings, v.phone, v.ids, v.untold
		k.sent, k.answered = verdictOn(v.findings, aboutRequest), verdictOn(v.findings, aboutAnswer)
		k.isJudged = true
		if k.x.ID > l.cleared {
			l.counts.add(k)
		}
		l.judged = max(l.judged, k.x.ID)
		l.mu.Unlock()
		l.file(k)
	}
	return len(waiting)
}

// judgement is what is known of a call once it is judged by itself.
type judgement struct {
	findings []Finding
	phone    string
	ids      map[string]string
	untold   string // the id of what it made, which nobody told the caller
}

// judge judges a call by itself. It only reads it.
func (l *Journal) judge(k *kept) judgement {
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
	case k.partly && x.Operation != "" && !l.enough(&x):
		partly := x // its path, its method and the answer tell something all the same
		partly.RecordedPartly()
		v.findings = l.early.judge(&partly)
	case k.knew:
		v.findings = slices.Clone(k.early)
	default:
		v.findings = l.early.judge(&x)
	}
	asServed := x
	if k.partly && !l.enough(&x) || asServed.ErrKind == conformance.ErrHungUp {
		asServed.RecordedPartly()
	}
	byID := told(l.opts.Answer.OfCall(&asServed), l.answers, aboutAnswer)
	v.findings = append(v.findings, byID[x.ID]...)
	if f, slow := l.slow(k); slow {
		v.findings = append(v.findings, f)
	}
	return v
}

// mostPlain is how much is read of a body that is compressed, in bytes: a kilobyte may stand for
// a megabyte.
const mostPlain = usualBody

// plain is the call with its bodies as whoever gets them reads them.
func (k *kept) plain() conformance.Exchange {
	x := k.x
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
func (k *kept) shownToRules() conformance.Exchange {
	x := k.plain()
	x.Request.URL = redact.Address(x.Request.URL)
	return x
}

// enough reports a request that its handler had no need to read further.
func (l *Journal) enough(x *conformance.Exchange) bool {
	return x.Sent().Present() || slices.Contains(l.opts.Request.Suite.Bodiless, x.Operation)
}

// slow says of an answer that it took long.
func (l *Journal) slow(k *kept) (Finding, bool) {
	c := l.answers[l.opts.SlowCheck]
	if c == nil || k.x.Took < l.opts.Slow {
		return Finding{}, false
	}
	took := k.x.Took.Round(time.Millisecond).String()
	return Finding{
		Rule: c.ID, Level: levelShould, About: aboutAnswer, Message: "the answer took long", Got: took,
		Expected: fmt.Sprintf("less than %s", l.opts.Slow), Clause: c.Clause, Hint: c.Hint,
	}, true
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
	for _, name := range l.opts.Request.Suite.IDs {
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
