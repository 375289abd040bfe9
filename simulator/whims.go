package simulator

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

// whim is how a journey goes wrong because somebody asked for it.
type whim uint8

// The whims. Decision: a booking asks for one with data.simulate.behaviour, or
// with a pickup in a street of that meaning, so that it can also be asked for by
// voice.
const (
	_          whim = iota
	whimReject      // the first driver asked turns the job down
	whimDrop        // the first driver who takes it gives it back
	whimNoShow      // the passenger does not come
	whimLate        // the driver sets off late
	whimNoCar       // no car is found
)

// tardiness is how late a driver sets off whom a whim makes late.
const tardiness = 10 * time.Minute

// whimOf reads what a booking wants. What cannot be read is no whim.
func whimOf(j *store.Journey) whim {
	if bytes.Contains(j.PluginData, []byte(`"simulate"`)) {
		var data struct{ Simulate struct{ Behaviour string } }
		if json.Unmarshal(j.PluginData, &data) == nil {
			if asked := whimNamed(data.Simulate.Behaviour); asked != 0 {
				return asked
			}
		}
	}
	if j.Pickup == nil {
		return 0
	}
	return whimOfStreet(j.Pickup.Address)
}

func whimNamed(behaviour string) whim {
	switch behaviour {
	case "reject":
		return whimReject
	case "drop":
		return whimDrop
	case "noshow":
		return whimNoShow
	case "late":
		return whimLate
	case "nocar":
		return whimNoCar
	default:
		return 0
	}
}

// whimOfStreet is what a street's name asks for.
func whimOfStreet(address string) whim {
	switch {
	case strings.Contains(address, town.NoCarsLane):
		return whimNoCar
	case strings.Contains(address, town.SlowStreet):
		return whimLate
	case strings.Contains(address, town.CancelClose):
		return whimDrop
	default:
		return 0
	}
}

// String names a whim as data.simulate does.
func (w whim) String() string {
	return [...]string{"", "reject", "drop", "noshow", "late", "nocar"}[w]
}
