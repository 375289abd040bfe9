package simulator

import (
	"time"

	"github.com/cabrank/cabrank/store"
)

// meter is a taximeter.
type meter struct {
	pence  int64
	driven int64 // millimetres
	stood  int64 // milliseconds
	runs   bool
}

// reading is what the meter shows, to be stored.
func (m *meter) reading() store.Meter {
	return store.Meter{Pence: m.pence, Driven: m.driven, Stood: m.stood}
}

// set makes the meter show a stored reading. A zero reading means that it never ran.
func (m *meter) set(r store.Meter) {
	*m = meter{pence: r.Pence, driven: r.Driven, stood: r.Stood, runs: r != store.Meter{}}
}

// start charges the flag fall, once.
func (m *meter) start(f *fares, at moment) {
	if !m.runs {
		m.runs = true
		m.pence = f.at(at).band.Flag
	}
}

// drive adds a drive at an even speed.
func (m *meter) drive(f *fares, from moment, took time.Duration, millimetres int64) {
	covered, step := f.FlagMetres*1000, f.StepMetres*1000
	f.split(from, took, millimetres, func(b *Band, part int64) {
		before := steps(m.driven, covered, step)
		m.driven += part
		m.pence += b.Step * (steps(m.driven, covered, step) - before)
	})
}

// stand adds time at a standstill.
func (m *meter) stand(f *fares, from moment, d time.Duration) {
	free, spell := int64(f.FreeWait/time.Millisecond), int64(f.WaitSpell/time.Millisecond)
	f.split(from, d, int64(d/time.Millisecond), func(b *Band, part int64) {
		before := steps(m.stood, free, spell)
		m.stood += part
		m.pence += b.Wait * (steps(m.stood, free, spell) - before)
	})
}

// steps is how many steps have begun after an amount, of which some is free.
func steps(much, covered, step int64) int64 {
	if much <= covered {
		return 0
	}
	return ceil(much-covered, step)
}

// split divides an amount that is even over a time among the bands of that time.
func (f *fares) split(from moment, took time.Duration, much int64, add func(b *Band, part int64)) {
	whole := int64(took / time.Millisecond)
	done := int64(0)
	for at := from; ; {
		s := f.at(at)
		if end := from.add(took); s.until >= end {
			add(s.band, much-done)
			return
		}
		part := proportion(much, int64(s.until-from), whole) - done
		add(s.band, part)
		done += part
		at = s.until
	}
}

// proportion is much*part/whole, without overflow where part is at most whole.
func proportion(much, part, whole int64) int64 {
	return much/whole*part + much%whole*part/whole
}

// fare is what the meter shows, with the surcharges.
func (m *meter) fare(f *fares, airport, large bool) int64 {
	pence := m.pence
	if large && f.LargePercent > 0 {
		pence = pence * f.LargePercent / 100
	}
	if airport {
		pence += f.Airport
	}
	return pence
}
