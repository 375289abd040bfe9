package platform_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/platform/booking/robot"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/store"
)

// How many callers there are, of each kind.
const (
	knownCallers    = 140
	strangers       = 45
	withheldCallers = 15
	disabledOneIn   = 12
	barredOneIn     = 15
	heldOneIn       = 5 // have bookings for later
)

func callersNumber(i int) string { return fmt.Sprintf("44207946%04d", 100+i) }

// endsPeople returns the customers that dispatch knows.
func endsPeople() (people []fixtures.Person) {
	for i := range knownCallers {
		p := fixtures.Person{EndUser: taxi.EndUser{
			UserID: taxi.UserID(fmt.Sprintf("u-%04d", i)), PhoneNumber: taxi.E164(callersNumber(i)), Name: fmt.Sprintf("Caller %c%c", 'A'+i/26, 'a'+i%26),
			Status: taxi.Enabled,
		}}
		switch {
		case i%disabledOneIn == 1:
			p.Status = taxi.Disabled
		case i%barredOneIn == 2:
			p.Status = taxi.Blacklisted
		case i%heldOneIn == 0:
			p.Bookings = 1 + i/heldOneIn%3
		}
		people = append(people, p)
	}
	return people
}

// endsSeeds is the number of seeds that TestPlatformAndDispatchAgreeUnderFaults runs; more than one is for searches by hand.
var endsSeeds = flag.Uint("ends", 1, "how many seeds TestPlatformAndDispatchAgreeUnderFaults runs")

// TestPlatformAndDispatchAgreeUnderFaults checks that what the platform says it did agrees with what dispatch has, after two hundred people
// called at once. Meanwhile, requests and answers are lost, delayed, refused and truncated, the disk is full now and
// then, and some events are refused.
func TestPlatformAndDispatchAgreeUnderFaults(t *testing.T) {
	for seed := range uint64(*endsSeeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			e := newEnds(t, seed, endsPeople(), func(at time.Time) voice.Clock { return voice.NewVirtual(at) })
			e.muchHappened(e.judged())
		})
	}
}

// TestPlatformAndDispatchAgreeWithARunningClock checks the same with a clock that runs by itself, so that requests and answers overlap.
func TestPlatformAndDispatchAgreeWithARunningClock(t *testing.T) {
	t.Parallel()
	e := newEnds(t, 1, endsPeople(), byItself)
	e.byWall = true
	e.judged()
	require.NotEmpty(t, e.hook.of(t, "taxi.booked"))
}

// byItself returns a clock that runs sixty times as fast as the wall clock.
func byItself(at time.Time) voice.Clock {
	began := time.Now()
	return voice.NewWall(func() time.Time { return at.Add(time.Since(began)) }, 60)
}

// TestMagicNumbersCauseFaultsInCalls checks that calls from the magic numbers of the fault injection get its faults: what
// the caller is told, and whether dispatch has the booking.
func TestMagicNumbersCauseFaultsInCalls(t *testing.T) {
	t.Parallel()
	e := newEnds(t, 1, endsPeople(), byItself)
	e.wire.next = fault.Handler(fault.New(fault.Options{Now: e.line.Now, Pause: func(context.Context, time.Duration) bool { return true }}), e.wire.next)
	places := fixtures.Places()
	for digits, want := range map[string]struct {
		outcome  robot.Outcome
		hears    string
		journeys int
	}{
		"800": {robot.Completed, "Your taxi is booked.", 1}, // the answer was lost
		"503": {"person", "I am not sure that your booking was taken.", 0},
	} {
		ask, err := json.Marshal(map[string]any{
			"from": fault.MagicBase + digits, "channel": "voice", "want": "book", "name": "Ann Other",
			"pickup": places[0].Address, "dropoffs": []taxi.Address{places[1].Address},
		})
		require.NoError(t, err)
		var told robot.Result
		require.NoError(t, json.Unmarshal(e.ask(http.MethodPost, "/sim/v1/drive", string(ask)), &told))
		require.Equal(t, want.outcome, told.Outcome, "%+v", told)
		require.Contains(t, strings.Join(told.Said, " "), want.hears)
		require.Len(t, e.journeys()[taxi.E164(fault.MagicBase+digits)], want.journeys)
	}
}

// judged lets everybody call while faults occur, and checks that both ends agree and no numbers leak.
func (e *ends) judged() []*endsCaller {
	before := e.journeys()
	e.wire.fail(true)
	all := e.everybodyCalls()
	e.wire.fail(false)
	e.allEnded(all)
	e.agree(all, before)
	e.nothingLeaks(all)
	return all
}

// stage books taxis for some customers, and waits until at least six of them are outside.
func (e *ends) stage() {
	ctx := e.t.Context()
	places := fixtures.Places()
	for i := 3; i < knownCallers; i += 4 {
		p := endsPeople()[i]
		if p.Bookings > 0 || p.Status != taxi.Enabled {
			continue
		}
		_, err := e.world.Service().Book(ctx, taxi.BookRequest{
			UserID: p.UserID, Name: p.Name, PhoneNumber: p.PhoneNumber, Pickup: &places[i%len(places)].Address,
			Dropoffs: []taxi.Address{places[(i+1)%len(places)].Address}, PickupTime: taxi.At(e.world.Clock().Now().Add(time.Duration(i) * time.Second)),
		})
		require.NoError(e.t, err)
	}
	enough := func() bool {
		n := 0
		for _, j := range e.disk.AllLive() {
			if j.Status == taxi.Arrived {
				n++
			}
		}
		return n >= 6
	}
	require.NoError(e.t, e.world.Clock().Until(ctx, time.Hour, enough))
}

