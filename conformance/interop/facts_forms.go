package interop

import (
	"slices"
	"strings"
	"unicode"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// taken requires that a dispatch system has accepted the forms in which a platform writes a
// member. A form that was refused in every call counts as not accepted.
func taken(op conformance.Operation, member string, formOf func(jsonvalue.Value) string) need {
	return func(p *pair) answer {
		sum := answer{is: unclear, why: "no " + member + " of the platform was seen in /" + string(op)}
		known := map[string]bool{}
		for _, x := range p.platform.of(op) {
			v := x.Sent().At(member)
			form := formOf(v)
			if form == "" || known[form] {
				continue
			}
			if len(known) == 0 {
				sum = answer{is: mute}
			}
			known[form] = true
			a := p.vendor.takes(op, member, form, formOf)
			a.seen = append(a.seen, p.platform.call(x, v, "%s %s", member, form))
			sum.worse(a)
		}
		return sum
	}
}

// takes returns whether calls with a member in one form were accepted.
func (r *run) takes(op conformance.Operation, member, form string, formOf func(jsonvalue.Value) string) answer {
	a := answer{is: unclear, why: "the vendor was not tried with " + member + " " + form}
	for _, x := range r.of(op) {
		v := x.Sent().At(member)
		if formOf(v) != form {
			continue
		}
		switch {
		case x.Succeeded() && x.Reply().IsObject():
			return answer{is: yes, seen: []Evidence{r.call(x, jsonvalue.Value{}, "takes %s %s", member, form)}}
		case x.RefusedCleanly() && x.Shown != conformance.CredsMissing && x.Shown != conformance.CredsWrong:
			a = answer{is: no, why: "the vendor refuses " + member + " " + form, seen: []Evidence{r.call(x, jsonvalue.Value{}, "refuses %s %s", member, form)}}
		}
	}
	return a
}

// numberForm returns the form of a telephone number.
func numberForm(v jsonvalue.Value) string {
	switch text := v.Text(); {
	case v.IsNumber():
		return "as a JSON number"
	case jsonvalue.Digits(text) == "":
		return ""
	case strings.HasPrefix(text, "+"):
		return "with a plus"
	case strings.HasPrefix(text, "0"):
		return "with a nought in front"
	}
	return "without a plus"
}

// timeForm returns the form of a time.
func timeForm(v jsonvalue.Value) string {
	text := v.Text()
	at := strings.IndexByte(text, 'T')
	switch {
	case v.IsNumber():
		return "as a number"
	case text == "":
		return ""
	case at < 0 || len(text) < len("2006-01-02T15:04"):
		return "in words"
	case strings.HasSuffix(text, "Z"):
		return "in UTC"
	case strings.ContainsAny(text[at:], "+-"):
		return "with an offset"
	}
	return "without a zone"
}

// toldTimes requires the times of a dispatch system to have the form with which platforms are
// tested.
func toldTimes(p *pair) answer {
	sum := answer{is: unclear, why: "no date was seen in a reply of the vendor's /status"}
	for _, x := range p.vendor.of(rules.OpStatus) {
		v := x.Reply().At("date")
		form := timeForm(v)
		if !x.Succeeded() || form == "" {
			continue
		}
		e := p.vendor.call(x, v, "a date %s", form)
		if form != "in UTC" {
			return answer{is: unclear, why: "the vendor tells dates " + form + ", and the platform was only tried with UTC", seen: []Evidence{e}}
		}
		if sum.is == unclear {
			sum = answer{is: yes, seen: []Evidence{e}}
		}
	}
	return sum
}

// oddIDs are the unusual forms of ids.
var oddIDs = []struct {
	form rules.IDForm
	is   func(string) bool
}{
	{rules.IDLeadingZeros, func(id string) bool { return len(id) > 1 && id[0] == '0' && jsonvalue.Digits(id) == id }},
	{rules.IDLong, func(id string) bool { return len(id) > 40 }},
	{rules.IDSigns, func(id string) bool { return strings.ContainsAny(id, "/?=&#% +") }},
	{rules.IDScript, func(id string) bool {
		return strings.ContainsFunc(id, func(r rune) bool { return r > unicode.MaxASCII })
	}},
	{rules.IDMixedCase, func(id string) bool { return strings.ToLower(id) != id }},
}

// verbatim requires a platform to send ids back unchanged that have the unusual forms of the
// dispatch system's ids.
func verbatim(p *pair) answer {
	sum := answer{is: unclear, why: "no id was seen of the vendor"}
	known := map[rules.IDForm]bool{}
	for _, x := range p.vendor.of(rules.OpBook) {
		v := x.Reply().At("journeyId")
		if !x.Succeeded() || !v.HasText() {
			continue
		}
		if sum.is == unclear && sum.seen == nil {
			sum = answer{is: yes, seen: []Evidence{p.vendor.call(x, v, "an id of %d characters", len(v.Text()))}}
		}
		for _, odd := range oddIDs {
			if odd.is(v.Text()) && !known[odd.form] {
				known[odd.form] = true
				a := p.platform.keeps(odd.form)
				a.seen = append(a.seen, p.vendor.call(x, v, "an id with %s", odd.form))
				sum.worse(a)
			}
		}
	}
	if len(known) == 0 && sum.is == yes {
		return all(func(*pair) answer { return sum }, plainIDs)(p)
	}
	return sum
}

// plainIDs requires a platform to send ordinary ids back unchanged.
func plainIDs(p *pair) answer {
	return p.platform.sendsBack("plain ids", rules.SceneStatus, rules.SceneCancellation)
}

// keeps requires ids of one unusual form to be sent back unchanged.
func (r *run) keeps(odd rules.IDForm) answer {
	return r.sendsBack("ids with "+string(odd), rules.SceneID(odd, rules.WantStatus), rules.SceneID(odd, rules.WantCancel))
}

// sendsBack wants ids of some kind, which scenes have, to come back as they were. Scenes may share an id,
// and then the calls of one may be filed under another.
func (r *run) sendsBack(what string, scenes ...conformance.ProbeName) answer {
	a := answer{is: unclear, why: "the platform was not tried with " + what}
	for _, x := range r.file.Calls {
		if !slices.Contains(scenes, x.Probe) || x.Operation != rules.OpStatus && x.Operation != rules.OpCancel {
			continue
		}
		t, v := r.probes[x.Probe], x.Sent().At("journeyId")
		switch {
		case t == nil || t.task == nil:
		case v.Text() != t.task.JourneyID:
			return answer{is: no, why: "the platform changes " + what, seen: []Evidence{r.call(x, v, "another id than it was told")}}
		case a.is != yes:
			a = answer{is: yes, seen: []Evidence{r.call(x, v, "%s: as it was told", what)}}
		}
	}
	return a
}
