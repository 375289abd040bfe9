package trial

import (
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// What befalls the whole system in a day, at most so often.
const (
	crashesADay   = 3
	fullDisksADay = 2
	closingsADay  = 1
)

// dies is the value of day.doomed at which the process ends; above it, that many
// events are left, of which nothing will be durable and nobody hears.
const dies = 1

// planTroubles draws when the office closes, the disk fills up and the process
// dies.
func (d *day) planTroubles() {
	for n := range d.o.Days {
		for range closingsADay {
			d.shut(n)
		}
		if d.o.Faults.has(Disk) {
			for range 1 + d.draw.IntN(fullDisksADay) {
				d.fill(n)
			}
		}
		if d.o.Faults.has(Crash) {
			for range 1 + d.draw.IntN(crashesADay) {
				d.agenda.add(d.sometime(n), d.doom)
			}
		}
	}
}

// sometime draws a time of a day.
func (d *day) sometime(n int) time.Time {
	return began.Add(time.Duration(n)*24*time.Hour + d.upTo(24*time.Hour))
}

// upTo draws how long something takes, to the millisecond.
func (d *day) upTo(most time.Duration) time.Duration {
	return time.Duration(d.draw.Int64N(int64(most/time.Millisecond))) * time.Millisecond
}

// shut closes the office for some minutes, by either word.
func (d *day) shut(n int) {
	word := taxi.SystemClosed
	if d.draw.IntN(2) == 0 {
		word = taxi.SystemMaintenance
	}
	at := d.sometime(n)
	d.agenda.add(at, func() { d.set(word) })
	d.agenda.add(at.Add(d.upTo(15*time.Minute)), func() { d.set(taxi.SystemOK) })
}

// fill lets the disk be full for a while. The changes that come first are taken and
// then cannot be written.
func (d *day) fill(n int) {
	const most = 6
	at, unwritten := d.sometime(n), d.draw.IntN(most)
	d.agenda.add(at, func() { d.records.fill(unwritten) })
	d.agenda.add(at.Add(d.upTo(10*time.Minute)), func() {
		d.records.full = false
		d.watch.roomAgain = d.now
	})
}

// doom lets the process die after a few more events. What happens until then is
// lost, so nobody may hear of it.
func (d *day) doom() {
	const most = 8
	if d.doomed > 0 || d.records.full {
		return
	}
	if err := d.disk.keep(d.ctx, d.keys); err != nil {
		d.broke(ruleDurable, "what is durable cannot be read: "+err.Error())
		return
	}
	d.watch.keep()
	d.doomed = dies + d.draw.IntN(most)
}

// die ends the process and starts it again, after a while, with what was durable.
func (d *day) die() error {
	d.outcome.Crashes++
	d.doomed = 0
	records, err := d.disk.reopen(d.ctx)
	if err != nil {
		return err
	}
	d.now = d.now.Add(d.upTo(5 * time.Minute))
	if err := d.wake(records); err != nil {
		return err
	}
	d.watch.survived()
	return nil
}
