package booking

import (
	"context"
	"slices"
	"sync"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/keypad"
	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// Session is a conversation with one customer. Each input leads to the next step. It is
// safe for concurrent use; inputs are handled one at a time.
type Session struct {
	form

	mu      sync.Mutex
	again   bool // the state is entered again: it must not decide anything
	quiet   bool // the journey's status was spoken already
	read    bool // the journey was just read
	failed  bool // the caller's wish could not be fulfilled
	back    bool // the menu after a person who did not answer has been used once
	done    bool // something was booked, cancelled or handed over
	voiced  bool // the caller has said or pressed something
	absent  bool // the conversation ended because the caller has not
	hush    bool // skip the prompt of the state this time
	more    bool // a question was answered, so the caller is asked for another wish
	asked   bool // more, when the current answer was given
	eased   bool // repeat the question without an apology
	telling *Telling
}

// dialogue contains the values that all parts of a conversation share.
type dialogue struct {
	desk     *Desk
	customer Customer
	visit    *Visit
	state    State
	carry    []string // spoken before the next prompt
	misses   int      // in this state, consecutive
	keyed    bool     // the caller uses keys, so keys are offered
	menu     State    // target of "back to the menu"; "": none
	journey  *operations.Journey
}

// form is the trip as far as it is known. Each part is empty, certain or in doubt; a part in doubt is empty and has to
// be asked for.
type form struct {
	dialogue

	trip       Trip
	timed      bool           // trip.At is known, possibly "now"
	when       grammar.When   // an incomplete time
	arrive     grammar.When   // when the caller has to be at the drop-off
	unclear    bool           // a time was said that is not that of the pickup, or was understood in part
	where      bool           // trip.Dropoffs is known, possibly "tell the driver"
	stops      []taxi.Address // stops named before the drop-off
	doubts     []doubt        // uncertain ends of the trip
	either     []taxi.Address // the ends, if it is not certain which is which
	before     []taxi.Address // the pickup before it was changed
	answered   []grammar.Question
	house      string  // a house number without a street
	forDropoff bool    // house belongs to the drop-off
	list       []Place // selectable with keys
	listed     int     // how many of list were read out
	refused    bool    // do not propose the usual pickup
	unusual    bool    // do not propose the usual trip
	turned     bool    // the trip was reversed
	contested  bool    // what was read back was to be changed, in words that changed nothing
	company    bool    // others come along, and how many there are is not certain
	unclearYes string  // the last answer to a read-back, if it was a yes with something else; or whatToChange
	named      bool    // the name was asked for

	ear   ear
	known []Place // places that can be named
	names *grammar.Gazetteer
}

// Session returns a conversation that has not begun.
func (d *Desk) Session(c Customer) *Session {
	grammar.Prepare() // while the phone rings
	return &Session{form: form{dialogue: dialogue{desk: d, customer: c, state: Start}}}
}

// Begin opens the customer's request and returns the first step.
func (s *Session) Begin(ctx context.Context) Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, s.desk.begin)
	defer cancel()
	s.visit = s.desk.Open(ctx, s.customer)
	if s.visit.Number != "" {
		s.event(Event{Kind: EventUser, Status: string(s.visit.Standing)})
	}
	return s.enter(ctx, s.greet(ctx))
}

// Hear returns the next step after an input.
func (s *Session) Hear(ctx context.Context, in Input) Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.visit == nil || s.state == Over {
		return Step{State: Over, Then: ThenEnd}
	}
	return s.enter(ctx, s.answer(ctx, in))
}

// Leave ends the conversation because the customer has left.
func (s *Session) Leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.visit != nil && s.state != Over && !s.done {
		s.event(Event{Kind: EventAbandoned, State: s.state})
	}
	s.state = Over
}

// request returns the customer's request; nil before the conversation has begun.
func (s *Session) request() *Visit {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.visit
}

func (s *dialogue) event(e Event) {
	e.Channel = s.visit.Channel
	s.desk.opts.Event(s.visit.Account, s.visit.Call, e)
}

// say adds sentences before the next prompt.
func (s *dialogue) say(id spoken.PromptID, slots spoken.Slots) {
	slots.Aloud = !s.keyed
	s.carry = append(s.carry, s.visit.say(id, slots, false)...)
}

// enter goes to a state, and on through states that decide by themselves.
func (s *Session) enter(ctx context.Context, next State) Step {
	for {
		s.desk.moved(s.state, next)
		if next != s.state {
			s.misses = 0
		}
		s.state = next
		pass := conversation[next].pass
		if pass == nil || s.again {
			return s.step(conversation[next])
		}
		to := pass(ctx, s)
		if to == next {
			return s.step(conversation[next])
		}
		next = to
	}
}

