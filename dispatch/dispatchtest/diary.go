package dispatchtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cabrank/cabrank/simulator/fault"
)

// diary collects the world's recording during the test, to be logged if the test
// fails.
type diary struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements [io.Writer].
func (d *diary) Write(line []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.Write(line)
}

// fault records an event of a fault rule, between the lines of the world.
func (d *diary) fault(e fault.Event) {
	line, err := json.Marshal(entry{At: e.At.UnixMilli(), Fault: &e})
	if err != nil {
		return // an event can always be encoded
	}
	_, _ = d.Write(append(line, '\n')) // to memory
}

// begin discards the records of creating the world.
func (d *diary) begin() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.text.Reset()
}

func (d *diary) logIfFailed(t testing.TB) {
	t.Helper()
	if !t.Failed() {
		return
	}
	if told := d.String(); told != "" {
		t.Logf("what happened in the town since New, by its clock:\n%s", told)
	}
}

// entry is the part of a recorded line, or of a fault event, that a diary shows.
type entry struct {
	At                                                   int64
	Op, Journey, Event, From, To, Vehicle, User, Refused string
	Fault                                                *fault.Event
}

// String returns a line for each command and each change of a journey.
func (d *diary) String() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var b strings.Builder
	for line := range bytes.Lines(d.text.Bytes()) {
		var e entry
		if json.Unmarshal(line, &e) == nil {
			fmt.Fprintf(&b, "%s  %s\n", time.UnixMilli(e.At).UTC().Format(time.TimeOnly), e.tell())
		}
	}
	return b.String()
}

func (e *entry) tell() string {
	switch {
	case e.Fault != nil && e.Fault.What == fault.Hit:
		return fmt.Sprintf("fault %s (%s) met /%s", e.Fault.ID, e.Fault.Fault, e.Fault.Op)
	case e.Fault != nil:
		return fmt.Sprintf("fault %s (%s) was %s", e.Fault.ID, e.Fault.Fault, e.Fault.What)
	case e.Op != "" && e.Refused != "":
		return "/" + e.Op + " was refused with " + e.Refused
	case e.Op != "":
		return strings.TrimSpace("/" + e.Op + " " + e.Journey + e.User)
	case e.Refused != "":
		return "the store refused a change: " + e.Refused
	case e.From == "":
		return e.Journey + " " + e.To
	case e.Vehicle != "":
		return fmt.Sprintf("%s %s → %s (%s, %s)", e.Journey, e.From, e.To, e.Event, e.Vehicle)
	}
	return fmt.Sprintf("%s %s → %s (%s)", e.Journey, e.From, e.To, e.Event)
}
