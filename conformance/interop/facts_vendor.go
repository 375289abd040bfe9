package interop

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// tells requires that a dispatch system has sent a member of a journey, such as
// "driver.phoneNumber", in one of several statuses; none: in any.
func tells(member string, statuses ...string) need {
	return func(p *pair) answer {
		where := "in any reply of /status"
		if len(statuses) > 0 {
			where = "at " + strings.Join(statuses, " or ")
		}
		a := answer{is: unclear, why: "no journey " + where + " was seen of the vendor"}
		for _, x := range p.vendor.of(rules.OpStatus) {
			if !x.Succeeded() || len(statuses) > 0 && !slices.Contains(statuses, x.Reply().At("status").Text()) {
				continue
			}
			v := below(x.Reply(), member)
			if v.IsNumber() || v.HasText() {
				return answer{is: yes, seen: []Evidence{p.vendor.call(x, v, "%s is told %s", member, where)}}
			}
			if a.is = lacks; a.seen == nil {
				a.why = "no " + member + " " + where
				a.seen = []Evidence{p.vendor.call(x, v, "no %s", member)}
			}
		}
		return a
	}
}

// below follows a path of members.
func below(v jsonvalue.Value, path string) jsonvalue.Value {
	for name := range strings.SplitSeq(path, ".") {
		v = v.At(name)
	}
	return v
}

// says requires that a dispatch system has sent a setting in data of /config or /user.
func says(member string, is func(jsonvalue.Value) bool) need {
	return func(p *pair) answer {
		a := answer{is: unclear, why: "no reply of /config was seen of the vendor"}
		for _, op := range []conformance.Operation{rules.OpConfig, rules.OpUser} {
			for _, x := range p.vendor.of(op) {
				if !x.Succeeded() {
					continue
				}
				v := x.Reply().At("data").At(member)
				if is(v) {
					return answer{is: yes, seen: []Evidence{p.vendor.call(x, v, "/%s tells %s", op, member)}}
				}
				if a.seen == nil {
					a = answer{is: lacks, why: "the vendor never tells " + member, seen: []Evidence{p.vendor.call(x, v, "no %s", member)}}
				}
			}
		}
		return a
	}
}

func isTrue(v jsonvalue.Value) bool { return v.Raw() == true }
func isList(v jsonvalue.Value) bool { return v.IsArray() }

// knowsAs requires that a dispatch system has sent a user's status.
func knowsAs(status string) need {
	return func(p *pair) answer {
		a := answer{is: unclear, why: "no user who is " + status + " was seen of the vendor"}
		for _, x := range p.vendor.of(rules.OpUser) {
			if v := x.Reply().At("status"); x.Succeeded() && v.Text() == status {
				return answer{is: yes, seen: []Evidence{p.vendor.call(x, v, "a user is %s", status)}}
			}
		}
		if found := p.vendor.verdicts("USR-14"); len(found) > 0 && found[0].Outcome == conformance.Fail {
			a = answer{is: lacks, why: "the vendor never tells that a user is " + status, seen: []Evidence{p.vendor.evidence(found[0])}}
		}
		return a
	}
}

// codes wants what a platform was seen to do with each refusal of the kind that a
// dispatch system was seen to give.
func codes(p *pair) answer {
	sum := answer{is: mute}
	known := map[conformance.ProbeName]bool{}
	for _, op := range rules.Operations() {
		for _, x := range p.vendor.of(op) {
			code := x.Code()
			scene := rules.SceneRefusal(code, op)
			if code < 400 || known[scene] || code == http.StatusTooManyRequests || code == http.StatusMethodNotAllowed {
				continue
			}
			known[scene] = true
			t := p.platform.scene(scene)
			if t == nil || !t.failed && t.answer == nil {
				continue // a code that the platform was not shown says nothing
			}
			a := answer{is: yes, seen: []Evidence{p.vendor.call(x, jsonvalue.Value{}, "answers %d", code), p.platform.heard(t, "goes on after %s", scene)}}
			if t.failed {
				a.is, a.why = no, "the vendor answers "+string(scene)+", and the platform fails at it"
				a.seen[1] = p.platform.heard(t, "fails at %s", scene)
			}
			sum.worse(a)
		}
	}
	if sum.is == mute {
		sum = answer{is: unclear, why: "no refusal of the vendor was tried on the platform"}
	}
	return sum
}

// newcomer wants the answer to an unknown number to be one that the platform was tried
// with.
func newcomer(p *pair) answer {
	for _, x := range p.vendor.of(rules.OpUser) {
		if x.Intent != "unknown-phone" || x.Response == nil {
			continue
		}
		seen := []Evidence{p.vendor.call(x, jsonvalue.Value{}, "an unknown number is answered %d", x.Code())}
		if x.Code() == http.StatusNotFound {
			return answer{is: yes, seen: seen}
		}
		return answer{is: unclear, seen: seen, why: fmt.Sprintf("the vendor answers %d to an unknown number, and the platform was only tried with 404", x.Code())}
	}
	return answer{is: unclear, why: "no unknown number was tried on the vendor"}
}

