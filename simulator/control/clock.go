package control

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/host"
)

// Calls of a [Server].
var (
	ReadClock = Call[url.Values, Clock]{get("readClock", "/clock", "The state of the clock", readClock)}
	SetClock  = Call[ClockOrder, Clock]{put("setClock", "/clock", "Stop the clock, set its speed, or move it", setClock).
			more("Members that are left out stay unchanged. If the clock is moved, all events until then happen. It cannot be moved back.").
			refuses(http.StatusConflict, http.StatusServiceUnavailable)}
	AdvanceClock = Call[Advance, Advanced]{post("advanceClock", "/clock/advance", "Move the clock by a duration, to a time, or until a condition is met", advanceClock).
			refuses(http.StatusNotFound, http.StatusConflict, http.StatusServiceUnavailable)}
	AdvanceJourney = Call[Order, Outcome]{post("advanceJourney", "/advance", "Move the clock until a journey has a status", advance).
			more("An aid for the conformance suite (`check --advance-url`).").of("AdvanceOrder").answers("AdvanceOutcome").
			refuses(http.StatusNotFound, http.StatusConflict, http.StatusServiceUnavailable)}
)

const (
	longest    = 100 * 24 * time.Hour // for one call: no booking is further ahead
	mostBack   = 24 * time.Hour       // without "within", for a status that only an incident leads back to
	mostListed = 1000                 // changes in one response
	moveWithin = 5 * time.Minute      // real time for one call
)

// Mode is the mode of a clock.
type Mode string

// The modes.
const (
	Real   Mode = "real"   // the clock runs in real time
	Scaled Mode = "scaled" // the clock runs faster than real time
	Manual Mode = "manual" // the clock is stopped, and is moved by hand
)

// Clock is the state of the clock of a world.
type Clock struct {
	Mode  Mode      `json:"mode"`
	Now   time.Time `json:"now"`
	Speed int       `json:"speed"`           // seconds of the world per second of real time; 0: the clock is moved by hand
	Lives int       `json:"lives,omitempty"` // the speed that the machine reaches, if it cannot keep up; left out: it keeps up

	// the clock that callers use for a pickupTime. wall: the real one, for platforms that
	// use it: "in half an hour" is half an hour of the world, too. world: times are used
	// as written, for callers that know the world's clock. either: the world's, except
	// for times that have passed in the world but not in reality.
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

// ClockOrder changes a clock. Members that are left out stay unchanged.
type ClockOrder struct {
	Mode    Mode              `json:"mode,omitempty"`
	Speed   *int              `json:"speed,omitempty" schema:"maximum: 10000, minimum: 0"` // must fit the mode: 0 manual, 1 real, more scaled; without a mode it selects the mode
	Now     *time.Time        `json:"now,omitempty"`                                       // moves the clock to this time; all events until then happen
	Callers simulator.Callers `json:"callers,omitempty"`                                   // see Clock. The default in a sandbox is world if "now" is given, either if the clock is stopped, and otherwise wall
}

// speed returns the speed that an order sets, or -1 if it sets none.
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

// span describes the range of allowed numbers.
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
	if o.Now != nil { // only now: another client may have moved the clock
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
		if err := c.host.SetCallers(c, o.Callers); err != nil {
			return Clock{}, err
		}
	}
	if o.Now != nil {
		err = c.move(func(ctx context.Context, clock simulator.Clock) error { return clock.AdvanceTo(ctx, *o.Now) })
	} else {
		c.box.Events.Publish(EventClock, clockOf(c.world()))
	}
	return clockOf(c.world()), err
}

// mayMove returns an error if the clock cannot be moved to a time: it has passed or is too far ahead.
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

