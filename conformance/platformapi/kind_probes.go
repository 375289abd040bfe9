package platformapi

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/conformance/platformapi/rules"
)

// Name begins the names of all objects that runs make, since the interface cannot delete them.
const Name = "CONFORMANCE TEST"

// mostKept is the number of objects of one kind from which runs make no more of them.
const mostKept = 10

// mark returns the name of the objects that this run makes.
func (r *run) mark() string { return fmt.Sprintf("%s %x", Name, r.target.Nonce) }

// hookURL returns the nth address for a hook, on a host that does not exist.
func (r *run) hookURL(n int) string {
	return fmt.Sprintf("https://conformance-test.invalid/%x/%d", r.target.Nonce, n)
}

// life describes how a probe creates an object of a kind and changes it.
type life struct {
	kind          rules.Kind
	first, second object // the created object and its changed version; without id
	last          object // its final version
	badType       string // a member to which a value of another type is sent
	ours          func(item jsonvalue.Value) bool
}

func (r *run) tryTrunk(ctx context.Context) {
	first := object{
		"ip": "203.0.113.10", "port": 5060, "vendor": "generic", "callerFormat": "e164p", "calledFormat": "e164p",
		"description": r.mark(), "zone": "eu-west", "countryCode": "gb",
	}
	second := maps.Clone(first)
	second["ip"], second["port"], second["description"] = "203.0.113.11", 5080, r.mark()+" changed"
	r.tryKind(ctx, life{rules.Trunk, first, second, second, "port", named("description", Name)})
}

func (r *run) tryHook(ctx context.Context) {
	first := object{"app": "flow.generic", "url": r.hookURL(1), "authType": "DISABLED", "method": "POST", "priority": 900}
	second := maps.Clone(first)
	second["app"], second["url"], second["priority"] = "event.generic", r.hookURL(2), 901
	last := maps.Clone(first) // an event hook would receive events of other calls
	last["url"] = r.hookURL(3)
	r.tryKind(ctx, life{rules.Hook, first, second, last, "priority", named("url", "https://conformance-test.invalid/")})
}

func (r *run) tryDevice(ctx context.Context) {
	trunk := r.names[rules.Trunk.Name]
	if trunk == "" {
		r.without[rules.Device.Name] = conformance.Because(r.without[rules.Trunk.Name].Kind, "there is no trunk for a device to route calls over")
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
	r.tryKind(ctx, life{rules.Device, first, second, first, "name", named("name", Name)})
}

// extension returns an extension that is different for each run.
func (r *run) extension() string { return fmt.Sprintf("7%07d", r.target.Nonce%10_000_000) }

func named(member, prefix string) func(jsonvalue.Value) bool {
	return func(item jsonvalue.Value) bool { return strings.HasPrefix(item.At(member).Text(), prefix) }
}

// tryKind creates an object, reads it, changes it, reads it again, and makes calls that must fail. If runs
// have already made enough objects of the kind, it uses one of them.
func (r *run) tryKind(ctx context.Context, l life) {
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
		r.without[k.Name] = conformance.Because(conformance.NotApplicable, "there are %d of earlier runs, so no more are made: use an account without them", kept)
	}
	if id == "" {
		if _, known := r.without[k.Name]; !known {
			r.without[k.Name] = conformance.Because(conformance.NotServed, "the list has no created %s", k.Name)
		}
		return
	}
	r.names[k.Name] = id
	r.readOther(ctx, k.List, rules.OpDDIs)
	r.ask(ctx, probe, k.Read, r.account, id, nil)
	r.tryBad(ctx, l, id)
	if r.ask(ctx, probe, k.Update, r.account, id, l.whole(l.second, id)).Succeeded() {
		r.ask(ctx, probe, k.Read, r.account, id, nil)
		r.ask(ctx, probe, k.List, r.account, "", nil)
		r.readOther(ctx, k.List, rules.OpDDIs)
	}
	r.tryStrange(ctx, l, id)
	r.ask(ctx, probe, k.Update, r.account, id, l.whole(l.last, id))
	r.tryMismatch(ctx, l, id)
	r.readOther(ctx, k.List, rules.OpDDIs)
}

