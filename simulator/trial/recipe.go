package trial

import (
	"encoding/json"
	"fmt"

	strict "github.com/go-json-experiment/json"
)

// recipe is what a run is made from, as JSON. What is left out has its default or follows
// from the seed.
type recipe struct {
	Seed      uint64 `json:"seed"`
	Days      int    `json:"days,omitzero"`
	Cars      int    `json:"cars,omitzero"`
	Rides     int    `json:"rides,omitzero"`
	Town      string `json:"town,omitzero"`
	Assign    string `json:"assign,omitzero"`
	Demand    string `json:"demand,omitzero"`
	Behaviour string `json:"behaviour,omitzero"`
	Faults    string `json:"faults,omitzero"`
	Only      []int  `json:"only,omitzero"`
	Event     int    `json:"event,omitzero"`
}

// recipe returns the options with what the seed has chosen.
func (o Options) recipe() recipe {
	o = o.withDefaults()
	return recipe{
		Seed: o.Seed, Days: o.Days, Cars: o.Cars, Rides: o.Rides, Town: o.Town, Assign: o.Assigner,
		Demand: o.Demand, Behaviour: o.Behaviour, Faults: o.Faults.String(), Only: o.Only, Event: o.Event,
	}
}

// beside returns the recipe without what another recipe has too. The seed stays.
func (r recipe) beside(usual recipe) recipe {
	return recipe{
		Seed: r.Seed, Days: unless(usual.Days, r.Days), Cars: unless(usual.Cars, r.Cars), Rides: unless(usual.Rides, r.Rides),
		Town: unless(usual.Town, r.Town), Assign: unless(usual.Assign, r.Assign), Demand: unless(usual.Demand, r.Demand),
		Behaviour: unless(usual.Behaviour, r.Behaviour), Faults: unless(usual.Faults, r.Faults), Only: r.Only, Event: r.Event,
	}
}

// unless returns a value, or zero if it is the usual one.
func unless[T comparable](usual, is T) T {
	if is == usual {
		var zero T
		return zero
	}
	return is
}

// encoded returns the recipe as [Failure.Line] shows it.
func (r recipe) encoded() json.RawMessage {
	text, _ := json.Marshal(r) // strings and numbers always encode
	return text
}

// ReadOptions reads the options of a run as [Failure.Line] shows them.
func ReadOptions(text []byte) (Options, error) {
	r := recipe{Faults: Seeded}
	if err := strict.Unmarshal(text, &r, strict.RejectUnknownMembers(true)); err != nil {
		return Options{}, fmt.Errorf("what the day is made from: %w", err)
	}
	o := Options{
		Seed: r.Seed, Days: r.Days, Cars: r.Cars, Rides: r.Rides, Town: r.Town, Assigner: r.Assign,
		Demand: r.Demand, Behaviour: r.Behaviour, Only: r.Only, Event: r.Event,
	}
	var err error
	if o.Faults, err = ParseFaults(r.Faults); err != nil {
		return o, fmt.Errorf("faults: %w", err)
	}
	return o, o.Check()
}
