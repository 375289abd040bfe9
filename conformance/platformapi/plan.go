package platformapi

import (
	"context"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance/platformapi/rules"
)

// stage is one part of a run. A stage that no chosen check depends on is left out, with its calls.
type stage struct {
	make func(*run, context.Context)

	// gives names the checks that depend on the stage, by id or by family
	// prefix.
	gives string
}

// every stands for all checks in the gives of a stage.
const every = "every"

// stages are the stages of a run in their order: a device needs a trunk, and calls without a token are
// tried once there are objects to protect.
var stages = []stage{
	{(*run).logIn, every},
	{(*run).readAccounts, "ORG ACC DDI API-06 TOK-09 TOK-15 VOI"},
	{(*run).tryTokens, "TOK-12 TOK-13 TOK-14"},
	{(*run).readOthers, "ACC-08 API-06"},
	{(*run).changeAddress, "ADR API-05 ACC-08"},
	{(*run).tryTrunk, "TRK API-05 ACC-08 DEV VOI-05 VOI-17 ROL"},
	{(*run).tryHook, "HOK API-05 ACC-08 ROL"},
	{(*run).tryDevice, "DEV API-05 ACC-08 VOI-05 VOI-17 ROL"},
	{(*run).tryStart, "DEV-18"},
	{(*run).tryRoles, "ROL"},
	{(*run).tryDoors, "API-03 API-04 ERR-01"},
	{(*run).tryCalls, "VOI"},
	{(*run).tryOpenForms, "VOI-17 VOI-18"},
	{(*run).tryBadCalls, "VOI"},
	{(*run).tryExpiredToken, "TOK-15"},
}

// wide are the checks that judge every operation.
var wide = []string{"API-01", "API-02", "API-03", "API-04", "ERR-01"}

// wanted reports whether the stage runs if the run is limited to the checks in only; empty: to none.
func (s stage) wanted(only []string) bool {
	return len(only) == 0 || slices.ContainsFunc(only, s.bearsOn)
}

func (s stage) bearsOn(id string) bool {
	if s.gives == every || slices.Contains(wide, id) && s.gives != "TOK-15" { // that stage only waits
		return true
	}
	return slices.ContainsFunc(strings.Fields(s.gives), func(part string) bool { return strings.HasPrefix(id, part) })
}

// tryStart reads a ROUTE_START that an earlier run has made. If there is none, it creates one for a number
// that no other uses.
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
