package control

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/host"
)

func clockCalls() calls {
	return calls{
		get("readClock", "/clock", "How the clock stands", readClock),
		put("setClock", "/clock", "Freeze the clock, let it run, or move it", setClock).
			more("What is left out stays. A clock that is moved makes happen what is due until then. Time does not run back.").
			refuses(http.StatusConflict, http.StatusServiceUnavailable),
		post("advanceClock", "/clock/advance", "Move the clock by a span, to a moment, or until something happens", advanceClock).
			refuses(http.StatusNotFound, http.StatusConflict, http.StatusServiceUnavailable),
		post("advanceJourney", "/advance", "Move the clock until a journey has a status", advance).
			more("This is the aid that the conformance suite asks for (`check --advance-url`).").of("AdvanceOrder").answers("AdvanceOutcome").
			refuses(http.StatusNotFound, http.StatusConflict, http.StatusServiceUnavailable),
	}.tagged("World")
}

const (
	longest    = 100 * 24 * time.Hour // that a clock is moved by one call: nothing is booked further ahead
	mostListed = 1000                 // changes that one call lists
	moveWithin = 5 * time.Minute      // by the wall, for one call
)

// Mode is how a clock runs.
type Mode string

// The modes of a clock.
const (
	Real   Mode = "real"   // with the wall
	Scaled Mode = "scaled" // so many times as fast
	Manual Mode = "manual" // it stands still, and is moved by hand
)

// Clock is how the clock of a world stands.
type Clock struct {
	Mode  Mode      `json:"mode"`
	Now   time.Time `json:"now"`
	Speed int       `json:"speed"`           // seconds of the world in one of the wall; 0: it is moved by hand
	Lives int       `json:"lives,omitempty"` // the speed that the machine manages; left out: it keeps up

	// by which clock a pickupTime is taken. wall: by the machine's, for platforms that ask it: in half
	// an hour is half an hour of the world. world: as it is written, for callers who are given the world's
	// clock. either: the world's, or the wall's for a time that is past in the world only
	Callers simulator.Callers `json:"callers"`
}

func clockOf(w *simulator.World) Clock { return clockAs(w.Clock().Read()) }

func clockAs(r simulator.Reading) Clock {
	c := Clock{Manual, r.Now, r.Speed, r.Lives, r.Callers}
	switch r.Speed {
	case 0:
	case 1:
		c.Mode = Real
	default:
		c.Mode = Scaled
	}
	return c
}

func readClock(c *call) (Clock, error) { return clockOf(c.world()), nil }

// ClockOrder changes a clock. What is left out stays.
type ClockOrder struct {
	Mode    Mode              `json:"mode,omitempty"`
	Speed   *int              `json:"speed,omitempty" schema:"maximum: 10000, minimum: 0"` // as the mode has it: 0 manual, 1 real, more scaled; without a mode it says which
	Now     *time.Time        `json:"now,omitempty"`                                       // moves the clock there, which makes happen what is due until then
	Callers simulator.Callers `json:"callers,omitempty"`                                   // see Clock. A sandbox takes world with a now, either with a clock that stands, and wall otherwise
}

// speed is the speed that an order asks for; -1: none.
func (o ClockOrder) speed() (int, error) {
	least, most := 0, simulator.MaxSpeed
	switch o.Mode {
	case "":
		least = -1
	case Real:
		least, most = 1, 1
	case Scaled:
		least = 2
	case Manual:
		most = 0
	default:
		return 0, taxi.InvalidField("/mode", "range", "is %q, want real, scaled or manual", o.Mode)
	}
	switch {
	case o.Speed == nil && o.Mode == Scaled:
		return 0, taxi.InvalidField("/speed", "required", `is missing: "mode":"scaled" wants 2 to %d`, most)
	case o.Speed == nil:
		return least, nil
	case *o.Speed < max(least, 0) || *o.Speed > most:
		return 0, taxi.InvalidField("/speed", "range", "is %d, want %s", *o.Speed, span(max(least, 0), most))
	}
	return *o.Speed, nil
}

