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

// Options configures a [Set]. Now is required.
type Options struct {
	Now  func() time.Time // the world's clock, for the window of rules
	Seed uint64           // for Match.Probability

	// Wall is the clock for dates in headers; nil: the world's.
	Wall func() time.Time

	// PhoneOf returns the number of a user, or "" if it is unknown, so that rules and
	// magic numbers apply to the caller of /status and /cancel, too. Nil: it is never
	// known.
	PhoneOf func(context.Context, taxi.UserID) taxi.E164

	// World is the world behind the handler; nil: faults of cars and drivers are refused.
	World World

	// NoMagic turns magic numbers off.
	NoMagic bool

	// Pause waits for d, and reports whether ctx lasted as long; nil: with the machine's
	// timers.
	Pause func(ctx context.Context, d time.Duration) bool

	// Changed is called after each change of what [Set.State] returns, also when a rule
	// has seen a request, from any goroutine; may be nil.
	Changed func()

	// Told receives each change of the rules and each request that a fault hits, from any
	// goroutine; may be nil.
	Told func(Event)
}

// Happened is the kind of an [Event].
type Happened string

// The kinds of events.
const (
	Added   Happened = "added"
	Changed Happened = "changed"
	Removed Happened = "removed"
	Ended   Happened = "ended" // its times or its window are over
	Hit     Happened = "hit"   // a request was hit
)

// Event is an event of a rule.
type Event struct {
	At    time.Time `json:"at"` // by the world's clock
	What  Happened  `json:"what"`
	ID    string    `json:"id"`          // id of the rule, or of a magic number, such as magic-503
	Fault string    `json:"fault"`       // name in the catalogue
	Op    Op        `json:"op,omitzero"` // of the request that was hit
}

// Limits of a set.
const (
	mostRules = 200 // active or to come
	mostEnded = 100 // ended rules that are still listed
)

// Errors of a set.
var (
	ErrUnknown = errors.New("there is no such rule")
	ErrTaken   = errors.New("there is a rule of that id")
	ErrFull    = fmt.Errorf("there are %d rules, which is as many as are kept", mostRules)
)

// Set contains the rules of one world. Its methods may be called from any goroutine.
type Set struct {
	options Options
	rules   atomic.Int32 // number of rules that may be active
	said    *memo.Memo[*said]

	mu    sync.Mutex
	list  []*entry   // in the order in which they were added; those of a scenario after the others
	count int        // number of generated ids
	own   map[int]Do // meaning of numbers from 900 on

	remembered map[string]*memory // of magic numbers
	repeated   *repeats
}

