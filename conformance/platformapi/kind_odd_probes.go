package platformapi

import (
	"context"
	"maps"
	"net/http"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/platformapi/rules"
)

// tryBad sends bodies of another shape, and reads the object afterwards.
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

// tryStrange reads an unknown object and the object under another account, and makes calls
// that the interface does not define.
func (r *run) tryStrange(ctx context.Context, l life, id string) {
	k, probe := l.kind, rules.ProbeOf(l.kind)
	r.as(ctx, probe, client.Call{Op: k.Read, Path: r.path(k.Read, r.account, noSuchID), Intent: rules.IntentUnknown})
	if others := r.target.Credentials.Accounts; len(others) > 1 {
		r.as(ctx, probe, client.Call{Op: k.Read, Path: r.path(k.Read, others[1].ID, id), Intent: rules.IntentForeign})
	}
	r.as(ctx, probe, client.Call{Op: k.Update, Method: http.MethodDelete, Path: r.path(k.Update, r.account, noSuchID), Intent: rules.IntentDelete})
}

// otherID is an id in a body that differs from the id in the path.
const otherID = "00000000-0000-4000-8000-00c0fa6c0001"

// tryMismatch sends an update with another id in the body. A platform may change the
// object's id to it, since the interface does not define this; then the id is restored.
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
