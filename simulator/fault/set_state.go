package fault

import (
	"encoding/json"
	"fmt"
	"time"
)

// state is the JSON of a set: its rules with their counts, and its own magic numbers. What
// a fault remembers of single journeys and requests is not part of it.
type state struct {
	Count int         `json:"count,omitempty"` // of generated ids
	Rules []ruleState `json:"rules,omitempty"`
	Own   map[int]Do  `json:"numbers,omitempty"`
}

// ruleState is an entry without its memory.
type ruleState struct {
	Rule     Rule      `json:"rule"`
	Since    time.Time `json:"since"`
	Seen     int       `json:"seen,omitempty"`
	Hits     int       `json:"hits,omitempty"`
	Over     bool      `json:"over,omitempty"`
	Scenario bool      `json:"scenario,omitempty"`
}

// NoState is the state of a new set.
const NoState = "{}"

// State returns the rules with their counts, and the magic numbers that were defined, as
// JSON for [Set.Restore]. It reads no clock.
func (s *Set) State() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	is := state{Count: s.count, Own: s.own}
	for _, e := range s.list {
		is.Rules = append(is.Rules, ruleState{e.rule, e.since, e.seen, e.hits, e.over, e.scenario})
	}
	text, err := json.Marshal(is)
	if err != nil {
		return nil, fmt.Errorf("the state of the faults: %w", err)
	}
	return text, nil
}

// Restore replaces the rules and the defined magic numbers of a set with those of
// [Set.State]. Faults that remember earlier requests begin anew. If the text is not valid
// here, the error says why, and the set is unchanged.
func (s *Set) Restore(text []byte) error {
	var is state
	if err := json.Unmarshal(text, &is); err != nil {
		return fmt.Errorf("restore the faults: %w", err)
	}
	list := make([]*entry, len(is.Rules))
	active := 0
	for i, r := range is.Rules {
		rule, err := r.Rule.complete()
		if err == nil {
			err = s.can(rule.Do)
		}
		if err != nil {
			return fmt.Errorf("restore the rule %s: %w", r.Rule.ID, err)
		}
		list[i] = &entry{rule: rule, since: r.Since, seen: r.Seen, hits: r.Hits, over: r.Over, scenario: r.Scenario, memory: newMemory()}
		if !r.Over {
			active++
		}
	}
	own, err := s.restoredOwn(is.Own)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list, s.count, s.own = list, is.Count, own
	s.rules.Store(int32(active))
	s.repeated = newRepeats()
	clear(s.remembered)
	return nil
}

// restoredOwn validates defined magic numbers.
func (s *Set) restoredOwn(kept map[int]Do) (map[int]Do, error) {
	own := make(map[int]Do, len(kept))
	for number, do := range kept {
		if err := s.checkOwn(number, &do); err != nil {
			return nil, fmt.Errorf("restore the number %d: %w", number, err)
		}
		own[number] = do
	}
	return own, nil
}