// entry is a rule with its state.
type entry struct {
	rule     Rule
	text     []byte    // the rule as JSON; nil: not encoded yet
	since    time.Time // when its TTL began
	seen     int       // number of requests that matched while it was active
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

// pause waits for d with the machine's timers, and reports whether ctx lasted as long.
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

// Add validates a rule and adds it after the existing ones. It returns the rule with its
// id and defaults. The error is a [*RuleError], [ErrTaken] or [ErrFull].
func (s *Set) Add(r Rule) (Listed, error) { return s.add(r, false) }

// AddScenario adds a rule that applies only if no other rule and no magic number does.
func (s *Set) AddScenario(r Rule) (Listed, error) { return s.add(r, true) }

func (s *Set) add(r Rule, scenario bool) (Listed, error) {
	r, err := r.complete()
	if err != nil {
		return Listed{}, err
	}
	if err := s.checkSupported(r.Do); err != nil {
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

// checkSupported returns an error for a fault of cars or drivers if there is no world.
func (s *Set) checkSupported(d Do) error {
	if s.options.World == nil && catalogue().byName[d.Kind].Group == Fleet {
		return &RuleError{[]taxi.FieldError{{Pointer: "/do/kind", Code: "range", Detail: "cannot be done here: there is no world with cars"}}}
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

// Remove removes a rule. It returns [ErrUnknown] if no rule has the id.
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

// drop removes the rule at an index, and returns the event for its removal.
func (s *Set) drop(at int) Event {
	e := s.list[at]
	if !e.over {
		s.rules.Add(-1)
	}
	s.list = slices.Delete(s.list, at, at+1)
	return Event{s.options.Now(), Removed, e.rule.ID, e.rule.Do.Kind, e.rule.Match.Op}
}

// Clear removes all rules and everything remembered for them; generated ids begin again.
func (s *Set) Clear() {
	var told []Event
	defer func() { s.tell(told) }()
	defer s.noteChange()
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.list) > 0 {
		told = append(told, s.drop(0))
	}
	s.count, s.repeated = 0, newRepeats()
	clear(s.remembered)
}

// Begin tells a set that its world was reset, with a seed: the TTL of remaining rules
// begins again, and everything remembered about earlier journeys and requests is removed.
func (s *Set) Begin(seed uint64) {
	defer s.noteChange()
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

// settle ends the rules whose window or times are over, and returns the events of their ends. It
// also removes the oldest ended rules if there are too many; mu is held.
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

// spent reports whether a rule cannot hit further requests.
func (e *entry) spent() bool {
	w := e.rule.Window
	return w.Times > 0 && e.hits >= int(w.Times) || e.rule.Match.Nth > 0 && e.seen >= e.rule.Match.Nth
}

// chosen is the fault that applies to a request.
type chosen struct {
	id     string
	do     Do
	memory *memory
	entry  *entry  // nil: it is not a rule's
	ended  []Event // events to report after the fault: the rule ends with it
}

// choose returns the fault that a rule applies to a request; nil: none.
func (s *Set) choose(x *exchange, scenario bool) *chosen {
	if s.rules.Load() == 0 {
		return nil
	}
	var told []Event
	seen := false
	defer func() { s.tell(told) }()
	defer func() {
		if seen {
			s.noteChange()
		}
	}()
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.options.Now()
	told = s.settle(now)
	for _, e := range s.list {
		if e.over || e.scenario != scenario || now.Before(e.rule.Window.From) || !e.matches(x) {
			continue
		}
		seen = true
		if e.seen++; !e.applies(s.options.Seed) {
			continue
		}
		e.hits++
		return &chosen{id: e.rule.ID, do: e.rule.Do, memory: e.memory, entry: e, ended: s.settle(now)}
	}
	return nil
}

// matches reports whether a rule matches a request.
func (e *entry) matches(x *exchange) bool {
	m, a := &e.rule.Match, &x.asked
	switch {
	case m.Op != "" && m.Op != a.op, m.Op == "" && !slices.Contains(catalogue().byName[e.rule.Do.Kind].Ops, a.op):
		return false
	case m.User != "" && m.User != x.said().UserID, m.Journey != "" && m.Journey != x.said().JourneyID:
		return false
	}
	return m.Phone == "" || m.Phone.Digits() == x.said().Phone.Digits() || m.Phone.Digits() == x.caller()
}

// applies reports whether a rule hits the request that it has just matched.
func (e *entry) applies(seed uint64) bool {
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

// hash converts an id to a number (FNV-1a).
func hash(id string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(id) {
		h = (h ^ uint64(id[i])) * 1099511628211
	}
	return h
}

// undoHit takes back a hit: the response contained nothing to change.
func (s *Set) undoHit(c *chosen) {
	if c.entry == nil {
		return
	}
	defer s.noteChange()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.list, c.entry) {
		return // the rule was removed meanwhile
	}
	c.entry.hits--
	if c.entry.over && !c.entry.spent() {
		if ends := c.entry.ends(); ends.IsZero() || s.options.Now().Before(ends) {
			c.entry.over, c.ended = false, nil
			s.rules.Add(1)
		}
	}
}

// tell passes events to [Options].Told; mu must not be held.
func (s *Set) tell(all []Event) {
	if slices.ContainsFunc(all, func(e Event) bool { return e.What != Hit }) { // choose has noted a hit
		s.noteChange()
	}
	if s.options.Told == nil {
		return
	}
	for _, e := range all {
		s.options.Told(e)
	}
}

// noteChange calls [Options].Changed; mu must not be held.
func (s *Set) noteChange() {
	if s.options.Changed != nil {
		s.options.Changed()
	}
}
