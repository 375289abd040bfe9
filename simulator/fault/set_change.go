package fault

import (
	"encoding/json"
	"fmt"

	jsonv2 "github.com/go-json-experiment/json"
)

// Change changes a rule by a JSON Merge Patch (RFC 7396) of its match, window and do. Its
// counts continue; its TTL begins again, and an ended rule becomes active if the change
// allows it. The error is [ErrUnknown] or a [*RuleError].
func (s *Set) Change(id string, patch []byte) (Listed, error) {
	var told []Event
	defer func() { s.tell(told) }()
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.options.Now()
	told = s.settle(now)
	at, ok := s.find(id)
	if !ok {
		return Listed{}, fmt.Errorf("%s: %w", id, ErrUnknown)
	}
	e := s.list[at]
	r, err := merged(e.rule, patch)
	if err != nil {
		return Listed{}, err
	}
	if err := s.checkSupported(r.Do); err != nil {
		return Listed{}, err
	}
	e.rule, e.text, e.since = r, nil, now
	if e.over {
		e.over = false
		s.rules.Add(1)
	}
	told = append(told, Event{now, Changed, id, r.Do.Kind, r.Match.Op})
	told = append(told, s.settle(now)...)
	return e.listed(now), nil
}

// merged returns a rule with a merge patch applied, or an error for an invalid one.
func merged(r Rule, patch []byte) (Rule, error) {
	var change map[string]any
	if err := readInto(patch, &change); err != nil {
		return r, err
	}
	var wrong faults
	for name := range change {
		wrong.add(name != "match" && name != "window" && name != "do", "/"+name, "range", "cannot be changed; match, window and do can")
	}
	if err := wrong.err(); err != nil {
		return r, err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return r, err
	}
	var was map[string]any
	if err := jsonv2.Unmarshal(text, &was); err != nil {
		return r, err
	}
	if text, err = json.Marshal(overlay(was, change)); err != nil {
		return r, err
	}
	return Read(text)
}

// overlay applies a JSON Merge Patch to an object.
func overlay(was, change map[string]any) map[string]any {
	for name, value := range change {
		object, isObject := value.(map[string]any)
		switch {
		case value == nil:
			delete(was, name)
		case isObject:
			inner, _ := was[name].(map[string]any)
			if inner == nil {
				inner = map[string]any{}
			}
			was[name] = overlay(inner, object)
		default:
			was[name] = value
		}
	}
	return was
}
