// Package demand has the residents of a town book taxis: how often at which time of the
// week, who, from where and to where.
package demand

import (
	"fmt"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/chance"
)

// Demand describes how many taxis the residents of the town book. The zero value is no bookings.
type Demand struct {
	PerHour   int // mean number of bookings over a week
	Prebooked int // percentage of bookings for later
}

// Parse returns the demand with a name: none, quiet, town or city.
func Parse(name string) (Demand, error) {
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

// Next draws when the next resident books after a time. It uses thinning: bookings are drawn
// at the rate of the busiest hour, and in other hours some are dropped.
func (r *Residents) Next(draw *chance.Stream, now time.Time) time.Time {
	busiest := time.Hour * time.Duration(meanPercent) / time.Duration(int64(r.demand.PerHour)*peakPercent)
	for at := now; ; {
		at = at.Add(max(draw.Exponential(busiest), time.Millisecond))
		if draw.Below(peakPercent) < percentAt(at.In(r.zone)) {
			return at
		}
	}
}

// Request draws the content of a booking at a time. Its addresses are shared: do not change them.
func (r *Residents) Request(draw *chance.Stream, now time.Time) taxi.BookRequest {
	who := r.resident(int(draw.Below(int64(mostResidents))))
	from := r.origin(draw, who.home)
	return taxi.BookRequest{
		Name: who.name, PhoneNumber: who.phone,
		Pickup:          &r.stops[from].Address,
		Dropoffs:        r.destination(draw, from),
		PickupTime:      taxi.At(r.pickupTime(draw, now)),
		VehicleCategory: drawCategory(draw),
	}
}

// pickupTime returns now, or a multiple of five minutes for a resident who books ahead.
func (r *Residents) pickupTime(draw *chance.Stream, now time.Time) time.Time {
	const usually, least, even = 3 * time.Hour, 20 * time.Minute, 5 * time.Minute
	if draw.Below(100) >= int64(r.demand.Prebooked) {
		return now
	}
	at := now.Add(max(draw.Skewed(usually), least))
	return at.Add(even - time.Millisecond).Truncate(even)
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