// bookedWith wants the code of a served /book to be 200, which is what platforms are
// tried with.
func bookedWith(p *pair) answer {
	for _, x := range p.vendor.of(rules.OpBook) {
		if x.Succeeded() && x.Code() != http.StatusOK {
			return answer{
				is: unclear, why: fmt.Sprintf("the vendor answers %d to /book, and the platform was only tried with 200", x.Code()),
				seen: []Evidence{p.vendor.call(x, jsonvalue.Value{}, "answers %d", x.Code())},
			}
		}
	}
	return answer{is: mute}
}

// listedForms wants the platform to have gone on with the forms of activeBookings that a
// dispatch system was seen to use.
func listedForms(p *pair) answer {
	sum := answer{is: mute}
	known := map[conformance.ProbeName]bool{}
	for _, x := range p.vendor.of(rules.OpUser) {
		if !x.Succeeded() || !x.Reply().IsObject() {
			continue
		}
		v, form := x.Reply().At("activeBookings"), conformance.ProbeName("")
		switch {
		case !v.Present():
			form = rules.SceneBookingsAbsent
		case v.IsNull():
			form = rules.SceneBookingsNull
		case v.IsArray() && len(v.Items()) == 0:
			form = rules.SceneNoBookingsAtAll
		}
		if form == "" || known[form] {
			continue
		}
		known[form] = true
		sum.worse(p.wentOn(form, p.vendor.call(x, v, "%s", form)))
	}
	return sum
}

// wentOn requires that a platform has not failed at a scene; seen is why it matters.
func (p *pair) wentOn(scene conformance.ProbeName, seen ...Evidence) answer {
	t := p.platform.scene(scene)
	switch {
	case t == nil || !t.failed && t.answer == nil:
		return answer{is: unclear, why: "the platform was not tried with " + string(scene), seen: seen}
	case t.failed:
		return answer{is: no, why: "the platform fails at " + string(scene), seen: append(seen, p.platform.heard(t, "fails at %s", scene))}
	}
	return answer{is: yes, seen: append(seen, p.platform.heard(t, "goes on with %s", scene))}
}

// many requires a platform to handle twenty active bookings.
func many(p *pair) answer { return p.wentOn(rules.SceneTwentyBookings) }

// dropoffsTold wants /status to tell where a journey goes: an edit repeats it.
func dropoffsTold(p *pair) answer {
	a := answer{is: unclear, why: "no dropoffs were seen in a reply of the vendor's /status, and an edit repeats them"}
	for _, x := range p.vendor.of(rules.OpStatus) {
		if v := x.Reply().At("dropoffs"); x.Succeeded() && len(v.Items()) > 0 {
			return answer{is: yes, seen: []Evidence{p.vendor.call(x, v, "dropoffs are told")}}
		}
	}
	return a
}

// keepsOn wants a dispatch system not to switch off an option or a feature that callers
// need for something: in /config, or in /user for everybody who may book.
func keepsOn(member, word string) need {
	return func(p *pair) answer {
		for _, op := range []conformance.Operation{rules.OpConfig, rules.OpUser} {
			if a := p.vendor.switchedOff(op, member, word); a.is == lacks {
				return a
			}
		}
		return answer{is: mute}
	}
}

// switchedOff looks for an operation that switches something off in each of its answers.
func (r *run) switchedOff(op conformance.Operation, member, word string) answer {
	a := answer{is: mute}
	for _, x := range r.of(op) {
		v, status := x.Reply().At("data").At(member), x.Reply().At("status").Text()
		if !x.Succeeded() || status == "DISABLED" || status == "BLACKLISTED" {
			continue
		}
		if !v.IsArray() || slices.ContainsFunc(v.Items(), func(w jsonvalue.Value) bool { return w.Text() == word }) {
			return answer{is: mute}
		}
		a = answer{is: lacks, why: "the vendor switches " + word + " off", seen: []Evidence{r.call(x, v, "%s without %s", member, word)}}
	}
	return a
}

// once requires a platform not to book twice for one request, or else a dispatch system that
// makes one journey of two equal bookings.
func once(p *pair) answer {
	a := platform("P-19")(p)
	if a.is != no {
		return a
	}
	a.is, a.why = unclear, a.why+", and what the vendor makes of two equal bookings was not seen"
	for _, v := range p.vendor.verdicts("IDM-01") {
		made := p.vendor.made(v)
		switch {
		case len(made) < 2:
		case made[0].Reply().At("journeyId").Scalar() != made[1].Reply().At("journeyId").Scalar():
			a.is, a.why = no, "the platform books again, and the vendor makes two journeys of it"
			a.seen = append(a.seen, p.vendor.call(made[1], made[1].Reply().At("journeyId"), "another journey for the same booking"))
		default:
			a.why = "the platform books again, and whether the vendor always makes one journey of it was not seen"
			a.seen = append(a.seen, p.vendor.call(made[1], made[1].Reply().At("journeyId"), "the same journey for the same booking"))
		}
	}
	return a
}

// made returns the bookings that show a verdict.
func (r *run) made(v conformance.Result) []*conformance.Exchange {
	calls, ids := r.file.CallsByID(), slices.Clone(v.ShownBy)
	for _, f := range v.Findings {
		ids = append(ids, f.Exchanges...)
	}
	slices.Sort(ids)
	var all []*conformance.Exchange
	for _, id := range slices.Compact(ids) {
		if x := calls[id]; x.Operation == rules.OpBook && x.Succeeded() && x.Reply().At("journeyId").Given() {
			all = append(all, x)
		}
	}
	return all
}