// Until is a condition at which the clock stops: no journey is active or booked ahead,
// any journey changes, or a journey has a status. In JSON it is "idle", "change" or
// {"journey":"J…","status":"ARRIVED"}.
type Until struct {
	Idle    bool
	Change  bool
	Journey taxi.JourneyID // "latest": the newest booking since the world began
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

// Advance moves a clock. Exactly one of by, to and until must be given.
type Advance struct {
	By     host.Duration `json:"by,omitzero"` // such as "15m"
	To     *time.Time    `json:"to,omitempty"`
	Until  *Until        `json:"until,omitempty"`
	Within host.Duration `json:"within,omitzero"` // limit for until; left out: 100 days, or a day for a status that the journey has passed and that only an incident leads back to
}

// Advanced is the result of moving a clock.
type Advanced struct {
	From    time.Time `json:"from"`
	Now     time.Time `json:"now"`
	Changes int       `json:"changes"` // number of changes of journeys
	Events  []Change  `json:"events"`  // the first thousand of them, in order
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

// move moves the clock, within the real time that one call may take.
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

// mover returns the function that moves the clock as requested.
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
	given := within != 0
	within = cmp.Or(within, longest)
	if u.Idle {
		return func(ctx context.Context, clock simulator.Clock) error { return clock.UntilIdle(ctx, within) }, nil
	}
	if u.Change {
		return c.moverToChange(within), nil
	}
	back, err := c.canBecome(&u.Journey, u.Status, "/until", true)
	if err != nil {
		return nil, err
	}
	if back && !given { // without an incident the journey ends, or is held by hand
		within = mostBack
	}
	return func(ctx context.Context, clock simulator.Clock) error {
		return c.outcome(clock.UntilStatus(ctx, u.Journey, u.Status, within), u, within)
	}, nil
}

// moverToChange returns a function that moves a clock to the next change of a journey.
func (c *call) moverToChange(within time.Duration) mover {
	return func(ctx context.Context, clock simulator.Clock) error {
		var changed atomic.Bool
		stop := c.world().Watch(func(simulator.Transition) { changed.Store(true) })
		defer stop()
		return clock.Until(ctx, within, changed.Load)
	}
}

// Order is a request to bring a journey to a status.
type Order struct {
	JourneyID taxi.JourneyID `json:"journeyId"`
	Status    taxi.Status    `json:"status"`
}

// Outcome is the state of a journey after an order.
type Outcome struct {
	JourneyID taxi.JourneyID `json:"journeyId"`
	Status    taxi.Status    `json:"status"`
	Now       time.Time      `json:"now"` // by the world's clock
}

// way lists the statuses of a journey without incidents.
var way = []taxi.Status{taxi.Held, taxi.Waiting, taxi.Accepted, taxi.EnRoute, taxi.Arrived, taxi.POB, taxi.Complete}

// advance moves the clock until a journey has a status, as an aid for the conformance
// suite.
func advance(c *call, o Order) (out Outcome, err error) {
	if o.JourneyID == "" {
		return out, taxi.InvalidField("/journeyId", "required", "is missing")
	}
	leave, err := c.box.takeClock(c)
	if err != nil {
		return out, err
	}
	defer leave()
	if _, err := c.canBecome(&o.JourneyID, o.Status, "", false); err != nil {
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

// listOf lists statuses for a sentence.
func listOf(all []taxi.Status) string {
	words := make([]string, len(all))
	for i, s := range all {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}

// canBecome returns an error, before the clock moves, if a journey cannot reach a status:
// one that it has passed, or any other status once it has ended. With incidents, a journey
// may come back to a status, as to WAITING when a fault, a script or a caller's number has
// its driver drop out; back reports that it has passed the status. It resolves the id "latest".
func (c *call) canBecome(id *taxi.JourneyID, want taxi.Status, pointer string, incidents bool) (back bool, err error) {
	if want != taxi.Cancelled && !slices.Contains(way, want) {
		return false, taxi.InvalidField(pointer+"/status", "range", "is %.20q, want one of %s and CANCELLED", want, listOf(way))
	}
	j, err := c.journey(*id)
	if err != nil {
		return false, err
	}
	*id = j.JourneyID
	back = want != taxi.Cancelled && slices.Index(way, j.Status) > slices.Index(way, want)
	returns := func(t dispatch.Transition) bool {
		return t.To == want && slices.Index(way, t.From) >= slices.Index(way, j.Status)
	}
	if j.Status.Terminal() && j.Status != want || back && (!incidents || !slices.ContainsFunc(dispatch.Transitions(), returns)) {
		return back, conflict(j.Status, want)
	}
	return back, nil
}

// outcome converts the error of a journey that ended otherwise, or did not reach the
// status in time, to a conflict.
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

// whenReleased says when a HELD journey will be released; "": it is not HELD, or is not
// released by itself.
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

// takeClock waits until no other client moves the clock of this world, and reserves it until leave.
func (b *sandbox) takeClock(ctx context.Context) (leave func(), err error) {
	select {
	case b.clock <- struct{}{}:
		return func() { <-b.clock }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for the clock: %w", ctx.Err())
	}
}

// ClockSet publishes an event that the main world's clock was set without a call, as a
// demo does.
func (s *Server) ClockSet() { s.worlds.Main().Events.Publish(EventClock, clockOf(s.Host().World())) }
