package dispatchtest

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/fault"
)

// diary collects the changes of journeys and the events of fault rules during the test, to
// be logged if the test fails.
type diary struct {
	mu   sync.Mutex
	text strings.Builder
}

func (d *diary) line(at time.Time, format string, a ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	fmt.Fprintf(&d.text, "%s  %s\n", at.UTC().Format(time.TimeOnly), fmt.Sprintf(format, a...))
}

// fault records an event of a fault rule.
func (d *diary) fault(e fault.Event) {
	if e.What == fault.Hit {
		d.line(e.At, "fault %s (%s) met /%s", e.ID, e.Fault, e.Op)
		return
	}
	d.line(e.At, "fault %s (%s) was %s", e.ID, e.Fault, e.What)
}

// change records a change of a journey.
func (d *diary) change(t simulator.Transition) {
	switch {
	case t.From == "":
		d.line(t.At, "%s %s", t.Journey, t.To)
	case t.VehicleID != "":
		d.line(t.At, "%s %s → %s (%s, %s)", t.Journey, t.From, t.To, t.Event, t.VehicleID)
	default:
		d.line(t.At, "%s %s → %s (%s)", t.Journey, t.From, t.To, t.Event)
	}
}

func (d *diary) logIfFailed(t testing.TB) {
	t.Helper()
	if !t.Failed() {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.text.Len() > 0 {
		t.Logf("what happened in the town since New, by its clock:\n%s", d.text.String())
	}
}
