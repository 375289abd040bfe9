package trial

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/cabrank/cabrank/simulator"
)

// flag is an option as 'cabrank simulate' takes it.
type flag struct{ Name, Value string }

// flags lists what a run is made from, always in one order, but for its seed and
// where it stops.
func (o Options) flags() []flag {
	o = o.withDefaults()
	only := ""
	if o.Only != nil {
		only = joined(o.Only)
	}
	return []flag{
		{"days", strconv.Itoa(o.Days)},
		{"cars", strconv.Itoa(o.Cars)},
		{"rides", strconv.Itoa(o.Rides)},
		{"town", o.Town},
		{"assign", o.Assigner},
		{"demand", o.Demand},
		{"behaviour", o.Behaviour},
		{"faults", o.Faults.String()},
		{"only", only},
	}
}

// recipe is what the recordings of a run say of how to make it again: the flags of
// 'cabrank simulate'.
func (o Options) recipe() json.RawMessage {
	flags := map[string]string{"seed": strconv.FormatUint(o.Seed, 10), "event": strconv.Itoa(o.Event)}
	for _, f := range o.flags() {
		flags[f.Name] = f.Value
	}
	text, _ := json.Marshal(map[string]any{"simulate": flags}) // strings always encode
	return text
}

// Recipe reads the flags of the run that a recording is of; none if it is not of a
// run of this package.
func Recipe(recipe json.RawMessage) map[string]string {
	var r struct{ Simulate map[string]string }
	if json.Unmarshal(recipe, &r) != nil {
		return nil
	}
	return r.Simulate
}

// ReadRecording reads the recordings of a run's worlds: the first from its beginning,
// and one more for each time that the process died and started again. What a
// world did after it was last durable is in its recording, but not in the next.
func ReadRecording(r io.Reader) ([]*simulator.Recording, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	header := []byte("\n" + `{"version":`)
	var all []*simulator.Recording
	for {
		end := bytes.Index(text, header) + 1
		if end == 0 {
			end = len(text)
		}
		j, err := simulator.ReadRecording(bytes.NewReader(text[:end]))
		if err != nil {
			return nil, fmt.Errorf("world %d: %w", len(all)+1, err)
		}
		all = append(all, j)
		if text = text[end:]; len(text) == 0 {
			return all, nil
		}
	}
}
