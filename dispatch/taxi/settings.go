package taxi

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
)

// Settings is the taxi plugin's data, which controls what an end user is offered. Clause:
// /config request and response, and data of the end user. A nil field is absent and
// overrides nothing.
type Settings struct {
	Features    []Feature
	Options     []Option
	SkipDropOff *bool // true: do not ask where to

	// Other holds all further fields unchanged: the interface allows any.
	Other map[string]json.RawMessage
}

const (
	keyFeatures    = "features"
	keyOptions     = "options"
	keySkipDropOff = "skipDropOff"
)

// Overlay returns s with its fields replaced by those that over has, as a /config answer
// overrides a customer's settings. It changes neither argument.
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

// MarshalJSON writes the fields that are present, and the unknown ones
// unchanged.
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

// UnmarshalJSON reads an object. A null field counts as absent, so that an accidental null
// does not switch off every option.
func (s *Settings) UnmarshalJSON(b []byte) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(b, &all); err != nil {
		return errors.New("settings are an object")
	}
	read := Settings{}
	for k, v := range all {
		var err error
		var wants string
		switch k {
		case keyFeatures:
			err, wants = json.Unmarshal(v, &read.Features), "an array of strings"
		case keyOptions:
			err, wants = json.Unmarshal(v, &read.Options), "an array of strings"
		case keySkipDropOff:
			err, wants = json.Unmarshal(v, &read.SkipDropOff), "true or false"
		default:
			if read.Other == nil {
				read.Other = make(map[string]json.RawMessage)
			}
			read.Other[k] = v
		}
		if err != nil {
			return fmt.Errorf("%s wants %s", k, wants)
		}
	}
	*s = read
	return nil
}