// outside reports whether a taxi for this caller's number has arrived and waits.
func (e *ends) outside(number taxi.E164) bool {
	return slices.ContainsFunc(e.disk.AllLive(), func(j *store.Snapshot) bool {
		return j.Status == taxi.Arrived && j.Passenger != nil && j.Passenger.PhoneNumber.Digits() == number
	})
}

// everybodyCalls lets all callers ring within half a minute, and waits until all calls are over.
func (e *ends) everybodyCalls() (all []*endsCaller) {
	wishes := []wish{wantsTaxi, wantsTaxi, wantsTaxi, wantsLater, wantsLater, wantsEdit, wantsCancel, wantsStatus, wantsSilence, wantsNonsense, wantsPerson}
	for i := range knownCallers + strangers + withheldCallers {
		c := &endsCaller{ends: e, chance: rand.New(rand.NewPCG(e.chance.Uint64(), 4)), number: callersNumber(i), wish: wishes[e.chance.IntN(len(wishes))]}
		if i >= knownCallers+strangers {
			c.number = "anonymous"
		}
		if i < knownCallers && i%4 == 3 { // a taxi is on its way
			c.wish = []wish{wantsComing, wantsComing, wantsDriver, wantsCancel, wantsStatus, wantsEdit}[e.chance.IntN(6)]
		}
		if i < knownCallers && i%heldOneIn == 0 {
			c.wish = []wish{wantsEdit, wantsEdit, wantsCancel, wantsTaxi, wantsStatus}[e.chance.IntN(5)]
		}
		if e.chance.IntN(4) == 0 {
			c.leaves = time.Duration(e.chance.Int64N(int64(50 * time.Second)))
		}
		rings := time.Duration(e.chance.Int64N(int64(30 * time.Second)))
		if e.outside(c.digits()) {
			c.wish, c.leaves, rings = []wish{wantsComing, wantsDriver}[i/4%2], 0, rings/10
		}
		all = append(all, c)
		e.line.AfterFunc(rings, c.ring)
	}
	for range 120 {
		e.pass(5 * time.Second)
		if !slices.ContainsFunc(all, func(c *endsCaller) bool { return !c.over.Load() }) {
			break
		}
	}
	e.pass(time.Minute) // legs, deliveries
	return all
}

// allEnded checks that each call is over with a final status and a cause, that calls placed for a caller show the
// account's number, and that blacklisted callers were refused.
func (e *ends) allEnded(all []*endsCaller) {
	list := e.calls()
	byID := map[string]calls.View{}
	for _, v := range list {
		byID[v.ID] = v
		require.Contains(e.t, []voice.State{voice.StateCompleted, voice.StateBusy, voice.StateNoAnswer, voice.StateFailed, voice.StateCanceled}, v.Status, "%s %s", v.Direction, v.ID)
		require.NotZero(e.t, v.Cause)
		if v.Parent != "" {
			require.Equal(e.t, "+441632960100", v.From, "%s is rung", v.To)
		}
	}
	for _, c := range all {
		require.True(e.t, c.over.Load(), "%s of %s: %v", c.wish, c.number, c.said)
		v := byID[c.view.CallID]
		require.Equal(e.t, voice.Inbound, v.Direction)
		if c.heardTimes("Sorry, we cannot take") > 0 {
			continue // dispatch was not reached
		}
		for _, p := range endsPeople() {
			if p.PhoneNumber == c.digits() && p.Status == taxi.Blacklisted && v.HungUpBy != voice.PartyCaller {
				require.Empty(e.t, c.said)
				require.Equal(e.t, []any{voice.StateFailed, 21}, []any{v.Status, v.Cause})
			}
		}
	}
}

// muchHappened checks that every kind of answer and fault occurred, so that the test cannot pass without testing
// them.
func (e *ends) muchHappened(all []*endsCaller) {
	told := map[string]int{}
	for _, c := range all {
		for _, says := range []string{saysBooked, saysHeld, saysChanged, saysCancelled, "Sorry, I am not sure", saysTold, "Connecting you now.", "Please hold."} {
			told[says] += c.heardTimes(says)
		}
	}
	left := map[string]int{}
	for _, list := range e.hook.of(e.t, "taxi.abandoned") {
		for _, x := range list {
			left[x.Data.State]++
		}
	}
	e.t.Logf("told %v; faults %v; %d events refused; hung up in %v", told, e.wire.faults(), e.hook.refuse, left)
	for says, n := range told {
		require.NotZero(e.t, n, says)
	}
	for _, f := range faults() {
		require.NotZero(e.t, e.wire.faults()[f], f)
	}
	require.NotZero(e.t, e.hook.refuse)
	require.Greater(e.t, len(left), 5)
}