// span writes the numbers that are allowed.
func span(least, most int) string {
	if least == most {
		return strconv.Itoa(least)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

func setClock(c *call, o ClockOrder) (Clock, error) {
	speed, err := o.speed()
	if err != nil {
		return Clock{}, err
	}
	if o.Callers != "" && !o.Callers.Known() {
		return Clock{}, taxi.InvalidField("/callers", "range", "is %q, want wall, world or either", o.Callers)
	}
	leave, err := c.box.takeClock(c)
	if err != nil {
		return Clock{}, err
	}
	defer leave()
	if o.Now != nil { // not before: somebody else may have moved the clock
		if err := c.mayMove(*o.Now, "/now"); err != nil {
			return Clock{}, err
		}
	}
	if speed >= 0 {
		if err := c.host.SetSpeed(c, speed); err != nil {
			return Clock{}, err
		}
	}
	if o.Callers != "" {
		c.world().Clock().SetCallers(o.Callers)
	}
	if o.Now != nil {
		err = c.move(func(ctx context.Context, clock simulator.Clock) error { return clock.AdvanceTo(ctx, *o.Now) })
	} else {
		c.box.Events.Publish(EventClock, clockOf(c.world()))
	}
	return clockOf(c.world()), err
}

// mayMove refuses a moment that the clock cannot be moved to.
func (c *call) mayMove(to time.Time, pointer string) error {
	switch now := c.world().Clock().Now(); {
	case to.Before(now):
		p := taxi.NewProblem(http.StatusConflict, codeTimePassed, "%s is %s, and it is %s already: time does not run back; POST /reset begins anew",
			pointer, to.Format(time.RFC3339), now.Format(time.RFC3339))
		p.Errors = []taxi.FieldError{{Pointer: pointer, Code: "range", Detail: "has passed"}}
		return p
	case to.Sub(now) > longest:
		return taxi.InvalidField(pointer, "range", "is more than %d days ahead", longest/(24*time.Hour))
	}
	return nil
}

// Until is what a clock is moved for: that nothing is under way or held for later, that
// any journey changes, or that one has a status. It is "idle", "change" or
// {"journey":"J…","status":"ARRIVED"}.
type Until struct {
	Idle    bool
	Change  bool
	Journey taxi.JourneyID // "latest": the one booked last
	Status  taxi.Status
}

type untilObject struct {
	Journey taxi.JourneyID `json:"journey"`
	Status  taxi.Status    `json:"status"`
}

// UnmarshalJSON implements [json.Unmarshaler].
func (u *Until) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case `"idle"`:
		u.Idle = true
		return nil
	case `"change"`:
		u.Change = true
		return nil
	}
	var o untilObject
	err := jsonv2.Unmarshal(text, &o, jsonv2.RejectUnknownMembers(true))
	u.Journey, u.Status = o.Journey, o.Status
	if err != nil {
		err = errors.New(`wants "idle", "change" or {"journey":"J…","status":"ARRIVED"}`)
	}
	return err
}

// MarshalJSON implements [json.Marshaler].
func (u Until) MarshalJSON() ([]byte, error) {
	if u.Idle {
		return []byte(`"idle"`), nil
	}
	if u.Change {
		return []byte(`"change"`), nil
	}
	return jsonv2.Marshal(untilObject{u.Journey, u.Status})
}

// Advance moves a clock: one of by, to and until.
type Advance struct {
	By     host.Duration `json:"by,omitzero"` // such as "15m"
	To     *time.Time    `json:"to,omitempty"`
	Until  *Until        `json:"until,omitempty"`
	Within host.Duration `json:"within,omitzero"` // with until; left out: 100 days
}

// Advanced is what happened while a clock was moved.
type Advanced struct {
	From    time.Time `json:"from"`
	Now     time.Time `json:"now"`
	Changes int       `json:"changes"` // of journeys, all of them
	Events  []Change  `json:"events"`  // in the order in which they happened, the first thousand
}

