package interop

import (
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// required are the members of a booking, and the checks that show that a dispatch
// system refuses one without.
var required = []struct{ member, refused string }{
	{"name", "BOK-24"}, {"phoneNumber", "BOK-25"}, {"pickup", "BOK-26"}, {"dropoffs", "BOK-27"}, {"pickupTime", "BOK-28"},
}

// creations are a platform's bookings of new journeys.
func (r *run) creations() []*conformance.Exchange {
	return slices.DeleteFunc(r.of(rules.OpBook), func(x *conformance.Exchange) bool { return x.Sent().At("journeyId").HasText() })
}

// complete requires a platform's bookings to have the members that the dispatch system requires.
func complete(p *pair) answer {
	all := p.platform.creations()
	if len(all) == 0 {
		return answer{is: unclear, why: "no booking was seen of the platform"}
	}
	sum := answer{is: yes, seen: []Evidence{p.platform.call(all[0], jsonvalue.Value{}, "a booking with all that is required")}}
	for _, x := range all {
		for _, r := range required {
			v := x.Sent().At(r.member)
			if v.Given() && (!v.IsArray() || len(v.Items()) > 0) {
				continue
			}
			name := r.refused
			if v.IsArray() {
				name = "BOK-29"
			}
			a := failing(vendor(name))(p)
			if a.is == no {
				a.why = "the platform books without " + r.member + ", which the vendor refuses"
			}
			a.seen = append(a.seen, p.platform.call(x, v, "a booking without %s", r.member))
			if sum.worse(a); sum.is == no {
				return sum
			}
		}
	}
	return sum
}

// creates wants the journeyId of a new booking to be absent, or null for who takes that.
func creates(p *pair) answer {
	sum := answer{is: mute}
	for _, x := range p.platform.creations() {
		v := x.Sent().At("journeyId")
		e := p.platform.call(x, v, "a new booking with journeyId %s", v.Kind())
		switch {
		case v.IsNull():
			a := vendor("BOK-02")(p)
			a.seen = append(a.seen, e)
			return a
		case v.Present():
			return answer{is: unclear, why: "the platform sends an empty journeyId to book, which the vendor was not tried with", seen: []Evidence{e}}
		}
	}
	return sum
}

// heardOf requires that a platform has told its caller something.
func heardOf(what string, is func(said string) bool) need {
	return func(p *pair) answer {
		for _, name := range p.platform.order {
			t := p.platform.probes[name]
			if t.answer != nil && slices.ContainsFunc(t.answer.Said, is) {
				return answer{is: yes, seen: []Evidence{p.platform.heard(t, "the caller hears %s", what)}}
			}
		}
		return answer{is: unclear, why: "the platform was not heard to tell " + what}
	}
}

// The badge and the price of the journeys that suite 2 tells.
func saysBadge(said string) bool {
	return strings.Contains(strings.NewReplacer(" ", "", "-", "", ".", "", ",", "").Replace(strings.ToUpper(said)), "PH9417")
}

func saysPrice(said string) bool {
	return strings.Contains(said, "14.6") || strings.Contains(strings.ToLower(said), "14 pounds 60") || strings.Contains(strings.ToLower(said), "fourteen pounds sixty")
}

// byMessage requires a platform to have a messaging channel.
func byMessage(p *pair) answer {
	found := answer{is: unclear, why: "no request by message was tried on the platform"}
	for _, scene := range []conformance.ProbeName{rules.SceneLocation, rules.SceneFollowed} {
		t := p.platform.scene(scene)
		switch {
		case t == nil:
		case t.unsupported:
			found = answer{is: lacks, why: "the platform does not support the messaging channel", seen: []Evidence{p.platform.heard(t, "not supported")}}
		case t.answer != nil:
			return answer{is: yes, seen: []Evidence{p.platform.heard(t, "answers a request by message")}}
		}
	}
	return found
}

// credentials requires a platform to send credentials to a dispatch system that requires
// them.
func credentials(p *pair) answer {
	shown := firstWith(p.vendor.file.Calls, func(x *conformance.Exchange) bool { return x.Shown == conformance.CredsGiven && x.Succeeded() })
	if shown == nil {
		open := firstWith(p.vendor.file.Calls, func(x *conformance.Exchange) bool { return x.Shown == conformance.CredsNone && x.Succeeded() })
		called := firstWith(p.platform.file.Calls, func(x *conformance.Exchange) bool { return x.Succeeded() })
		if open == nil || called == nil {
			return answer{is: unclear, why: "no call that was served was seen of both"}
		}
		return answer{is: yes, seen: []Evidence{p.vendor.call(open, jsonvalue.Value{}, "served without credentials"), p.platform.call(called, jsonvalue.Value{}, "a call")}}
	}
	a := platform("P-16")(p)
	if a.is == no {
		if f := vendor("SEC-05")(p); f.is != yes {
			a.is, a.why = unclear, "the platform leaves credentials out, and the vendor was not seen to refuse that"
		} else {
			a.seen = append(a.seen, f.seen...)
		}
	}
	a.seen = append(a.seen, p.vendor.call(shown, jsonvalue.Value{}, "served with credentials"))
	return a
}

// firstWith finds a call; nil: there is none.
func firstWith(all []*conformance.Exchange, is func(*conformance.Exchange) bool) *conformance.Exchange {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i]
	}
	return nil
}

// secured requires a platform to trust a dispatch system's TLS connection.
func secured(p *pair) answer {
	x := firstWith(p.vendor.file.Calls, func(x *conformance.Exchange) bool { return x.Response != nil && x.Response.TLS != nil && x.Succeeded() })
	if x == nil {
		return answer{is: unclear, why: "the vendor's run was over plain http"}
	}
	e := p.vendor.call(x, jsonvalue.Value{}, "served over %s", jsonvalue.Clip(x.Response.TLS.Version, 20))
	if !x.Response.TLS.Verified {
		return answer{is: unclear, why: "the certificate was not verified in the vendor's run", seen: []Evidence{e}}
	}
	a := platform("P-17 P-73")(p)
	if a.is == no { // it takes more than it should, or only some versions
		a = soft(platform("P-17 P-73"))(p)
	}
	a.seen = append(a.seen, e)
	return a
}

// refusedTo wants a dispatch system never to have asked a platform to wait that does
// not.
func refusedTo(p *pair) answer {
	for _, x := range p.vendor.file.Calls {
		if x.Code() == 429 {
			return answer{is: no, why: "the vendor asks callers to wait", seen: []Evidence{p.vendor.call(x, jsonvalue.Value{}, "answers 429")}}
		}
	}
	return answer{is: yes}
}

// overridden requires options that /config switches off to be off in the same call.
func overridden(p *pair) answer {
	t := p.platform.scene(rules.SceneOptionsOff)
	if t == nil || t.answer == nil || t.answer.Offered == nil {
		return answer{is: unclear, why: "what the platform offers when /config switches options off was not seen"}
	}
	for _, option := range []string{"comingNow", "callDriver", "cancel"} {
		if slices.Contains(t.answer.Offered, option) {
			return answer{is: no, why: "the platform offers " + option + " although /config switches it off", seen: []Evidence{p.platform.heard(t, "offers %s", option)}}
		}
	}
	if a := platform("P-47")(p); a.is != yes { // where they are on, they are offered
		return soft(platform("P-47"))(p)
	}
	return answer{is: yes, seen: []Evidence{p.platform.heard(t, "offers nothing that is off")}}
}