// step returns the step of a state.
func (s *Session) step(r row) Step {
	step := Step{State: r.state, Then: r.then, Journey: s.journey, Telling: s.telling, Missed: s.misses > 0 && !s.eased, Strange: s.ear.strange, Absent: s.absent}
	if step.Then == "" {
		step.Then = ThenListen
	}
	if s.hush {
		step.Said, s.carry = s.carry, nil
		if s.more && s.visit.Channel != FeatureMessaging {
			step.Said = append(step.Said, s.visit.say(spoken.AnythingElse, spoken.Slots{}, false)...)
		}
	} else {
		step.Said, s.carry = append(s.carry, s.prompt(r, s.misses == 1 && !s.eased)...), nil
	}
	if step.Then == ThenEnd && s.failed {
		step.Then = ThenFail
	}
	if step.Then == ThenEnd || step.Then == ThenFail || step.Then == ThenReject {
		s.state = Over
	}
	if step.Then != ThenListen {
		if step.Then == ThenWait {
			step.Listen = Listen{Keys: 1, Within: waitFor}
		}
		return step
	}
	if r.menu { // where a caller returns if no person answers
		s.menu = r.state
	}
	step.Offered, step.Keys = s.offered(r), s.keys(r)
	if s.hush {
		step.Missed = false
	}
	if r.wants&keypad.WantPlace != 0 && !r.menu || r.state == WhichPlace {
		step.Places = s.list[:min(s.listed, len(s.list))]
	}
	if r.lists {
		step.Bookings = s.bookings()
	}
	if r.asks != "" {
		step.Asked = []Question{r.asks}
	}
	step.Asks, step.Frame = s.asks(), s.frame()
	s.eased = false
	step.Listen = s.listen(r)
	return step
}

// Seconds that a caller has to answer, and between checks of a driver's leg.
const (
	answerWithin = 8
	waitFor      = 3
)

func (s *Session) listen(r row) Listen {
	l := Listen{Keys: 1, Words: true, Within: answerWithin, Hints: s.hints(r), Firm: s.misses > 0}
	if sound := s.visit.desk.opts.Sound; sound != nil && sound() {
		l.Expected = s.expects(r)
	}
	switch {
	case r.hash && s.streets() == nil: // no street could be named
	case r.keys > 0:
		l.Keys, l.Hash = r.keys, r.hash
	}
	return l
}

// prompt returns the sentences of a state; short leaves out what the caller has heard
// before.
func (s *Session) prompt(r row, short bool) []string {
	var said []string
	for _, id := range r.says {
		slots := spoken.Slots{Keys: s.keys(r), Aloud: !s.keyed && (s.misses == 0 || s.eased)}
		if r.slots != nil {
			r.slots(s, &slots)
		}
		said = append(said, s.visit.say(id, slots, short)...)
	}
	if s.eased && len(said) > 0 && r.menu && s.visit.Channel != FeatureMessaging {
		return said[len(said)-1:] // only the question
	}
	return said
}

// keys returns the keys of the choices that are available in a state.
func (s *Session) keys(r row) map[spoken.Choice]string {
	keys := map[spoken.Choice]string{}
	for _, w := range s.open(r) {
		if w.key != "" {
			keys[w.choice] = w.key
		}
	}
	return keys
}

// open returns the choices of a state that are available now.
func (s *Session) open(r row) []way {
	var list []way
	for _, w := range r.ways {
		if w.open == nil || w.open(s) {
			list = append(list, w)
		}
	}
	if r.then == "" && r.state != Over {
		list = append(list, toPerson)
	}
	return list
}

func (s *Session) offered(r row) []spoken.Choice {
	var list []spoken.Choice
	for _, w := range s.open(r) {
		if w.key != "" && !slices.Contains(list, w.choice) {
			list = append(list, w.choice)
		}
	}
	return list
}

// hints returns words that a caller may say.
func (s *form) hints(r row) []string {
	const most = 90
	hints := s.examples()
	for _, p := range s.list {
		if p.Name != "" {
			hints = append(hints, clipped(p.Name))
		}
	}
	if r.asks == AsksPickup || r.asks == AsksDropoff || r.menu {
		for _, p := range s.places() {
			if p.Name != "" && !slices.Contains(hints, clipped(p.Name)) {
				hints = append(hints, clipped(p.Name))
			}
		}
	}
	return hints[:min(len(hints), most)]
}

// clipped returns a hint, shortened if it exceeds the limit of a gather.
func clipped(name string) string {
	const longest = 100
	runes := []rune(name)
	return string(runes[:min(len(runes), longest)])
}

// arrived reports whether the driver of the current journey has arrived.
func (s *form) arrived() bool {
	return s.journey != nil && s.journey.Status == taxi.Arrived
}
