package simulator

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/robfig/cron/v3"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/fare"
)

const defaultCars = 40

// defaultCentre is where the town lies: in the North Sea, where nobody lives, at
// coordinates that look British.
var defaultCentre = taxi.Point{Longitude: 2.10, Latitude: 54.70}

// withDefaults fills in what was left out, and refuses what makes no sense.
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
		o.Assigner = Soonest{}
	}
	if o.Shifts == nil && o.Behaviour.Shifts {
		o.Shifts = Roster()
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

// setRoads fills in the roads and the places.
func (o *Options) setRoads() {
	if o.Town != nil {
		if o.Roads == nil {
			o.Roads = Streets(o.Town)
		}
		if o.Places == nil {
			o.Places = placesOf(o.Town)
		}
	}
	if o.Roads == nil {
		o.Roads = Plane(SpotOf(o.Centre))
	}
	if o.Places == nil {
		o.Places = fixtures.Places()
	}
}

// setCrews fills in the number of cars and their crews.
func (o *Options) setCrews() {
	if o.Cars == 0 {
		o.Cars = defaultCars
		if o.Crews != nil {
			o.Cars = len(o.Crews)
		}
	}
	if o.Crews == nil {
		o.Crews = Crews(o.Cars)
	}
	o.Crews = o.Crews[:o.Cars]
}

// schedules reads when to sweep and when to prune.
func schedules(sweep string) (sweepAt, pruneAt cron.Schedule, err error) {
	if sweepAt, err = utcSchedule(sweep); err != nil {
		return nil, nil, fmt.Errorf("sweep: %w", err)
	}
	if pruneAt, err = utcSchedule("17 3 * * *"); err != nil {
		return nil, nil, err
	}
	return sweepAt, pruneAt, nil
}

// utcSchedule reads a cron line in UTC, where no hour is missing or occurs twice.
func utcSchedule(line string) (cron.Schedule, error) {
	if strings.Contains(line, "TZ=") {
		return nil, fmt.Errorf("%q: a schedule is in UTC and names no time zone", line)
	}
	at, err := cron.ParseStandard(line)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", line, err)
	}
	if at.Next(Epoch).IsZero() {
		return nil, fmt.Errorf("%q: that time never comes", line)
	}
	return at, nil
}