func advanceClock(c *call, a Advance) (out Advanced, err error) {
	leave, err := c.box.takeClock(c)
	if err != nil {
		return out, err
	}
	defer leave()
	move, err := c.mover(a)
	if err != nil {
		return out, err
	}
	clock := c.world().Clock()
	out.From = clock.Now()
	d := keepDiary(c.world(), mostListed)
	err = c.move(move)
	out.Changes, out.Events = d.close()
	out.Now = clock.Now()
	return out, err
}

// mover moves a clock.
type mover func(context.Context, simulator.Clock) error

// move moves the clock, for as long by the wall as one call may.
func (c *call) move(move mover) error {
	c.takeLong()
	ctx, cancel := context.WithTimeout(c, moveWithin)
	defer cancel()
	err := move(ctx, c.world().Clock())
	c.box.Events.Publish(EventClock, clockOf(c.world()))
	if err != nil && ctx.Err() != nil && c.Err() == nil {
		return taxi.NewProblem(http.StatusServiceUnavailable, codeNotReached, "after %v the clock has come to %s; ask again to move it further",
			moveWithin, c.world().Clock().Now().Format(time.RFC3339))
	}
	return err
}

// mover returns what moves the clock as asked.
func (c *call) mover(a Advance) (mover, error) {
	asked := 0
	for _, is := range []bool{a.By != 0, a.To != nil, a.Until != nil} {
		if is {
			asked++
		}
	}
	switch {
	case asked != 1:
		return nil, taxi.InvalidField("", "required", `want one of "by", "to" and "until"`)
	case a.Within != 0 && a.Until == nil:
		return nil, taxi.InvalidField("/within", "range", `is for "until" only`)
	case a.Within < 0 || time.Duration(a.Within) > longest:
		return nil, taxi.InvalidField("/within", "range", "is %v, want up to %d days", time.Duration(a.Within), longest/(24*time.Hour))
	case a.Until != nil:
		return c.moverUntil(*a.Until, time.Duration(a.Within))
	}
	to, pointer := c.world().Clock().Now().Add(time.Duration(a.By)), "/by"
	if a.To != nil {
		to, pointer = *a.To, "/to"
	}
	if a.By < 0 {
		return nil, taxi.InvalidField("/by", "range", "is %v: time does not run back", time.Duration(a.By))
	}
	if err := c.mayMove(to, pointer); err != nil {
		return nil, err
	}
	return func(ctx context.Context, clock simulator.Clock) error { return clock.AdvanceTo(ctx, to) }, nil
}

func (c *call) moverUntil(u Until, within time.Duration) (mover, error) {
	if within == 0 {
		within = longest
	}
	if u.Idle {
		return func(ctx context.Context, clock simulator.Clock) error { return clock.UntilIdle(ctx, within) }, nil
	}
	if u.Change {
		return c.moverToChange(within), nil
	}
	if err := c.canBecome(&u.Journey, u.Status, "/until"); err != nil {
		return nil, err
	}
	return func(ctx context.Context, clock simulator.Clock) error {
		return c.outcome(clock.UntilStatus(ctx, u.Journey, u.Status, within), u, within)
	}, nil
}

// moverToChange moves a clock until the next change of a journey has happened.
func (c *call) moverToChange(within time.Duration) mover {
	return func(ctx context.Context, clock simulator.Clock) error {
		var changed atomic.Bool
		stop := c.world().Watch(func(simulator.Transition) { changed.Store(true) })
		defer stop()
		return clock.Until(ctx, within, changed.Load)
	}
}

// Order says which journey is to be brought to which status.
type Order struct {
	JourneyID taxi.JourneyID `json:"journeyId"`
	Status    taxi.Status    `json:"status"`
}

// Outcome is how a journey stands after an order.
type Outcome struct {
	JourneyID taxi.JourneyID `json:"journeyId"`
	Status    taxi.Status    `json:"status"`
	Now       time.Time      `json:"now"` // by the world's clock
}

