package platformapi

import (
	"context"

	"github.com/cabrank/cabrank/conformance/platformapi/rules"
)

// tryStart looks for a ROUTE_START of an earlier run, or creates one for a number that no
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
			made := r.ask(ctx, probe, rules.Device.Create, r.account, "", object{
				"type": "ROUTE_START", "name": name, "extension": "", "startRoute": object{"ddis": []any{id}, "connectTo": "HANGUP"},
			})
			if made.RefusedCleanly() && len(devices.Reply().Items()) >= mostKept {
				made.Sound, made.Intent = false, rules.IntentNoRoom // there may be an undocumented limit
			}
			list := r.ask(ctx, probe, rules.Device.List, r.account, "", nil)
			if start := rules.Device.Marked(list.Reply(), name).At("id").Scalar(); start != "" {
				r.ask(ctx, probe, rules.Device.Read, r.account, start, nil)
			}
			return
		}
	}
}
