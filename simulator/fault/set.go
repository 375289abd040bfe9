package fault

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/dispatch/memo"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Options is what a [Set] is made from. Now must be given.
type Options struct {
	Now  func() time.Time // the world's clock, by which rules begin and end
	Seed uint64           // decides what Match.Probability leaves to chance

	// Wall is the clock for dates in headers; nil: they are the world's.
	Wall func() time.Time

	// PhoneOf is the number of a user, so that rules and magic numbers find the caller of
	// /status and /cancel too; "" where it is not known. Nil: it never is.
	PhoneOf func(context.Context, taxi.UserID) taxi.E164

	// Supply does what a booking cannot ask for by itself; nil: faults that need it are
	// refused.
	Supply Supply

	// NoMagic leaves magic numbers without a meaning.
	NoMagic bool

	// Bare keeps every header that begins with X-Cabrank- out of what is written to a
	// connection that was taken from the server. Other answers keep [Header], for a journal
	// around the handler to read and take away.
	Bare bool

	// Pause waits, and reports whether ctx lasted as long; nil: by the machine's timers.
	Pause func(ctx context.Context, d time.Duration) bool

	// Told hears of each change of the rules and of each request that a fault meets,
	// from whichever goroutine it happens in; nil: nobody does.
	Told func(Event)
}

// Happened says what an [Event] is about.
type Happened string

// What events are about.
const (
	Added   Happened = "added"
	Changed Happened = "changed"
	Removed Happened = "removed"
	Ended   Happened = "ended" // by number of times or by time
	Hit     Happened = "hit"   // a request met it
)

// Event is something that happened to a rule.
type Event struct {
	At    time.Time `json:"at"` // by the world's clock
	What  Happened  `json:"what"`
	ID    string    `json:"id"`          // of the rule, or of what stands for one, such as magic-503
	Fault string    `json:"fault"`       // its name in the catalogue
	Op    Op        `json:"op,omitzero"` // of the request that was hit
}

// Limits of a set.
const (
	mostRules = 200 // at work or to come
	mostEnded = 100 // that have ended, and are still listed
)

// What a set refuses.
var (
	ErrUnknown = errors.New("there is no such rule")
	ErrTaken   = errors.New("there is a rule of that id")
	ErrFull    = fmt.Errorf("there are %d rules, which is as many as are kept", mostRules)
	ErrPreset  = errors.New("there is no such preset")
)

// Set is the rules of one world. Its methods may be called from any goroutine.
type Set struct {
	options Options
	rules   atomic.Int32 // that may be at work
	said    *memo.Memo[*said]

	mu    sync.Mutex
	list  []*entry   // in the order of adding; those of a scenario behind the others
	count int        // of ids given
	own   map[int]Do // what numbers from 900 on mean

	remembered map[string]*memory // by what stands for a rule
	repeated   *repeats
}

// entry is a rule and what has become of it.
type entry struct {
	rule     Rule
	since    time.Time // when its TTL began
	seen     int       // requests that agreed with it while it was at work
	hits     int
	over     bool
	scenario bool
	memory   *memory
}

// New returns a set without rules.
func New(o Options) *Set {
	if o.Wall == nil {
		o.Wall = o.Now
	}
	if o.Pause == nil {
		o.Pause = pause
	}
	return &Set{options: o, own: map[int]Do{}, remembered: map[string]*memory{}, repeated: newRepeats(), said: memo.New[*said]()}
}

// pause waits by the machine's timers.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// Add checks a rule and puts it behind those that there are. It returns the rule with
// its id and what it left out. The error is a [*RuleError], [ErrTaken] or [ErrFull].
func (s *Set) Add(r Rule) (Listed, error) { return s.add(r, false) }

// AddScenario adds a rule that gives way to all others, to what a request asks for
// itself, and to magic numbers.
func (s *Set) AddScenario(r Rule) (Listed, error) { return s.add(r, true) }

func (s *Set) add(r Rule, scenario bool) (Listed, error) {
	r, err := r.complete()
	if err != nil {
		return Listed{}, err
	}
	if err := s.can(r.Do); err != nil {
		return Listed{}, err
	}
	var told []Event
	defer func() { s.tell(told) }()
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.options.Now()
	told = s.settle(now)
	if r.ID == "" {
		r.ID = s.freshID()
	}
	at, taken := s.find(r.ID)
	switch {
	case taken && !s.list[at].over:
		return Listed{}, fmt.Errorf("%s: %w", r.ID, ErrTaken)
	case taken:
		s.list = slices.Delete(s.list, at, at+1)
	}
	if int(s.rules.Load()) >= mostRules {
		return Listed{}, ErrFull
	}
	e := &entry{rule: r, since: now, scenario: scenario, memory: newMemory()}
	s.list = append(s.list, e)
	slices.SortStableFunc(s.list, func(a, b *entry) int { return cmp.Compare(last(a), last(b)) })
	s.rules.Add(1)
	told = append(told, Event{now, Added, r.ID, r.Do.Kind, r.Match.Op})
	return e.listed(now), nil
}

func last(e *entry) int {
	if e.scenario {
		return 1
	}
	return 0
}

// can refuses what there is nobody to do.
func (s *Set) can(d Do) error {
	if s.options.Supply == nil && needsSupply(d) {
		return &RuleError{[]taxi.FieldError{{Pointer: "/do/kind", Code: "range", Detail: "cannot be done here: nobody moves the cars"}}}
	}
	return nil
}

func (s *Set) freshID() string {
	for {
		s.count++
		id := fmt.Sprintf("f-%d", s.count)
		if _, taken := s.find(id); !taken {
			return id
		}
	}
}

