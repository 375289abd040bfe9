package trial

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// Step identifies a row of the transition table.
type Step struct {
	From  taxi.Status
	Event dispatch.Event
	To    taxi.Status
}

// Cell is a place in the edit matrix.
type Cell struct {
	Field string
	At    taxi.Status
}

// Coverage counts what was covered: rows of the transition table, cells of the edit
// matrix, and codes of refusals.
type Coverage struct {
	Rows  map[Step]int
	Cells map[Cell]int
	Codes map[taxi.Code]int
}

// Add adds the coverage of another run.
func (c *Coverage) Add(other Coverage) {
	addAll(&c.Rows, other.Rows)
	addAll(&c.Cells, other.Cells)
	addAll(&c.Codes, other.Codes)
}

func addAll[K comparable](to *map[K]int, from map[K]int) {
	for k, n := range from {
		count(to, k, n)
	}
}

func count[K comparable](m *map[K]int, k K, n int) {
	if *m == nil {
		*m = make(map[K]int)
	}
	(*m)[k] += n
}

// rows are the transitions that the table allows.
var rows = func() map[Step]bool {
	all := map[Step]bool{}
	for _, t := range dispatch.Transitions() {
		all[Step{t.From, t.Event, t.To}] = true
	}
	return all
}()

// row counts a change that is a row of the table, and reports whether it is.
func (c *Coverage) row(t simulator.Transition) bool {
	step := Step{t.From, t.Event, t.To}
	if !rows[step] {
		return false
	}
	count(&c.Rows, step, 1)
	return true
}

// cellOf returns the cell of an edit in the edit matrix: the field that it changes, if it
// changes only one, and the status of the journey.
func cellOf(r *taxi.BookRequest, j *store.Snapshot) (Cell, bool) {
	var fields []string
	for field, differs := range map[string]bool{
		"name":            r.Name != j.Passenger.Name,
		"phoneNumber":     r.PhoneNumber.International() != j.Passenger.PhoneNumber,
		"data":            len(r.Data) > 0 && !bytes.Equal(r.Data, j.PluginData),
		"dropoffs":        !same(r.Dropoffs, j.Dropoffs),
		"pickup":          !same(r.Pickup, j.Pickup),
		"pickupTime":      !r.PickupTime.Equal(j.Date.Time) && !r.PickupTime.Equal(j.AskedAt),
		"vehicleCategory": r.VehicleCategory != "" && !strings.EqualFold(r.VehicleCategory, j.Category),
	} {
		if differs {
			fields = append(fields, field)
		}
	}
	if len(fields) != 1 {
		return Cell{}, false
	}
	return Cell{fields[0], j.Status}, true
}

// same compares the JSON of two parts of a booking.
func same(a, b any) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return bytes.Equal(x, y)
}
