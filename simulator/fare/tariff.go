// Package fare prices journeys: a council's table of fares, and a taximeter that runs by it. It
// knows pence, metres and times, and nothing of a world.
package fare

import (
	"fmt"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Tariffs is a council's table of fares. The flag fall covers the first stretch. Each
// further stretch begun adds a step, and so does each spell of waiting begun after the
// free wait. The price of a step depends on the time at which it begins, so a journey
// into the night costs by the night's tariff from then on.
type Tariffs struct {
	Currency string // ISO 4217
	Zone     string // whose clock and calendar the bands go by, such as Europe/London

	FlagMetres int64         // covered by the flag fall
	StepMetres int64         // a stretch
	WaitSpell  time.Duration // a spell of standing
	FreeWait   time.Duration // standing that costs nothing

	Bands []Band // the first that applies counts; the last applies always

	Coin         int64 // pence that prices are whole multiples of, rounded to the nearest; 0: one
	Airport      int64 // pence on top of a journey from or to an airport
	LargePercent int64 // what a car for five to eight costs, in percent of the fare
}

// Band is what the meter charges while it applies: at the hours of From until
// Until of every day, on Sundays and bank holidays, or on some dates.
type Band struct {
	Name string
	Flag int64 // pence, for a journey that begins in it
	Step int64 // pence for each further stretch
	Wait int64 // pence for each spell of standing

	From, Until int    // hours, such as 23 and 6 for the night; equal: no hours
	Sundays     bool   // and bank holidays of England
	Dates       []Date // every year
}

// Date is a day of every year.
type Date struct {
	Month time.Month
	Day   int
}

// Council returns the reference table. Decision, in the range of English
// councils': by day £3.60 for the first 600 m, then 20p for each 140 m, and 20p
// for each 36 s of waiting after the first two minutes; at night, on Sundays and
// bank holidays a third more; at Christmas and New Year twice as much; £2.50 more
// at the airport; half as much again for five to eight passengers; nobody gives change
// below ten pence.
func Council() Tariffs {
	return Tariffs{
		Currency: "GBP", Zone: "Europe/London",
		FlagMetres: 600, StepMetres: 140,
		WaitSpell: 36 * time.Second, FreeWait: 2 * time.Minute,
		Bands: []Band{
			{
				Name: "holiday", Flag: 720, Step: 40, Wait: 40,
				Dates: []Date{{time.December, 25}, {time.December, 26}, {time.January, 1}},
			},
			{Name: "night", Flag: 479, Step: 27, Wait: 27, From: 23, Until: 6, Sundays: true},
			{Name: "day", Flag: 360, Step: 20, Wait: 20},
		},
		Coin: 10, Airport: 250, LargePercent: 150,
	}
}

// appliesAt reports whether a band is for an instant, given in its zone.
func (b *Band) appliesAt(t time.Time) bool {
	hour := t.Hour()
	switch {
	case b.From < b.Until && hour >= b.From && hour < b.Until,
		b.From > b.Until && (hour >= b.From || hour < b.Until):
		return true
	case b.Sundays && (t.Weekday() == time.Sunday || bankHoliday(t)):
		return true
	}
	for _, d := range b.Dates {
		if t.Month() == d.Month && t.Day() == d.Day {
			return true
		}
	}
	return false
}

// Table is a table of fares in use. It is for one goroutine at a time: it remembers the band that
// applied last.
type Table struct {
	Tariffs
	Location *time.Location // of Zone
	known    bandPeriod     // looked up last
}

// bandPeriod is a period in which one band applies.
type bandPeriod struct {
	band        *Band
	from, until time.Time
}

// New checks a table of fares: it needs a zone that is known, a band, and stretches and spells
// that are some.
func New(t Tariffs) (*Table, error) {
	zone, err := time.LoadLocation(t.Zone)
	switch {
	case err != nil:
		return nil, fmt.Errorf("tariffs: %w", err)
	case len(t.Bands) == 0:
		return nil, fmt.Errorf("tariffs: there is no band")
	case t.StepMetres <= 0 || t.WaitSpell < time.Millisecond:
		return nil, fmt.Errorf("tariffs: a stretch of %d m or a spell of %v is none", t.StepMetres, t.WaitSpell)
	}
	return &Table{Tariffs: t, Location: zone}, nil
}

// at returns the band of an instant and until when it is sure to apply. Bands change
// on the hour, as that zone has hours.
func (f *Table) at(at time.Time) bandPeriod {
	if !at.Before(f.known.from) && at.Before(f.known.until) {
		return f.known
	}
	t := at.In(f.Location)
	into := time.Duration(t.Minute())*time.Minute + time.Duration(t.Second())*time.Second + time.Duration(t.Nanosecond())
	f.known = bandPeriod{from: at.Add(-into), until: at.Add(time.Hour - into), band: &f.Bands[len(f.Bands)-1]}
	for i := range f.Bands[:len(f.Bands)-1] {
		if f.Bands[i].appliesAt(t) {
			f.known.band = &f.Bands[i]
			break
		}
	}
	return f.known
}

// FlagFall is the price of a journey that begins at an instant and goes nowhere, in pence.
func (f *Table) FlagFall(at time.Time) int64 { return f.at(at).band.Flag }

// Price rounds pence to coins, and puts them into the contract's form.
func (f *Table) Price(pence int64, kind taxi.PriceType) *taxi.Price {
	if f.Coin > 1 {
		pence = (pence + f.Coin/2) / f.Coin * f.Coin
	}
	return &taxi.Price{Value: float64(pence) / 100, Currency: f.Currency, Type: kind}
}

// ceil divides, rounding up.
func ceil(a, b int64) int64 { return (a + b - 1) / b }