func (s *Set) find(id string) (at int, ok bool) {
	at = slices.IndexFunc(s.list, func(e *entry) bool { return e.rule.ID == id })
	return at, at >= 0
}

// Remove ends a rule and forgets it. The error is [ErrUnknown].
func (s *Set) Remove(id string) error {
	var told []Event
	defer func() { s.tell(told) }()
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.find(id)
	if !ok {
		return fmt.Errorf("%s: %w", id, ErrUnknown)
	}
	told = append(told, s.drop(at))
	return nil
}

// drop forgets the rule at a place.
func (s *Set) drop(at int) Event {
	e := s.list[at]
	if !e.over {
		s.rules.Add(-1)
	}
	s.list = slices.Delete(s.list, at, at+1)
	return Event{s.options.Now(), Removed, e.rule.ID, e.rule.Do.Kind, e.rule.Match.Op}
}

// Clear forgets all rules and everything remembered for them; ids are given from the
// first again.
func (s *Set) Clear() {
	var told []Event
	defer func() { s.tell(told) }()
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.list) > 0 {
		told = append(told, s.drop(0))
	}
	s.count, s.repeated = 0, newRepeats()
	clear(s.remembered)
}

// Begin tells a set that its world has begun anew, with a seed: rules that are kept last
// as long as if they had been added now, and nothing is remembered for them of journeys and
// requests that were before.
func (s *Set) Begin(seed uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.options.Seed = seed
	for _, e := range s.list {
		e.since, e.memory = s.options.Now(), newMemory()
	}
	s.repeated = newRepeats()
	clear(s.remembered)
}

func (s *Set) repeats() *repeats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.repeated
}

// settle ends the rules whose time or number is over, and forgets those that ended
// longest ago; mu is held.
func (s *Set) settle(now time.Time) (told []Event) {
	over := 0
	for _, e := range s.list {
		ends := e.ends()
		if !e.over && (e.spent() || !ends.IsZero() && !now.Before(ends)) {
			e.over = true
			s.rules.Add(-1)
			told = append(told, Event{now, Ended, e.rule.ID, e.rule.Do.Kind, e.rule.Match.Op})
		}
		if e.over {
			over++
		}
	}
	for i := 0; over > mostEnded; i++ {
		if s.list[i].over {
			s.list = slices.Delete(s.list, i, i+1)
			over, i = over-1, i-1
		}
	}
	return told
}

// spent reports a rule that has hit as many requests as it may.
func (e *entry) spent() bool {
	w := e.rule.Window
	return w.Times > 0 && e.hits >= int(w.Times) || e.rule.Match.Nth > 0 && e.seen >= e.rule.Match.Nth
}

// chosen is what is to go wrong with a request.
type chosen struct {
	id     string
	do     Do
	memory *memory
	entry  *entry  // nil: it is no rule
	ended  []Event // what is told once it has happened: that it was the rule's last time
}

// choose returns what goes wrong with a request by a rule; nil: nothing.
func (s *Set) choose(x *exchange, scenario bool) *chosen {
	if s.rules.Load() == 0 {
		return nil
	}
	var told []Event
	defer func() { s.tell(told) }()
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.options.Now()
	told = s.settle(now)
	for _, e := range s.list {
		if e.over || e.scenario != scenario || now.Before(e.rule.Window.From) || !e.agrees(x) {
			continue
		}
		if e.seen++; !e.takes(s.options.Seed) {
			continue
		}
		e.hits++
		return &chosen{id: e.rule.ID, do: e.rule.Do, memory: e.memory, entry: e, ended: s.settle(now)}
	}
	return nil
}

// agrees reports whether a rule is for a request.
func (e *entry) agrees(x *exchange) bool {
	m, a := &e.rule.Match, &x.asked
	switch {
	case m.Op != "" && m.Op != a.op, m.Op == "" && !slices.Contains(catalogue().byName[e.rule.Do.Kind].Ops, a.op):
		return false
	case m.User != "" && m.User != x.said().UserID, m.Journey != "" && m.Journey != x.said().JourneyID:
		return false
	}
	return m.Phone == "" || m.Phone.Digits() == x.said().Phone.Digits() || m.Phone.Digits() == x.caller()
}

// takes reports whether a rule hits the request that it has just seen.
func (e *entry) takes(seed uint64) bool {
	m, w := e.rule.Match, e.rule.Window
	switch {
	case m.Nth > 0 && e.seen != m.Nth, e.seen <= w.Skip:
		return false
	case m.Probability == 0:
		return true
	}
	stream := rand.New(rand.NewPCG(seed^hash(e.rule.ID), uint64(e.seen)))
	return stream.Float64() < float64(m.Probability)
}

// hash makes a number of an id (FNV-1a).
func hash(id string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(id) {
		h = (h ^ uint64(id[i])) * 1099511628211
	}
	return h
}

// missed takes back that a rule hit a request: the answer had nothing to break.
func (s *Set) missed(c *chosen) {
	if c.entry == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.list, c.entry) {
		return // it was removed meanwhile, and is counted no more
	}
	c.entry.hits--
	if c.entry.over && !c.entry.spent() {
		if ends := c.entry.ends(); ends.IsZero() || s.options.Now().Before(ends) {
			c.entry.over, c.ended = false, nil
			s.rules.Add(1)
		}
	}
}

func (s *Set) tell(all []Event) {
	if s.options.Told == nil {
		return
	}
	for _, e := range all {
		s.options.Told(e)
	}
}
