package taxi

import (
	"encoding/json"
	"maps"
)

// Settings is the taxi plugin's data: what an end user is offered. Clause:
// /config request and response, and data of the end user. A nil field is absent
// and overrides nothing.
type Settings struct {
	Features    []Feature
	Options     []Option
	SkipDropOff *bool // true: do not ask where to

	// Other holds every further field as it came: the interface allows any.
	Other map[string]json.RawMessage
}

const (
	keyFeatures    = "features"
	keyOptions     = "options"
	keySkipDropOff = "skipDropOff"
)

// Overlay returns s with each field that over gives written over it: how a
// /config answer changes a customer's settings. Neither argument is changed.
func (s Settings) Overlay(over Settings) Settings {
	if over.Features != nil {
		s.Features = over.Features
	}
	if over.Options != nil {
		s.Options = over.Options
	}
	if over.SkipDropOff != nil {
		s.SkipDropOff = over.SkipDropOff
	}
	if len(over.Other) > 0 {
		other := maps.Clone(s.Other)
		if other == nil {
			other = make(map[string]json.RawMessage, len(over.Other))
		}
		maps.Copy(other, over.Other)
		s.Other = other
	}
	return s
}

// MarshalJSON writes the fields that are present, the known ones by their names
// and the others as they came.
func (s Settings) MarshalJSON() ([]byte, error) {
	all := make(map[string]any, len(s.Other)+3)
	for k, v := range s.Other {
		all[k] = v
	}
	if s.Features != nil {
		all[keyFeatures] = s.Features
	}
	if s.Options != nil {
		all[keyOptions] = s.Options
	}
	if s.SkipDropOff != nil {
		all[keySkipDropOff] = *s.SkipDropOff
	}
	return json.Marshal(all) // sorted by key, so equal settings are equal bytes
}

// UnmarshalJSON reads an object; a null field counts as absent, since a null
// that switched every option off would be an accident.
func (s *Settings) UnmarshalJSON(b []byte) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(b, &all); err != nil {
		return err
	}
	read := Settings{}
	for k, v := range all {
		var err error
		switch k {
		case keyFeatures:
			err = json.Unmarshal(v, &read.Features)
		case keyOptions:
			err = json.Unmarshal(v, &read.Options)
		case keySkipDropOff:
			err = json.Unmarshal(v, &read.SkipDropOff)
		default:
			if read.Other == nil {
				read.Other = make(map[string]json.RawMessage)
			}
			read.Other[k] = v
		}
		if err != nil {
			return err
		}
	}
	*s = read
	return nil
}