// create creates an object and returns its id; "": it was refused or cannot be found. The interface does
// not show limits, so a refusal may mean that one is reached. there is the number of objects of the kind,
// and kept how many of them runs have made.
func (r *run) create(ctx context.Context, l life, there, kept int) string {
	k, probe := l.kind, rules.ProbeOf(l.kind)
	x := r.ask(ctx, probe, k.Create, r.account, "", l.first)
	if x.RefusedCleanly() && there > 0 {
		x.Sound, x.Intent = false, rules.IntentNoRoom
		r.without[k.Name] = conformance.Because(refusedCreationReason(there, kept), "one more %s was refused with %d where there are %d: if that is a limit, use an account with fewer", k.Name, x.Code(), there)
		return ""
	}
	list := r.ask(ctx, probe, k.List, r.account, "", nil)
	return k.Marked(list.Reply(), l.first[k.Mark].(string)).At("id").Scalar()
}

// refusedCreationReason returns the kind of reason for a refused creation: there is the number of objects of the kind,
// and kept how many of them runs have made.
func refusedCreationReason(there, kept int) conformance.ReasonKind {
	switch {
	case kept > 0:
		return conformance.NotApplicable // it was shown when those were made
	case there >= mostKept:
		return conformance.MostMade
	}
	return conformance.NotServed
}

// whole returns a copy of a body with an id added.
func (l life) whole(body object, id string) object {
	whole := maps.Clone(body)
	whole["id"] = id
	return whole
}

// tryBad sends bodies that are not valid, and then reads the object, which must not have changed.
func (r *run) tryBad(ctx context.Context, l life, id string) {
	k, probe := l.kind, rules.ProbeOf(l.kind)
	wrong := maps.Clone(l.first)
	wrong[l.badType] = object{"of": "another type"}
	for _, try := range []struct {
		op   conformance.Operation
		body []byte
	}{
		{k.Create, []byte(`{"`)},
		{k.Create, []byte(`[]`)},
		{k.Create, encode(wrong)},
		{k.Update, []byte(`[]`)},
		{k.Update, encode(l.whole(wrong, id))},
	} {
		r.as(ctx, probe, client.Call{Op: try.op, Path: r.path(try.op, r.account, id), Body: try.body, Intent: rules.IntentBad})
	}
	r.as(ctx, probe, client.Call{Op: k.Read, Path: r.path(k.Read, r.account, id), Intent: rules.IntentAfterBad})
}

// tryStrange reads an object that does not exist and an object under another account, and makes a call that
// the interface does not define.
func (r *run) tryStrange(ctx context.Context, l life, id string) {
	k, probe := l.kind, rules.ProbeOf(l.kind)
	r.as(ctx, probe, client.Call{Op: k.Read, Path: r.path(k.Read, r.account, noSuchID), Intent: rules.IntentUnknown})
	if others := r.target.Credentials.Accounts; len(others) > 1 {
		r.as(ctx, probe, client.Call{Op: k.Read, Path: r.path(k.Read, others[1].ID, id), Intent: rules.IntentForeign})
	}
	r.as(ctx, probe, client.Call{Op: k.Update, Method: http.MethodDelete, Path: r.path(k.Update, r.account, noSuchID), Intent: rules.IntentDelete})
}

// otherID is an id for the body of a call that has another id in its path.
const otherID = "00000000-0000-4000-8000-00c0fa6c0001"

// tryMismatch sends an update whose body has another id than its path. The interface does not define the
// result: if the platform changes the object's id, the id is restored.
func (r *run) tryMismatch(ctx context.Context, l life, id string) {
	k, probe := l.kind, rules.ProbeOf(l.kind)
	put := func(at, now string, intent conformance.Intent) bool {
		return r.as(ctx, probe, client.Call{
			Op: k.Update, Path: r.path(k.Update, r.account, at), Body: encode(l.whole(l.last, now)), Intent: intent,
		}).Succeeded()
	}
	if !put(id, otherID, rules.IntentMismatch) {
		return
	}
	x := r.as(ctx, probe, client.Call{Op: k.Read, Path: r.path(k.Read, r.account, id), Intent: rules.IntentAfterMismatch})
	if !x.Succeeded() && !put(otherID, id, rules.IntentRestore) {
		r.names[k.Name] = otherID // its id from now on
	}
}
