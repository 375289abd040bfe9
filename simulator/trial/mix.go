package trial

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/town"
)

// Seeded, as the text of an option, leaves the choice to the seed; so does "".
const Seeded = "seed"

// SeededFaults leaves the choice of faults to the seed.
const SeededFaults Faults = 1 << 7

// drawMix is the stream of chance that options are drawn from.
const drawMix = 1<<40 + 1

// withDefaults fills in what was left out. The size of the day has fixed defaults; the
// rest follows from the seed. Each value is drawn whether or not it is needed, so that
// choosing one does not change the others.
func (o Options) withDefaults() Options {
	o.Days = max(o.Days, 1)
	if o.Cars <= 0 {
		o.Cars = defaultCars
	}
	if o.Rides <= 0 {
		o.Rides = defaultRides
	}
	draw := rand.New(rand.NewPCG(o.Seed, drawMix))
	for _, choice := range []struct {
		of   *string
		from []string
	}{
		{&o.Town, []string{"none", "none", "none", "none", onStreets, onStreets}}, // a day on streets takes longer
		{&o.Assigner, []string{"nearest", "eta", "batch", "rank", "clear"}},
		{&o.Demand, []string{"none", "none", "none", "5"}},
		{&o.Behaviour, []string{"stormy", "stormy", "stormy", "stormy", "stormy", "stormy", "typical", "calm"}},
	} {
		drawn := choice.from[draw.IntN(len(choice.from))]
		if *choice.of == "" || *choice.of == Seeded {
			*choice.of = drawn
		}
	}
	drawn := AllFaults
	if draw.IntN(4) == 0 {
		drawn = Faults(draw.IntN(int(AllFaults) + 1))
	}
	if o.Faults == SeededFaults {
		o.Faults = drawn
	}
	return o
}

// onStreets is the town of a day on the streets of the default town.
const onStreets = "otterbridge"

// Check says what is wrong with options, apart from the size of the day.
func (o Options) Check() error {
	_, err := World(o)
	return err
}

// streets returns the town with a name; nil for none.
func streets(name string) (*town.Town, error) {
	switch name {
	case "none":
		return nil, nil //nolint:nilnil // no town is a choice
	case onStreets:
		return town.Default(), nil
	}
	return nil, fmt.Errorf("town %q is neither none nor %s", name, onStreets)
}

// demand reads how much the people of the town book: a name that
// [simulator.ParseDemand] knows, or how many bookings an hour.
func demand(text string) (simulator.Demand, error) {
	const most, prebooked = 1_000, 20
	hourly, err := strconv.Atoi(text)
	if err != nil {
		return simulator.ParseDemand(text)
	}
	if hourly < 0 || hourly > most {
		return simulator.Demand{}, fmt.Errorf("demand %d is not between 0 and %d an hour", hourly, most)
	}
	return simulator.Demand{PerHour: hourly, Prebooked: prebooked}, nil
}
