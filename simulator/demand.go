package simulator

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Demand is how much the people of the town book by themselves. The zero value is
// nobody.
type Demand struct {
	PerHour   int // bookings, on the average of a week
	Prebooked int // in percent, for later
}

// ParseDemand returns the demand of a name: none, quiet, town or city.
func ParseDemand(name string) (Demand, error) {
	const prebooked = 20
	switch name {
	case "none":
		return Demand{}, nil
	case "quiet":
		return Demand{60, prebooked}, nil
	case "town":
		return Demand{125, prebooked}, nil
	case "city":
		return Demand{8_300, prebooked}, nil
	default:
		return Demand{}, fmt.Errorf("%q is none of none, quiet, town and city", name)
	}
}

// ebb is how bookings come and go over the hours of a day, in percent, by the
// town's clock: least at three in the morning, most at the end of the working day,
// with a second peak where the week ends.
var ebb = [24]int64{
	60, 45, 30, 18, 22, 40, 75, 120, 135, 115, 100, 100,
	105, 105, 105, 115, 125, 138, 140, 132, 115, 105, 95, 80,
}

// nightOut is the same for the nights from Friday to Saturday and from Saturday to
// Sunday, from nine in the evening to four.
var nightOut = map[int]int64{21: 125, 22: 150, 23: 175, 0: 175, 1: 160, 2: 120, 3: 60}

// flow is how bookings come in at an hour, in percent of the mean.
func flow(t time.Time) int64 {
	hour, day := t.Hour(), t.Weekday()
	weekend := (day == time.Friday || day == time.Saturday) && hour >= 21 ||
		(day == time.Saturday || day == time.Sunday) && hour < 4
	if weekend {
		return nightOut[hour]
	}
	return ebb[hour]
}

// highTide is the most that flow returns, and meanTide its mean over a week.
var highTide, meanTide = tides()

func tides() (most, mean int64) {
	const hours = 7 * 24
	monday := time.Date(2026, time.June, 1, 0, 0, 0, 0, time.UTC)
	for i := range hours {
		f := flow(monday.Add(time.Duration(i) * time.Hour))
		most, mean = max(most, f), mean+f
	}
	return most, mean / hours
}

// demand is the people of the town at work on their phones.
type demand struct {
	Demand
	folk *folk
	zone *time.Location
}

// planDemand lets the people of the town book, if they do.
func (w *World) planDemand(o *Options) error {
	switch {
	case o.Demand.PerHour == 0:
		return nil
	case o.Demand.PerHour < 0 || o.Demand.PerHour > 1_000_000:
		return fmt.Errorf("%d bookings an hour are no demand", o.Demand.PerHour)
	}
	w.demand = &demand{Demand: o.Demand, folk: newFolk(o), zone: w.fares.zone}
	w.nextCall()
	return nil
}

// nextCall plans the next booking: by thinning, calls come evenly at the rate of
// the busiest hour and are dropped in proportion at any other.
func (w *World) nextCall() {
	d := w.demand
	busiest := time.Hour * time.Duration(meanTide) / time.Duration(int64(d.PerHour)*highTide)
	draw := newStream(w.seed, drawDemand, uint64(w.now), 0)
	at := w.now
	for {
		at = at.add(max(draw.exponential(busiest), time.Millisecond))
		if draw.below(highTide) < flow(at.time().In(d.zone)) {
			break
		}
	}
	w.plan(event{at: at, kind: evDemand})
}

// hail makes the booking that is due, and plans the next.
func (w *World) hail() {
	w.nextCall()
	draw := newStream(w.seed, drawPerson, uint64(w.now), 0)
	r := w.demand.request(&draw, w.now)
	if _, err := w.service.BookWithin(w.now.time(), r); err != nil {
		w.log.Debug("the office did not take a booking", slog.Any("reason", err))
	}
}

// request is a booking of somebody from somewhere to somewhere.
func (d *demand) request(draw *stream, now moment) taxi.BookRequest {
	who := d.folk.person(int(draw.below(int64(mostFolk))))
	from := d.folk.origin(draw, who.home)
	r := taxi.BookRequest{
		Name: who.name, PhoneNumber: who.phone,
		Pickup:          &d.folk.stops[from].Address,
		Dropoffs:        d.folk.destination(draw, from),
		PickupTime:      taxi.At(d.pickupTime(draw, now).time()),
		VehicleCategory: wanted(draw),
	}
	return r
}

// pickupTime is now, or for who books ahead at five minutes past, ten past or so.
func (d *demand) pickupTime(draw *stream, now moment) moment {
	const usually, least, even = 3 * time.Hour, 20 * time.Minute, 5 * time.Minute
	if draw.below(100) >= int64(d.Prebooked) {
		return now
	}
	at := now.add(max(draw.skewed(usually), least))
	ms := moment(even / time.Millisecond)
	return (at + ms - 1) / ms * ms
}

// wanted is the vehicle category that somebody asks for.
func wanted(draw *stream) string {
	switch n := draw.below(100); {
	case n < 88:
		return ""
	case n < 92:
		return "estate"
	case n < 97:
		return "mpv"
	case n < 99:
		return "accessible"
	default:
		return "executive"
	}
}
