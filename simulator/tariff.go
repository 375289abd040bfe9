package simulator

import (
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Tariff is what a taximeter charges: a flag fall that covers the first stretch,
// then a step of pence for each stretch begun, and for each spell of standing.
type Tariff struct {
	Name       string
	Currency   string // ISO 4217
	Flag       int64  // pence
	FlagMetres int64  // covered by the flag fall
	Step       int64  // pence for each further stretch begun
	StepMetres int64
	Wait       int64         // pence for each spell of standing begun, once the free wait is over
	WaitSpell  time.Duration // how long such a spell is
	FreeWait   time.Duration // standing that costs nothing
}

// DayTariff returns the reference tariff: £3.60 for the first 600 m, then 20p
// for each 140 m, and 20p for each 36 s of waiting after the first two minutes.
// Decision, in the range of English councils' tariffs.
func DayTariff() Tariff {
	return Tariff{
		Name: "day", Currency: "GBP",
		Flag: 360, FlagMetres: 600,
		Step: 20, StepMetres: 140,
		Wait: 20, WaitSpell: 36 * time.Second, FreeWait: 2 * time.Minute,
	}
}

// Fare is what the meter shows, in pence, after so many millimetres driven and
// so long stood.
func (t Tariff) Fare(millimetres int64, stood time.Duration) int64 {
	pence := t.Flag
	if further := millimetres - t.FlagMetres*1000; further > 0 {
		pence += t.Step * ceil(further, t.StepMetres*1000)
	}
	if longer := stood - t.FreeWait; longer > 0 {
		pence += t.Wait * ceil(int64(longer), int64(t.WaitSpell))
	}
	return pence
}

// price puts pence into the contract's form.
func (t Tariff) price(pence int64, kind taxi.PriceType) *taxi.Price {
	return &taxi.Price{Value: float64(pence) / 100, Currency: t.Currency, Type: kind}
}

// ceil divides, rounding up.
func ceil(a, b int64) int64 { return (a + b - 1) / b }
