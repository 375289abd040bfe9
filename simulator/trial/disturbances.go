package trial

import (
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// The disturbances of the whole system, and how often each occurs in a day at most.
const (
	crashesADay   = 3
	fullDisksADay = 2
	closingsADay  = 1
)

// dieNow is the value of day.dieAfter at which the process ends. A higher value is the
// number of events left, of which nothing is durable and no answer arrives.
const dieNow = 1

// planDisturbances draws when the office closes, the disk fills up and the process
// dies.
func (d *day) planDisturbances() {
	for n := range d.o.Days {
		for range closingsADay {
			d.closeOffice(n)
		}
		if d.o.Faults.has(Disk) {
			for range 1 + d.draw.IntN(fullDisksADay) {
				d.fillDisk(n)
			}
		}
		if d.o.Faults.has(Crash) {
			for range 1 + d.draw.IntN(crashesADay) {
				d.agenda.add(d.sometime(n), d.planCrash)
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

// closeOffice closes the office for some minutes, as CLOSED or MAINTENANCE.
func (d *day) closeOffice(n int) {
	word := taxi.SystemClosed
	if d.draw.IntN(2) == 0 {
		word = taxi.SystemMaintenance
	}
	at := d.sometime(n)
	d.agenda.add(at, func() { d.setSystem(word) })
	d.agenda.add(at.Add(d.upTo(15*time.Minute)), func() { d.setSystem(taxi.SystemOK) })
}

// fillDisk makes the disk full for a while. The first changes are accepted and then cannot
// be written.
func (d *day) fillDisk(n int) {
	const most = 6
	at, unwritten := d.sometime(n), d.draw.IntN(most)
	d.agenda.add(at, func() { d.records.fillUp(unwritten) })
	d.agenda.add(at.Add(d.upTo(10*time.Minute)), func() {
		d.records.full = false
		d.watch.roomAgain = d.now
	})
}

// planCrash plans the end of the process after a few more events. What happens until
// then is lost, so no answer may arrive.
func (d *day) planCrash() {
	const most = 8
	if d.dieAfter > 0 || d.records.full {
		return
	}
	if err := d.disk.saveDurable(d.ctx, d.keys); err != nil {
		d.fail(ruleDurable, "what is durable cannot be read: "+err.Error())
		return
	}
	d.watch.keep()
	d.dieAfter = dieNow + d.draw.IntN(most)
}

// crash ends the process, and starts it again after a while with what was durable.
func (d *day) crash() error {
	d.outcome.Crashes++
	d.dieAfter = 0
	records, err := d.disk.reopen(d.ctx)
	if err != nil {
		return err
	}
	d.now = d.now.Add(d.upTo(5 * time.Minute))
	if err := d.start(records); err != nil {
		return err
	}
	d.watch.checkRestart()
	return nil
}
