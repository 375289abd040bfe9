package tracking

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// zonelessDate is a returned date without a zone, with the pickupTime that was sent. One such date
// may be right in some zone; two may contradict each other.
type zonelessDate struct {
	check       string // the check that judges it
	shown, sent jsonvalue.Value
	at          time.Time     // the instant sent
	ahead       time.Duration // the date read as UTC, minus that instant
	book, read  *conformance.Exchange
}

// noteZoneless records, for judgeZones, a date without a zone that is the instant sent in some
// zone. It ignores other dates.
func (r *tracker) noteZoneless(check string, shown, sent jsonvalue.Value, book, read *conformance.Exchange) {
	is, err := taxi.ParseTime(shown.Text())
	at, wrong := taxi.ParseTime(sent.Text())
	if err != nil || wrong != nil || !is.Local || at.Local || !rules.SameInstant(shown, sent) {
		return
	}
	ahead := is.Sub(at.Time).Round(time.Minute)
	r.zoneless = append(r.zoneless, zonelessDate{check, shown, sent, at.Time, ahead, book, read})
}

// judgeZones judges all dates without a zone together: one zone has to fit all of them,
// allowing for a change of the clocks by an hour between two days.
func (r *tracker) judgeZones() {
	usual := usualClock(r.zoneless)
	for _, d := range r.zoneless {
		if other := contradicting(d, usual, r.zoneless); other != nil {
			failZone(d, *other, &r.Findings)
		} else {
			r.Pass(d.check, d.read)
		}
	}
	for _, x := range r.withoutZone {
		date := x.Reply().At("date")
		r.Warn("STA-04", "/date has no zone"+inferred(r.zoneless, usual), "Z or an offset", date, x)
	}
}

func failZone(d, other zonelessDate, s *conformance.Findings) {
	message := fmt.Sprintf("%s is %s for a pickup at %s, and was %s for one at %s: no clock shows both",
		d.shown.Pointer(), d.shown.Text(), d.sent.Text(), other.shown.Text(), other.sent.Text())
	if len(d.sent.Text()) > len(d.shown.Text()) && d.sent.Text()[:len(d.shown.Text())] == d.shown.Text() && d.ahead != 0 {
		message = fmt.Sprintf("%s has lost its offset: %s was sent, %s is shown", d.shown.Pointer(), d.sent.Text(), d.shown.Text())
	}
	s.Fail(d.check, message, "string, the instant "+d.sent.Text(), d.shown, other.read, d.book, d.read)
}

// usualClock returns the offset from UTC at which most of the dates without a zone are right.
func usualClock(all []zonelessDate) time.Duration {
	count := map[time.Duration]int{}
	var usual time.Duration
	for i, d := range all {
		count[d.ahead]++
		if i == 0 || count[d.ahead] > count[usual] {
			usual = d.ahead
		}
	}
	return usual
}

// season is the minimum time between two changes of the clocks: no country changes them
// twice within it.
const season = 20 * 24 * time.Hour

// contradicting returns a date on the usual clock that contradicts d, which is on another clock. It
// returns nil if a change of the clocks between the two explains the difference.
func contradicting(d zonelessDate, usual time.Duration, all []zonelessDate) *zonelessDate {
	if d.ahead == usual {
		return nil
	}
	byNearness := slices.SortedFunc(slices.Values(all), func(a, b zonelessDate) int {
		return cmp.Compare(a.at.Sub(d.at).Abs(), b.at.Sub(d.at).Abs())
	})
	earlier, later := false, false
	for i, other := range byNearness {
		if other.ahead != usual || other.at.Sub(d.at).Abs() > season {
			continue
		}
		earlier = earlier || !other.at.After(d.at)
		later = later || !other.at.Before(d.at)
		if earlier && later || !changesBetween(d, other) {
			return &byNearness[i]
		}
	}
	return nil
}

// changesBetween reports whether the clocks may have changed between two pickups. In every
// country they change by an hour or less, in a night between a Thursday and a Monday.
func changesBetween(a, b zonelessDate) bool {
	if (a.ahead - b.ahead).Abs() > time.Hour {
		return false
	}
	from, to := a.at, b.at
	if from.After(to) {
		from, to = to, from
	}
	for day := from.UTC().Truncate(24 * time.Hour); !day.After(to); day = day.Add(24 * time.Hour) {
		if w := day.Weekday(); w != time.Tuesday && w != time.Wednesday {
			return true
		}
	}
	return false
}

// inferred returns a phrase that names the clock on which all dates without a zone are right, or "" if there is none.
func inferred(all []zonelessDate, usual time.Duration) string {
	one := func(d zonelessDate) bool { return d.ahead != usual }
	if len(all) == 0 || slices.ContainsFunc(all, one) {
		return ""
	}
	name := "UTC"
	if usual != 0 {
		sign := "+"
		if usual < 0 {
			sign = "-"
		}
		name += fmt.Sprintf("%s%02d:%02d", sign, int(usual.Abs().Hours()), int(usual.Abs().Minutes())%60)
	}
	return ": all are right on a clock of " + name + ", which a client has to guess"
}

// zoneMissing reports whether a date-time has no zone.
func zoneMissing(v jsonvalue.Value) bool {
	t, err := taxi.ParseTime(v.Text())
	return err == nil && t.Local
}
