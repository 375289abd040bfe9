package simulator

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

// CouncilTariffs returns the reference table. Decision, in the range of English
// councils': by day £3.60 for the first 600 m, then 20p for each 140 m, and 20p
// for each 36 s of waiting after the first two minutes; at night, on Sundays and
// bank holidays a third more; at Christmas and New Year twice as much; £2.50 more
// at the airport; half as much again for five to eight passengers; nobody gives change
// below ten pence.
func CouncilTariffs() Tariffs {
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

// fares is a table of fares in use, with the band that applied last.
type fares struct {
	Tariffs
	zone  *time.Location
	known bandPeriod // looked up last
}

// bandPeriod is a period in which one band applies.
type bandPeriod struct {
	band        *Band
	from, until moment
}

func newFares(t Tariffs) (*fares, error) {
	zone, err := time.LoadLocation(t.Zone)
	switch {
	case err != nil:
		return nil, fmt.Errorf("tariffs: %w", err)
	case len(t.Bands) == 0:
		return nil, fmt.Errorf("tariffs: there is no band")
	case t.StepMetres <= 0 || t.WaitSpell < time.Millisecond:
		return nil, fmt.Errorf("tariffs: a stretch of %d m or a spell of %v is none", t.StepMetres, t.WaitSpell)
	}
	return &fares{Tariffs: t, zone: zone}, nil
}

// at returns the band of a moment and until when it is sure to apply. Bands change
// on the hour, as that zone has hours.
func (f *fares) at(m moment) bandPeriod {
	if m >= f.known.from && m < f.known.until {
		return f.known
	}
	t := m.time().In(f.zone)
	into := time.Duration(t.Minute())*time.Minute + time.Duration(t.Second())*time.Second + time.Duration(t.Nanosecond())
	f.known = bandPeriod{from: m.add(-into), until: m.add(time.Hour - into), band: &f.Bands[len(f.Bands)-1]}
	for i := range f.Bands[:len(f.Bands)-1] {
		if f.Bands[i].appliesAt(t) {
			f.known.band = &f.Bands[i]
			break
		}
	}
	return f.known
}

// price rounds pence to coins, and puts them into the contract's form.
func (f *fares) price(pence int64, kind taxi.PriceType) *taxi.Price {
	if f.Coin > 1 {
		pence = (pence + f.Coin/2) / f.Coin * f.Coin
	}
	return &taxi.Price{Value: float64(pence) / 100, Currency: f.Currency, Type: kind}
}

// ceil divides, rounding up.
func ceil(a, b int64) int64 { return (a + b - 1) / b }
