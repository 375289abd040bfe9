// Package fare prices journeys: a council's table of fares, and a taximeter that uses it.
// It does not depend on the simulated world.
package fare

import (
	"fmt"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Tariffs is a council's table of fares. The flag fall covers the first stretch. Each
// further stretch begun adds a step, and so does each spell of waiting begun after the
// free wait. The price of a step depends on the time at which it begins, so the night
// tariff applies to the part of a journey that is in the night.
type Tariffs struct {
	Currency string // ISO 4217
	Zone     string // time zone of the bands, such as Europe/London

	FlagMetres int64         // covered by the flag fall
	StepMetres int64         // length of a stretch
	WaitSpell  time.Duration // duration of a spell of standing
	FreeWait   time.Duration // standing that is free

	Bands []Band // the first band that applies is used; the last always applies

	Coin         int64 // prices are rounded to the nearest multiple, in pence; 0: one
	Airport      int64 // surcharge for a journey from or to an airport, in pence
	LargePercent int64 // price of a car for five to eight passengers, in percent of the fare
}

// Band is a part of the tariff: it applies at the hours from From until Until of every
// day, on Sundays and bank holidays, or on some dates.
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

// appliesAt reports whether a band applies at a time, given in its zone.
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

// Table is a table of fares in use. It must be used by one goroutine at a time, since it
// caches the band that applied last.
type Table struct {
	Tariffs
	Location *time.Location // of Zone
	known    bandPeriod     // the cached band
}

// bandPeriod is a period during which one band of a tariff applies.
type bandPeriod struct {
	band        *Band
	from, until time.Time
}

// New validates a table of fares: it needs a known zone, at least one band, and positive
// stretches and spells.
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

// at returns the band that applies at a time, with a period for which that is certain. Bands
// change on the hour in their zone.
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

// FlagFall returns the price of a journey that begins at a time and has no length, in
// pence.
func (f *Table) FlagFall(at time.Time) int64 { return f.at(at).band.Flag }

// Price rounds pence to coins, and returns a price of the contract.
func (f *Table) Price(pence int64, kind taxi.PriceType) *taxi.Price {
	if f.Coin > 1 {
		pence = (pence + f.Coin/2) / f.Coin * f.Coin
	}
	return &taxi.Price{Value: float64(pence) / 100, Currency: f.Currency, Type: kind}
}

// ceil divides, rounding up.
func ceil(a, b int64) int64 { return (a + b - 1) / b }
