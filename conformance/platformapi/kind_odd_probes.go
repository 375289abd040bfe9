package platformapi

import (
	"context"
	"maps"
	"net/http"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/platformapi/rules"
)

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
	r.as(ctx, probe, client.Call{Op: k.Update, Method: http.MethodDelete, Path: r.path(k.Update, r.account, noSuchID), Intent: rules.IntentDelete})
}

// otherID is the id in a body that differs from the path's.
const otherID = "00000000-0000-4000-8000-00c0fa6c0001"

// tryMismatch updates with another id in the body. A platform may take it for the
// thing's own from then on, as nothing is shown of it; then it is put back.
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
		r.names[k.Name] = otherID // what is left of it
	}
}
