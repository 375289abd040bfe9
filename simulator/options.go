package simulator

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/robfig/cron/v3"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/assign"
	"github.com/cabrank/cabrank/simulator/crew"
	"github.com/cabrank/cabrank/simulator/fare"
	"github.com/cabrank/cabrank/simulator/road"
	"github.com/cabrank/cabrank/simulator/town"
)

const defaultCars = 40

// defaultCentre is the position of the default town: in the North Sea, where nobody
// lives, at coordinates that look British.
var defaultCentre = taxi.Point{Longitude: 2.10, Latitude: 54.70}

// withDefaults returns the options with defaults for those not set, or an error for invalid ones.
func (o Options) withDefaults() (Options, error) {
	switch {
	case o.Speed < 0 || o.Speed > MaxSpeed:
		return o, fmt.Errorf("speed %d is not between 0 and %d", o.Speed, MaxSpeed)
	case o.Speed > 0 && o.Wall == nil:
		return o, errors.New("a clock that runs needs a wall to run by")
	case o.Cars < 0:
		return o, fmt.Errorf("%d cars are no fleet", o.Cars)
	case o.Crews != nil && o.Cars > len(o.Crews):
		return o, fmt.Errorf("%d cars but only %d crews", o.Cars, len(o.Crews))
	}
	if o.Start.IsZero() {
		o.Start = Epoch
		if o.Wall != nil {
			o.Start = o.Wall()
		}
	}
	if o.Centre == (taxi.Point{}) {
		o.Centre = defaultCentre
	}
	o.setRoads()
	o.setCrews()
	if o.Assigner == nil {
		o.Assigner = assign.Soonest{}
	}
	if o.Shifts == nil && o.Behaviour.Shifts {
		o.Shifts = crew.Roster()
	}
	if o.Tariffs == nil {
		council := fare.Council()
		o.Tariffs = &council
	}
	if o.Sweep == "" {
		o.Sweep = "* * * * *"
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o, nil
}

// setRoads sets the default roads and places.
func (o *Options) setRoads() {
	if o.Town != nil {
		if o.Roads == nil {
			o.Roads = road.Streets(o.Town)
		}
		if o.Places == nil {
			o.Places = placesOf(o.Town)
		}
	}
	if o.Roads == nil {
		o.Roads = road.Plane(road.SpotOf(o.Centre))
	}
	if o.Places == nil {
		o.Places = fixtures.Places()
	}
}

// setCrews sets the default number of cars and their crews.
func (o *Options) setCrews() {
	if o.Cars == 0 {
		o.Cars = defaultCars
		if o.Crews != nil {
			o.Cars = len(o.Crews)
		}
	}
	if o.Crews == nil {
		o.Crews = crew.First(o.Cars)
	}
	o.Crews = o.Crews[:o.Cars]
}

// schedules parses the given schedule of the sweep and the fixed one of pruning.
func schedules(sweep string) (sweepAt, pruneAt cron.Schedule, err error) {
	if sweepAt, err = crew.Schedule(sweep); err != nil {
		return nil, nil, fmt.Errorf("sweep: %w", err)
	}
	if pruneAt, err = crew.Schedule("17 3 * * *"); err != nil {
		return nil, nil, err
	}
	return sweepAt, pruneAt, nil
}

// placesOf returns a town's places in the form of the fixtures.
func placesOf(t *town.Town) []fixtures.Place {
	all := make([]fixtures.Place, len(t.Places))
	for i, p := range t.Places {
		all[i] = fixtures.Place{Address: t.Wire(p.Address), Name: p.Name, Kind: string(p.Kind)}
	}
	return all
}

// gazetteer returns the town and the places that the world's dispatch system lists.
func gazetteer(o *Options) dispatch.Gazetteer {
	g := dispatch.Gazetteer{Places: make([]dispatch.Place, len(o.Places))}
	if o.Town != nil {
		g.Town = o.Town.Name
	}
	for i, p := range o.Places {
		g.Places[i] = dispatch.Place{Name: p.Name, Kind: p.Kind, Address: p.Address}
	}
	return g
}

// airports returns the spots of the airports, to and from which prices are fixed.
func airports(places []fixtures.Place) []road.Spot {
	var all []road.Spot
	for _, p := range places {
		if p.Kind == string(town.Airport) {
			all = append(all, road.SpotOf(*p.Location))
		}
	}
	return all
}

// localAddress translates an address of the fixtures' town to this world: a place of the
// same kind if there is one, or else another place. Other addresses are unchanged.
func (w *core) localAddress(a *taxi.Address) *taxi.Address {
	if w.town == nil || len(w.places) == 0 {
		return a
	}
	theirs := fixtures.Places()
	i := slices.IndexFunc(theirs, func(p fixtures.Place) bool { return p.Address.Address == a.Address })
	if i < 0 {
		return a
	}
	here := w.places[i%len(w.places)].Address
	if same := slices.IndexFunc(w.places, func(p fixtures.Place) bool { return p.Kind == theirs[i].Kind }); same >= 0 {
		here = w.places[same].Address
	}
	return &here
}
