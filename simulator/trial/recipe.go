package trial

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/cabrank/cabrank/simulator"
)

// The largest runs that a recipe may ask for. Cars are few because after each
// event every one of them is looked at.
const (
	MaxDays  = 31
	MaxCars  = 150
	MaxRides = 5_000 // a day
)

// recipe is what a run is made from as its recordings carry it, with what its
// seed has chosen.
type recipe struct {
	Seed      uint64 `json:"seed"`
	Days      int    `json:"days"`
	Cars      int    `json:"cars"`
	Rides     int    `json:"rides"`
	Town      string `json:"town"`
	Assign    string `json:"assign"`
	Demand    string `json:"demand"`
	Behaviour string `json:"behaviour"`
	Faults    string `json:"faults"`
	Only      []int  `json:"only"`
	Event     int    `json:"event"`
}

// made is a recording's recipe: the maker, and what it needs to do it again.
type made struct {
	Trial *recipe `json:"trial"`
}

// recipe is what the recordings of a run say of how to make it again.
func (o Options) recipe() json.RawMessage {
	o = o.withDefaults()
	text, _ := json.Marshal(made{&recipe{ // strings and numbers always encode
		Seed: o.Seed, Days: o.Days, Cars: o.Cars, Rides: o.Rides, Town: o.Town, Assign: o.Assigner,
		Demand: o.Demand, Behaviour: o.Behaviour, Faults: o.Faults.String(), Only: o.Only, Event: o.Event,
	}})
	return text
}

// ReadRecipe reads the Options of the run that a recording is of. ok is false if
// it is not of a run of this package.
func ReadRecipe(text json.RawMessage) (o Options, ok bool, err error) {
	var maker map[string]json.RawMessage
	if json.Unmarshal(text, &maker) != nil || maker["trial"] == nil {
		return o, false, nil
	}
	var m made
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return o, true, fmt.Errorf("the recording's days were made with something that this version does not know: %w", err)
	}
	if m.Trial == nil {
		return o, false, nil
	}
	o, err = m.Trial.options()
	return o, true, err
}

func (r *recipe) options() (Options, error) {
	o := Options{
		Seed: r.Seed, Days: r.Days, Cars: r.Cars, Rides: r.Rides, Town: r.Town, Assigner: r.Assign,
		Demand: r.Demand, Behaviour: r.Behaviour, Only: r.Only, Event: r.Event,
	}
	for _, size := range []struct {
		name            string
		is, least, most int
	}{{"days", r.Days, 1, MaxDays}, {"cars", r.Cars, 1, MaxCars}, {"rides", r.Rides, 1, MaxRides}} {
		if size.is < size.least || size.is > size.most {
			return o, fmt.Errorf("%s is %d, want %d to %d", size.name, size.is, size.least, size.most)
		}
	}
	for _, n := range r.Only {
		if n < 0 || n >= r.Days*r.Rides {
			return o, fmt.Errorf("there is no ride %d, they are 0 to %d", n, r.Days*r.Rides-1)
		}
	}
	var err error
	if o.Faults, err = ParseFaults(r.Faults); err != nil {
		return o, fmt.Errorf("faults: %w", err)
	}
	return o, o.Check()
}

// ReadRecording reads the recordings of a run's worlds: the first from its beginning,
// and one more for each time that the process died and started again. What a
// world did after it was last durable is in its recording, but not in the next.
func ReadRecording(r io.Reader) ([]*simulator.Recording, error) {
	text, err := simulator.RecordingText(r)
	if err != nil {
		return nil, err
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
