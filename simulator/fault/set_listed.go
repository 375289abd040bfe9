package fault

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/simulator/host"
)

// Listed is a rule with its state.
type Listed struct {
	Rule `schema:"required: id"`

	State    State         `json:"state"`
	Seen     int           `json:"seen"`            // requests that matched while it was active
	Hits     int           `json:"hits"`            // requests that were hit
	Left     *int          `json:"left,omitempty"`  // requests that it can still hit; left out: no limit
	Ends     time.Time     `json:"ends,omitzero"`   // by the world's clock; left out: only by its times
	EndsIn   host.Duration `json:"endsIn,omitzero"` // duration until then
	Scenario bool          `json:"scenario,omitzero"`
}

// State is the state of a rule.
type State string

// The states.
const (
	ToCome State = "to-come" // before the beginning of its window
	AtWork State = "at-work"
	Over   State = "ended"
)

// List returns the rules in the order in which they are applied, including ended ones.
func (s *Set) List() []Listed {
	var told []Event
	defer func() { s.tell(told) }()
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.options.Now()
	told = s.settle(now)
	all := make([]Listed, len(s.list))
	for i, e := range s.list {
		all[i] = e.listed(now)
	}
	return all
}

// Get returns the rule with an id, or [ErrUnknown].
func (s *Set) Get(id string) (Listed, error) {
	all := s.List()
	at := slices.IndexFunc(all, func(l Listed) bool { return l.ID == id })
	if at < 0 {
		return Listed{}, fmt.Errorf("%s: %w", id, ErrUnknown)
	}
	return all[at], nil
}

// Summary describes the active rules in a few words: "none", or "2: commit-then-drop on
// book, 1 left; delay, 14m0s left".
func (s *Set) Summary() string {
	var words []string
	for _, l := range s.List() {
		if l.State == Over {
			continue
		}
		text := l.Do.Kind
		if l.Match.Op != "" {
			text += " on " + string(l.Match.Op)
		}
		switch {
		case l.Left != nil:
			text += fmt.Sprintf(", %d left", *l.Left)
		case l.EndsIn > 0:
			text += fmt.Sprintf(", %s left", time.Duration(l.EndsIn).Round(time.Second))
		}
		words = append(words, text)
	}
	if len(words) == 0 {
		return "none"
	}
	return fmt.Sprintf("%d: %s", len(words), strings.Join(words, "; "))
}

// ends returns when a rule's window is over; zero: never.
func (e *entry) ends() time.Time {
	w := e.rule.Window
	if w.TTL == 0 {
		return w.To
	}
	since := e.since
	if w.From.After(since) {
		since = w.From
	}
	if by := since.Add(time.Duration(w.TTL)); w.To.IsZero() || by.Before(w.To) {
		return by
	}
	return w.To
}

func (e *entry) listed(now time.Time) Listed {
	l := Listed{Rule: e.rule, State: AtWork, Seen: e.seen, Hits: e.hits, Ends: e.ends(), Scenario: e.scenario}
	if w := e.rule.Window; w.Times > 0 {
		left := max(0, int(w.Times)-e.hits)
		l.Left = &left
	}
	switch {
	case e.over:
		l.State = Over
	case now.Before(e.rule.Window.From):
		l.State = ToCome
	}
	if !l.Ends.IsZero() && !e.over {
		l.EndsIn = host.Duration(l.Ends.Sub(now))
	}
	return l
}
