package records

import (
	"encoding/json"

	"github.com/cabrank/cabrank/simulator/platform/api"
)

// Hook is a hook with its secrets and state.
type Hook struct {
	api.Hook
	Disabled string `json:"disabled,omitempty"` // why it was switched off; a PUT switches it on again
}

// hookCodec stores a hook with its secrets and shows it without them.
func hookCodec() codec[Hook] {
	c := plain[Hook]()
	c.show = func(h Hook) ([]byte, error) { return json.Marshal(h.Shown()) }
	return c
}

// deviceCodec stores the members of unknown devices beside the known ones.
func deviceCodec() codec[api.Device] {
	c := plain[api.Device]()
	c.keep = api.Device.Encode
	c.show = api.Device.Encode
	c.load = named(func(b []byte) (d api.Device, err error) {
		if err := json.Unmarshal(b, &d); err != nil {
			return d, err
		}
		if err := json.Unmarshal(b, &d.Other); err != nil {
			return d, err
		}
		for _, known := range []string{"id", "type", "name", "extension", "sipGateway", "startRoute", "plugin"} {
			delete(d.Other, known)
		}
		return d, nil
	})
	return c
}

// taxiCodec stores the settings of the taxi plugin, which have no id.
func taxiCodec() codec[json.RawMessage] {
	c := plain[json.RawMessage]()
	c.load = func(_ string, b []byte) (v json.RawMessage, err error) {
		var settings map[string]json.RawMessage
		return json.RawMessage(b), object(b, &settings)
	}
	return c
}
