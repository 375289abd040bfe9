package fault

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"time"
)

// state is the first line of a set's stored state.
type state struct {
	Count int        `json:"count,omitempty"`   // of generated ids
	Own   map[int]Do `json:"numbers,omitempty"` // see Set.own
}

// ruleState is a further line of a set's stored state: a rule with its counts.
type ruleState struct {
	Since    time.Time `json:"since"`
	Seen     int       `json:"seen"`
	Hits     int       `json:"hits"`
	Over     bool      `json:"over"`
	Scenario bool      `json:"scenario"`
	Rule     struct {
		Rule
		Do stored `json:"do"`
	} `json:"rule"`
}

// stored is a fault in a stored state. Earlier programs had other names and parameters.
type stored struct {
	Do
	op Op // what its rule must match
}

// UnmarshalJSON also reads the names and parameters that earlier programs wrote.
func (d *stored) UnmarshalJSON(text []byte) error {
	var was struct{ Kind, Field, Text string }
	if err := json.Unmarshal(text, &was); err != nil {
		return err
	}
	x, _ := Renamed(was.Kind)
	do, kind := x.Do, cmp.Or(x.Do.Kind, was.Kind)
	do.Member, do.Value = cmp.Or(was.Field, do.Member), cmp.Or(was.Text, do.Value)
	if kind == "odd-name" {
		do.Form, do.Value = was.Text, ""
	}
	if err := json.Unmarshal(text, &do); err != nil {
		return err
	}
	do.Kind = kind
	*d = stored{completed(do), x.Op}
	return nil
}

// NoState is what [Set.State] returns for a new set.
const NoState = "{}"

// State returns the rules with their counts, and the magic numbers that were defined, as
// lines of JSON for [Set.Restore]. It reads no clock. It encodes a rule only once, since
// the state changes with each hit.
func (s *Set) State() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, err := json.Marshal(state{s.count, s.own})
	for _, e := range s.list {
		if err == nil && e.text == nil {
			e.text, err = json.Marshal(e.rule)
		}
		text = fmt.Appendf(text, "\n"+`{"since":%q,"seen":%d,"hits":%d,"over":%t,"scenario":%t,"rule":%s}`,
			e.since.Format(time.RFC3339Nano), e.seen, e.hits, e.over, e.scenario, e.text)
	}
	if err != nil {
		return nil, fmt.Errorf("the state of the faults: %w", err)
	}
	return text, nil
}

// Restore replaces the rules and the defined magic numbers of a set with those of
// [Set.State]. Faults that remember earlier requests begin anew. If the text is not valid
// here, the error says why, and the set is unchanged.
func (s *Set) Restore(text []byte) error {
	var is struct {
		state
		Own map[int]stored `json:"numbers"`
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&is); err != nil {
		return fmt.Errorf("restore the faults: %w", err)
	}
	is.state.Own = map[int]Do{}
	for number, do := range is.Own {
		if err := s.checkOwn(number, &do.Do); err != nil {
			return fmt.Errorf("restore the number %d: %w", number, err)
		}
		is.state.Own[number] = do.Do
	}
	var list []*entry
	for d.More() {
		e, err := s.restored(d)
		if err != nil {
			return err
		}
		list = append(list, e)
	}
	s.replace(is.state, list)
	return nil
}

// restored decodes the next rule of a stored state, or returns an error if it is not valid here.
func (s *Set) restored(d *json.Decoder) (*entry, error) {
	var is ruleState
	if err := d.Decode(&is); err != nil {
		return nil, fmt.Errorf("restore a rule: %w", err)
	}
	rule := is.Rule.Rule
	rule.Do, rule.Match.Op = is.Rule.Do.Do, cmp.Or(rule.Match.Op, is.Rule.Do.op)
	rule, err := rule.complete()
	if err == nil {
		err = s.checkSupported(rule.Do)
	}
	if err != nil {
		return nil, fmt.Errorf("restore the rule %s: %w", is.Rule.ID, err)
	}
	return &entry{rule: rule, since: is.Since, seen: is.Seen, hits: is.Hits, over: is.Over, scenario: is.Scenario, memory: newMemory()}, nil
}

func (s *Set) replace(is state, list []*entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list, s.count, s.own = list, is.Count, is.Own
	active := int32(0)
	for _, e := range list {
		if !e.over {
			active++
		}
	}
	s.rules.Store(active)
	s.repeated = newRepeats()
	clear(s.remembered)
}
