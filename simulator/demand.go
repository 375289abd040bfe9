package simulator

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/chance"
)

// ParseDemand returns the demand with a name: none, quiet, town or city.
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

// hourlyPercent is the rate of bookings by hour of the day, in percent of the mean, by
// the town's clock.
var hourlyPercent = [24]int64{
	60, 45, 30, 18, 22, 40, 75, 120, 135, 115, 100, 100,
	105, 105, 105, 115, 125, 138, 140, 132, 115, 105, 95, 80,
}

// weekendNights replaces hourlyPercent in the nights to Saturday and to Sunday, from nine
// in the evening to four.
var weekendNights = map[int]int64{21: 125, 22: 150, 23: 175, 0: 175, 1: 160, 2: 120, 3: 60}

// percentAt returns the rate of bookings at a time, in percent of the mean.
func percentAt(t time.Time) int64 {
	hour, day := t.Hour(), t.Weekday()
	weekend := (day == time.Friday || day == time.Saturday) && hour >= 21 ||
		(day == time.Saturday || day == time.Sunday) && hour < 4
	if weekend {
		return weekendNights[hour]
	}
	return hourlyPercent[hour]
}

// peakPercent is the maximum of percentAt, and meanPercent its mean over a week.
var peakPercent, meanPercent = peakAndMean()

func peakAndMean() (most, mean int64) {
	const hours = 7 * 24
	monday := time.Date(2026, time.June, 1, 0, 0, 0, 0, time.UTC)
	for i := range hours {
		f := percentAt(monday.Add(time.Duration(i) * time.Hour))
		most, mean = max(most, f), mean+f
	}
	return most, mean / hours
}

// planDemand plans the first booking of the residents, if they book at all.
func (w *core) planDemand(o *Options) error {
	switch {
	case o.Demand.PerHour == 0:
		return nil
	case o.Demand.PerHour < 0 || o.Demand.PerHour > 1_000_000:
		return fmt.Errorf("%d bookings an hour are no demand", o.Demand.PerHour)
	}
	w.demand = demand{Demand: o.Demand, residents: newResidents(o), zone: w.fares.Location}
	w.planNextBooking()
	return nil
}

// planNextBooking plans the next booking by thinning: bookings are drawn at the rate of
// the busiest hour, and in other hours some are dropped.
func (w *core) planNextBooking() {
	d := &w.demand
	busiest := time.Hour * time.Duration(meanPercent) / time.Duration(int64(d.PerHour)*peakPercent)
	draw := chance.New(w.seed, chance.Demand, uint64(w.now), 0)
	at := w.now
	for {
		at = at.add(max(draw.Exponential(busiest), time.Millisecond))
		if draw.Below(peakPercent) < percentAt(at.time().In(d.zone)) {
			break
		}
	}
	w.plan(event{at: at, kind: evDemand})
}

// bookForResident makes the booking that is due, and plans the next.
func (w *core) bookForResident() {
	w.planNextBooking()
	draw := chance.New(w.seed, chance.Person, uint64(w.now), 0)
	r := w.demand.request(&draw, w.now)
	w.demand.books = true
	if err := w.service.BookWithin(w.now.time(), r); err != nil {
		w.log.Debug("the office did not take a booking", slog.Any("reason", err))
	}
	w.demand.books = false
}

// request draws the content of a booking.
func (d *demand) request(draw *chance.Stream, now moment) taxi.BookRequest {
	who := d.residents.resident(int(draw.Below(int64(mostResidents))))
	from := d.residents.origin(draw, who.home)
	r := taxi.BookRequest{
		Name: who.name, PhoneNumber: who.phone,
		Pickup:          &d.residents.stops[from].Address,
		Dropoffs:        d.residents.destination(draw, from),
		PickupTime:      taxi.At(d.pickupTime(draw, now).time()),
		VehicleCategory: drawCategory(draw),
	}
	return r
}

// pickupTime returns now, or a multiple of five minutes for a resident who books ahead.
func (d *demand) pickupTime(draw *chance.Stream, now moment) moment {
	const usually, least, even = 3 * time.Hour, 20 * time.Minute, 5 * time.Minute
	if draw.Below(100) >= int64(d.Prebooked) {
		return now
	}
	at := now.add(max(draw.Skewed(usually), least))
	ms := moment(even / time.Millisecond)
	return (at + ms - 1) / ms * ms
}

// drawCategory draws the vehicle category of a booking.
func drawCategory(draw *chance.Stream) string {
	switch n := draw.Below(100); {
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
