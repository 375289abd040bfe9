package platformapi

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/conformance/platformapi/rules"
)

// Name begins the names of what a run makes, as the interface cannot delete it.
const Name = "CONFORMANCE TEST"

// mostKept is how many things of a kind runs make before they make no more.
const mostKept = 10

// mark names what this run makes.
func (r *run) mark() string { return fmt.Sprintf("%s %x", Name, r.target.Nonce) }

// hookURL is an address that leads nowhere.
func (r *run) hookURL(n int) string {
	return fmt.Sprintf("https://conformance-test.invalid/%x/%d", r.target.Nonce, n)
}

// life is how a probe makes a thing and changes it.
type life struct {
	kind          rules.Kind
	first, second object // what is created, and what it is changed to; without id
	last          object // what it is left as
	badType       string // a member that gets a value of another type
	ours          func(item jsonvalue.Value) bool
}

func (r *run) tryTrunk(ctx context.Context) {
	first := object{
		"ip": "203.0.113.10", "port": 5060, "vendor": "generic", "callerFormat": "e164p", "calledFormat": "e164p",
		"description": r.mark(), "zone": "eu-west", "countryCode": "gb",
	}
	second := maps.Clone(first)
	second["ip"], second["port"], second["description"] = "203.0.113.11", 5080, r.mark()+" changed"
	r.live(ctx, life{rules.Trunk, first, second, second, "port", named("description", Name)})
}

func (r *run) tryHook(ctx context.Context) {
	first := object{"app": "flow.generic", "url": r.hookURL(1), "authType": "DISABLED", "method": "POST", "priority": 900}
	second := maps.Clone(first)
	second["app"], second["url"], second["priority"] = "event.generic", r.hookURL(2), 901
	last := maps.Clone(first) // an event hook would be told of other people's calls
	last["url"] = r.hookURL(3)
	r.live(ctx, life{rules.Hook, first, second, last, "priority", named("url", "https://conformance-test.invalid/")})
}

func (r *run) tryDevice(ctx context.Context) {
	trunk := r.names[rules.Trunk.Name]
	if trunk == "" {
		r.without[rules.Device.Name] = conformance.Because(r.without[rules.Trunk.Name].Kind, "there is no trunk for a device to lead calls over")
		return
	}
	gateway := object{
		"ringTime": 20, "maxCallTime": 3600, "record": false, "trunks": []any{trunk}, "present": "pass-through", "countryCode": "gb",
		"onComplete": "HANGUP", "onFail": "HANGUP", "onNoAnswer": "HANGUP", "onBusy": "HANGUP",
	}
	first := object{"type": "SIP_GATEWAY", "name": r.mark(), "extension": r.extension(), "sipGateway": gateway}
	changed := maps.Clone(gateway)
	changed["ringTime"], changed["record"] = 25, true
	second := maps.Clone(first)
	second["name"], second["sipGateway"] = r.mark()+" changed", changed
	r.live(ctx, life{rules.Device, first, second, first, "name", named("name", Name)})
}

// extension is one that nobody else has, by chance.
func (r *run) extension() string { return fmt.Sprintf("7%07d", r.target.Nonce%10_000_000) }

func named(member, prefix string) func(jsonvalue.Value) bool {
	return func(item jsonvalue.Value) bool { return strings.HasPrefix(item.At(member).Text(), prefix) }
}

// live makes a thing, reads, changes and reads it, and tries what must not work. Of
// something that is there often enough already it takes the first one.
func (r *run) live(ctx context.Context, l life) {
	k, probe := l.kind, rules.ProbeOf(l.kind)
	before := r.ask(ctx, probe, k.List, r.account, "", nil)
	id, kept := "", 0
	for _, item := range before.Reply().Items() {
		if l.ours(item) {
			id, kept = item.At("id").Scalar(), kept+1
		}
	}
	if kept < mostKept {
		if made := r.create(ctx, l, len(before.Reply().Items()), kept); made != "" {
			id = made
		}
	} else {
		r.without[k.Name] = conformance.Because(conformance.NotApplicable, "%d of earlier runs are there, and no more are made: an account without them shows it", kept)
	}
	if id == "" {
		if _, known := r.without[k.Name]; !known {
			r.without[k.Name] = conformance.Because(conformance.NotServed, "no %s that was created can be found in the list", k.Name)
		}
		return
	}
	r.names[k.Name] = id
	r.ask(ctx, probe, k.Read, r.account, id, nil)
	r.tryBad(ctx, l, id)
	if r.ask(ctx, probe, k.Update, r.account, id, l.whole(l.second, id)).Succeeded() {
		r.ask(ctx, probe, k.Read, r.account, id, nil)
		r.ask(ctx, probe, k.List, r.account, "", nil)
	}
	r.tryStrange(ctx, l, id)
	r.ask(ctx, probe, k.Update, r.account, id, l.whole(l.last, id))
	r.tryMismatch(ctx, l, id)
}

// create makes a thing and returns its id; "": it cannot be found. How many there may
// be the interface does not show, so that a refusal where there are some may be a limit.
func (r *run) create(ctx context.Context, l life, there, kept int) string {
	k, probe := l.kind, rules.ProbeOf(l.kind)
	x := r.ask(ctx, probe, k.Create, r.account, "", l.first)
	if x.RefusedCleanly() && there > 0 {
		x.Sound, x.Intent = false, rules.IntentNoRoom
		r.without[k.Name] = conformance.Because(roomless(there, kept), "a %s more was refused with %d where there are %d: if that is a limit, an account with room shows the rest", k.Name, x.Code(), there)
		return ""
	}
	list := r.ask(ctx, probe, k.List, r.account, "", nil)
	return k.Marked(list.Reply(), l.first[k.Mark].(string)).At("id").Scalar()
}

// roomless says what the refusal of one thing more means for the run, by how many there
// are, and how many of them runs have made.
func roomless(there, kept int) conformance.ReasonKind {
	switch {
	case kept > 0:
		return conformance.NotApplicable // it was shown when those were made
	case there >= mostKept:
		return conformance.MostMade
	}
	return conformance.NotServed
}

// whole is a body with an id.
func (l life) whole(body object, id string) object {
	whole := maps.Clone(body)
	whole["id"] = id
	return whole
}
