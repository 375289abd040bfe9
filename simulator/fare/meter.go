package fare

import (
	"time"

	"github.com/cabrank/cabrank/store"
)

// Meter is a taximeter. The zero value has not run.
type Meter struct {
	pence  int64
	driven int64 // millimetres
	stood  int64 // milliseconds
	runs   bool
}

// Reading returns the meter's state, to be stored.
func (m *Meter) Reading() store.Meter {
	return store.Meter{Pence: m.pence, Driven: m.driven, Stood: m.stood}
}

// Set restores a stored reading. A zero reading means that the meter has not run.
func (m *Meter) Set(r store.Meter) {
	*m = Meter{pence: r.Pence, driven: r.Driven, stood: r.Stood, runs: r != store.Meter{}}
}

// Start charges the flag fall, once.
func (m *Meter) Start(f *Table, at time.Time) {
	if !m.runs {
		m.runs = true
		m.pence = f.at(at).band.Flag
	}
}

// Drive adds a drive at constant speed.
func (m *Meter) Drive(f *Table, from time.Time, took time.Duration, millimetres int64) {
	covered, step := f.FlagMetres*1000, f.StepMetres*1000
	f.split(from, took, millimetres, func(b *Band, part int64) {
		before := steps(m.driven, covered, step)
		m.driven += part
		m.pence += b.Step * (steps(m.driven, covered, step) - before)
	})
}

// Stand adds time at a standstill.
func (m *Meter) Stand(f *Table, from time.Time, d time.Duration) {
	free, spell := int64(f.FreeWait/time.Millisecond), int64(f.WaitSpell/time.Millisecond)
	f.split(from, d, int64(d/time.Millisecond), func(b *Band, part int64) {
		before := steps(m.stood, free, spell)
		m.stood += part
		m.pence += b.Wait * (steps(m.stood, free, spell) - before)
	})
}

// steps returns how many steps an amount has begun, of which covered is free.
func steps(much, covered, step int64) int64 {
	if much <= covered {
		return 0
	}
	return ceil(much-covered, step)
}

// split divides an amount that is spread evenly over a time among the bands that apply in it, and calls add for each part.
func (f *Table) split(from time.Time, took time.Duration, much int64, add func(b *Band, part int64)) {
	whole := int64(took / time.Millisecond)
	done := int64(0)
	for at := from; ; {
		s := f.at(at)
		if end := from.Add(took); !s.until.Before(end) {
			add(s.band, much-done)
			return
		}
		part := Proportion(much, int64(s.until.Sub(from)/time.Millisecond), whole) - done
		add(s.band, part)
		done += part
		at = s.until
	}
}

// Proportion returns much*part/whole, without overflow if part is at most whole.
func Proportion(much, part, whole int64) int64 {
	return much/whole*part + much%whole*part/whole
}

// Fare returns the fare in pence, with the surcharges.
func (m *Meter) Fare(f *Table, airport, large bool) int64 {
	pence := m.pence
	if large && f.LargePercent > 0 {
		pence = pence * f.LargePercent / 100
	}
	if airport {
		pence += f.Airport
	}
	return pence
}
