package trial

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// edit is an edit of one field, before its response.
type edit struct {
	Cell

	rule dispatch.EditRule
	size size
}

// size is how large a change is in the sense of the edit matrix.
type size int

const (
	anySize size = iota // too close to the limit to decide
	small
	large
)

// newEdit parses an edit of a journey, if it changes only one field.
func (w *watch) newEdit(path string, body []byte) (edit, bool) {
	var r taxi.BookRequest
	if path != taxi.PathBook || !strings.Contains(string(body), `"journeyId"`) || json.Unmarshal(body, &r) != nil {
		return edit{}, false
	}
	if r.JourneyID == nil || r.Pickup == nil {
		return edit{}, false
	}
	j, err := w.day.records.Journey(w.day.ctx, *r.JourneyID)
	if err != nil {
		return edit{}, false
	}
	cell, ok := cellOf(&r, j)
	if !ok {
		return edit{}, false
	}
	e := edit{Cell: cell, size: w.sizeOf(cell, &r, j)}
	for _, row := range dispatch.EditMatrix() {
		if row.Field == cell.Field {
			e.rule = row.Rules[cell.At]
		}
	}
	return e, true
}

// sizeOf returns the size of a change.
func (w *watch) sizeOf(c Cell, r *taxi.BookRequest, j *store.Snapshot) size {
	policy := w.day.world.Service().Policy()
	switch c.Field {
	case "pickup":
		limit := policy.KeepDriverMetres
		if c.At == taxi.EnRoute {
			limit = policy.RerouteMetres
		}
		return within(metres(*r.Pickup.Location, *j.Pickup.Location), limit)
	case "pickupTime":
		return within(r.PickupTime.Sub(j.Date.Time).Abs().Seconds(), policy.KeepDriver.Seconds())
	default:
		return anySize
	}
}

// within compares a value with a limit; it returns anySize close to the limit.
func within(much, limit float64) size {
	switch {
	case much < 0.98*limit:
		return small
	case much > 1.02*limit:
		return large
	default:
		return anySize
	}
}

// checkEdit compares the response to an edit with the matrix, and counts the cell.
func (w *watch) checkEdit(e edit, a *answer) {
	refused := a.problem.Code == taxi.CodeEditNotAllowed || a.problem.Code == taxi.CodeJourneyClosed
	taken := e.rule != dispatch.EditNever && (e.rule != dispatch.EditNear || e.size == small)
	open := e.rule == dispatch.EditNear && e.size == anySize
	switch {
	case !a.ok() && !refused: // for another reason, which another rule checks
		return
	case !open && a.ok() != taken:
		w.day.fail(ruleEdit, fmt.Sprintf("%s at %s is %q there, and was answered %d: %s", e.Field, e.At, e.rule, a.status, a.body))
	case refused && (a.problem.Code == taxi.CodeJourneyClosed) != e.At.Terminal():
		w.day.fail(ruleEdit, fmt.Sprintf("%s at %s was refused with %s", e.Field, e.At, a.problem.Code))
	case a.ok() && e.rule == dispatch.EditKeep && !w.driverAsExpected(e, a):
		w.day.fail(ruleEdit, fmt.Sprintf("%s at %s was changed by little: %t, and is now at %s", e.Field, e.At, e.size == small, a.journey.Status))
	}
	count(&w.day.outcome.Coverage.Cells, e.Cell, 1)
}

// driverAsExpected reports whether the driver was kept for a small change, and released
// for a large one.
func (w *watch) driverAsExpected(e edit, a *answer) bool {
	switch e.size {
	case small:
		return a.journey.Status == taxi.Accepted
	case large:
		return a.journey.Status == taxi.Waiting || a.journey.Status == taxi.Held
	default:
		return true
	}
}