// way is the way of a journey on which nothing goes wrong.
var way = []taxi.Status{taxi.Held, taxi.Waiting, taxi.Accepted, taxi.EnRoute, taxi.Arrived, taxi.POB, taxi.Complete}

// advance moves the clock until a journey has a status. It is the aid that the
// conformance suite asks for.
func advance(c *call, o Order) (out Outcome, err error) {
	if o.JourneyID == "" {
		return out, taxi.InvalidField("/journeyId", "required", "is missing")
	}
	leave, err := c.box.takeClock(c)
	if err != nil {
		return out, err
	}
	defer leave()
	if err := c.canBecome(&o.JourneyID, o.Status, ""); err != nil {
		return out, err
	}
	err = c.move(func(ctx context.Context, clock simulator.Clock) error {
		return c.outcome(clock.UntilStatus(ctx, o.JourneyID, o.Status, longest), Until{Journey: o.JourneyID, Status: o.Status}, longest)
	})
	if err != nil {
		return out, err
	}
	return Outcome{o.JourneyID, o.Status, c.world().Clock().Now()}, nil
}

// listOf writes statuses as a sentence has them.
func listOf(all []taxi.Status) string {
	words := make([]string, len(all))
	for i, s := range all {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}

// canBecome refuses a status that a journey will not have, before the clock moves: one
// that is behind it, or any other once it has ended. It finds the journey booked last by
// the word "latest".
func (c *call) canBecome(id *taxi.JourneyID, want taxi.Status, pointer string) error {
	if want != taxi.Cancelled && !slices.Contains(way, want) {
		return taxi.InvalidField(pointer+"/status", "range", "is %.20q, want one of %s and CANCELLED", want, listOf(way))
	}
	j, err := c.journey(*id)
	if err != nil {
		return err
	}
	*id = j.JourneyID
	behind := want != taxi.Cancelled && slices.Index(way, j.Status) > slices.Index(way, want)
	if j.Status.Terminal() && j.Status != want || behind {
		return conflict(j.Status, want)
	}
	return nil
}

// outcome makes a conflict of a journey that has turned out otherwise, or has not come so far within
// a time.
func (c *call) outcome(err error, u Until, within time.Duration) error {
	stands, ok := errors.AsType[*simulator.StatusError](err)
	switch {
	case !ok || !errors.Is(err, simulator.ErrNotReached):
		return err
	case stands.Is.Terminal():
		return conflict(stands.Is, u.Status)
	}
	p := taxi.NewProblem(http.StatusConflict, taxi.CodeJourneyInProgress, "the journey is %s, and did not become %s within %v%s", stands.Is, u.Status, within, c.whenReleased(u.Journey))
	p.JourneyStatus = stands.Is
	return p
}

// whenReleased says when a journey that is HELD is released; "": it is not HELD, or not released
// by itself.
func (c *call) whenReleased(id taxi.JourneyID) string {
	j, err := c.journey(id)
	if err != nil || j.Status != taxi.Held {
		return ""
	}
	at := c.world().Service().Policy().ReleaseAt(j.Journey)
	if !at.After(c.world().Clock().Now()) {
		return ""
	}
	return ": it is released at " + at.UTC().Format(time.RFC3339)
}

func conflict(is, want taxi.Status) *taxi.Problem {
	p := taxi.NewProblem(http.StatusConflict, taxi.CodeJourneyInProgress, "the journey is %s, and will not be %s", is, want)
	if is.Terminal() {
		p.Code = taxi.CodeJourneyClosed
	}
	p.JourneyStatus = is
	return p
}

// takeClock waits until nobody else moves the clock of this world.
func (b *sandbox) takeClock(ctx context.Context) (leave func(), err error) {
	select {
	case b.clock <- struct{}{}:
		return func() { <-b.clock }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for the clock: %w", ctx.Err())
	}
}

// ClockSet tells who listens to the main world that its clock was set by other means than
// a call, as a demo does.
func (s *Server) ClockSet() { s.main.Events.Publish(EventClock, clockOf(s.Host().World())) }
