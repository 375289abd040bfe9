package platform_test

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// What callers are told.
const (
	saysBooked    = "Your taxi is booked."
	saysHeld      = "We have your booking"
	saysChanged   = "Your booking is changed."
	saysCancelled = "Your taxi is cancelled."
	saysTold      = "I have told the driver."
)

// recordings are what both ends have recorded: the platform in its events, and dispatch in its database, before and
// after the calls.
type recordings struct {
	booked, cancelled, unsure, refused, told map[string][]taxiEvent // by call
	before, after                            map[taxi.E164][]*store.Snapshot
}

// agree checks that what callers were told, the platform's events and dispatch's database agree.
func (e *ends) agree(all []*endsCaller, before map[taxi.E164][]*store.Snapshot) {
	r := recordings{
		booked: e.hook.of(e.t, "taxi.booked"), cancelled: e.hook.of(e.t, "taxi.cancelled"),
		unsure: e.hook.of(e.t, "taxi.unsure"), refused: e.hook.of(e.t, "taxi.refused"),
		told: e.hook.of(e.t, "taxi.coming-now"), before: before, after: e.journeys(),
	}
	named := map[string]bool{}
	for _, c := range all {
		for _, b := range e.agreeOnBookings(c, r) {
			require.False(e.t, named[b], "%s was told to two callers", b)
			named[b] = true
		}
		e.agreeOnChanges(c, r)
		e.agreeOnCancellations(c, r)
		e.wasTold(c, len(r.told[c.view.CallID]), saysTold)
	}
}

// has returns the journey with an id from a list, or nil.
func has(list []*store.Snapshot, id string) *store.Snapshot {
	i := slices.IndexFunc(list, func(j *store.Snapshot) bool { return string(j.JourneyID) == id })
	if i < 0 {
		return nil
	}
	return list[i]
}

// agreeOnBookings returns the new bookings that a caller was told of. It checks that each of them exists, that there
// are no others except those for which the platform reported an uncertain outcome, and that no booking was sent
// twice.
func (e *ends) agreeOnBookings(c *endsCaller, r recordings) (acknowledged []string) {
	call, number := c.view.CallID, c.digits()
	for _, b := range r.booked[call] {
		if has(r.before[number], b.Data.JourneyID) == nil {
			acknowledged = append(acknowledged, b.Data.JourneyID)
			require.NotNil(e.t, has(r.after[number], b.Data.JourneyID), "%s was told of %s, which dispatch does not have", number, b.Data.JourneyID)
		}
	}
	e.wasTold(c, len(acknowledged), saysBooked, saysHeld)
	unacknowledged := 0
	for _, j := range r.after[number] {
		if has(r.before[number], string(j.JourneyID)) == nil && !slices.Contains(acknowledged, string(j.JourneyID)) {
			unacknowledged++
		}
	}
	require.LessOrEqual(e.t, unacknowledged, len(r.unsure[call]), "%s has bookings that nobody told of: %q", number, c.said)
	asked := e.wire.asked(taxi.PathBook, func(p passed) bool {
		return p.body.PhoneNumber.Digits() == number && p.body.JourneyID == nil
	})
	require.LessOrEqual(e.t, len(acknowledged)+unacknowledged, len(asked), "%s: one request, one booking", number)
	require.LessOrEqual(e.t, len(asked), len(acknowledged)+len(r.unsure[call])+len(r.refused[call]), "%s: no booking is sent again", number)
	return acknowledged
}

// wasTold checks that a caller heard a sentence exactly as often as the action was done; a caller who hung up during
// a request may have heard it less often.
func (e *ends) wasTold(c *endsCaller, done int, says ...string) {
	if c.gone {
		require.LessOrEqual(e.t, c.heardTimes(says...), done, "%s heard %q", c.digits(), c.said)
		return
	}
	require.Equal(e.t, done, c.heardTimes(says...), "%s heard %q", c.digits(), c.said)
}

// agreeOnChanges checks that dispatch has each change of a booking that a caller was told of.
func (e *ends) agreeOnChanges(c *endsCaller, r recordings) {
	number, changes := c.digits(), 0
	for _, b := range r.booked[c.view.CallID] {
		if has(r.before[number], b.Data.JourneyID) == nil {
			continue
		}
		changes++
		asked := e.wire.asked(taxi.PathBook, func(p passed) bool {
			return p.body.JourneyID != nil && string(*p.body.JourneyID) == b.Data.JourneyID
		})
		now := has(r.after[number], b.Data.JourneyID)
		// Its answer may have been lost on the way, and the change found in /user.
		require.True(e.t, slices.ContainsFunc(asked, func(p passed) bool {
			return p.body.PickupTime.Sub(now.Date.Time).Abs() <= time.Minute && p.body.Dropoffs[0].Address == now.Dropoffs[0].Address
		}), "%s was told that %s is changed: asked %+v, is %s to %s", number, b.Data.JourneyID, asked, now.Date, now.Dropoffs[0].Address)
	}
	e.wasTold(c, changes, saysChanged)
}

// agreeOnCancellations checks that dispatch has cancelled the bookings that the caller was told are cancelled, and no
// others except those for which the platform reported an uncertain outcome.
func (e *ends) agreeOnCancellations(c *endsCaller, r recordings) {
	call, number := c.view.CallID, c.digits()
	var told []string
	for _, x := range r.cancelled[call] {
		told = append(told, x.Data.JourneyID)
		j := has(r.after[number], x.Data.JourneyID)
		require.NotNil(e.t, j)
		require.Equal(e.t, taxi.Cancelled, j.Status, "%s was told that %s is cancelled", number, x.Data.JourneyID)
	}
	e.wasTold(c, len(told), saysCancelled)
	for _, j := range r.after[number] {
		if j.Status != taxi.Cancelled || slices.Contains(told, string(j.JourneyID)) {
			continue
		}
		if was := has(r.before[number], string(j.JourneyID)); was != nil && was.Status == taxi.Cancelled {
			continue
		}
		require.True(e.t, slices.ContainsFunc(r.unsure[call], func(x taxiEvent) bool { return x.Data.JourneyID == string(j.JourneyID) }),
			"%s of %s is cancelled, and they heard %q", j.JourneyID, number, c.said)
	}
}

// asked returns the requests for a path that fit.
func (f *faultyWire) asked(path string, fits func(passed) bool) (list []passed) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range f.seen {
		if p.path == path && fits(p) {
			list = append(list, p)
		}
	}
	return list
}
