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
		r.ask(ctx, probe, k.Create, r.account, "", l.first)
		list := r.ask(ctx, probe, k.List, r.account, "", nil)
		id = k.Marked(list.Reply(), l.first[k.Mark].(string)).At("id").Scalar()
	}
	if id == "" {
		r.block("no " + k.Name + " that was created can be found in the list")
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
}

// whole is a body with an id.
func (l life) whole(body object, id string) object {
	whole := maps.Clone(body)
	whole["id"] = id
	return whole
}

// tryBad sends bodies of another shape, and reads what they have left.
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

// tryStrange asks for what there is not, for the thing as another account's, and does
// what the interface says nothing of.
func (r *run) tryStrange(ctx context.Context, l life, id string) {
	k, probe := l.kind, rules.ProbeOf(l.kind)
	r.as(ctx, probe, client.Call{Op: k.Read, Path: r.path(k.Read, r.account, noSuchID), Intent: rules.IntentUnknown})
	if others := r.target.Credentials.Accounts; len(others) > 1 {
		r.as(ctx, probe, client.Call{Op: k.Read, Path: r.path(k.Read, others[1].ID, id), Intent: rules.IntentForeign})
	}
	r.as(ctx, probe, client.Call{
		Op: k.Update, Path: r.path(k.Update, r.account, id), Body: encode(l.whole(l.second, noSuchID)), Intent: rules.IntentMismatch,
	})
	r.as(ctx, probe, client.Call{Op: k.Update, Method: http.MethodDelete, Path: r.path(k.Update, r.account, noSuchID), Intent: rules.IntentDelete})
}

// tryStart looks for a ROUTE_START of an earlier run, or maps a number to one that no
// flow has.
func (r *run) tryStart(ctx context.Context) {
	probe := rules.ProbeStart
	devices := r.ask(ctx, probe, rules.Device.List, r.account, "", nil)
	taken := map[string]bool{}
	for _, d := range devices.Reply().Items() {
		if d.At("type").Text() == "ROUTE_START" && named("name", Name)(d) {
			r.ask(ctx, probe, rules.Device.Read, r.account, d.At("id").Scalar(), nil)
			return
		}
		for _, ddi := range d.At("startRoute").At("ddis").Items() {
			taken[ddi.Text()] = true
		}
	}
	for _, ddi := range r.ask(ctx, probe, rules.OpDDIs, r.account, "", nil).Reply().Items() {
		if id := ddi.At("id").Text(); id != "" && !taken[id] {
			name := r.mark() + " start"
			r.ask(ctx, probe, rules.Device.Create, r.account, "", object{
				"type": "ROUTE_START", "name": name, "extension": "", "startRoute": object{"ddis": []any{id}, "connectTo": "HANGUP"},
			})
			list := r.ask(ctx, probe, rules.Device.List, r.account, "", nil)
			if made := rules.Device.Marked(list.Reply(), name).At("id").Scalar(); made != "" {
				r.ask(ctx, probe, rules.Device.Read, r.account, made, nil)
			}
			return
		}
	}
}
