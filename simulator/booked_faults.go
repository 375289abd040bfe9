package simulator

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

// bookedFault is something that goes wrong in a journey because its booking asked for
// it.
type bookedFault uint8

// The faults. Decision: a booking asks for one with data.simulate.behaviour, or with a
// pickup in a street of that meaning, so that a caller can ask for it by voice.
const (
	_           bookedFault = iota
	faultReject             // the first driver asked turns the job down
	faultDrop               // the first driver who takes it gives it back
	faultNoShow             // the passenger does not come
	faultLate               // the driver sets off late
	faultNoCar              // no car is found
)

// faultLateness is how late the driver sets off under faultLate.
const faultLateness = 10 * time.Minute

// faultOf reads which fault a booking asks for; 0: none, or none that is known.
func faultOf(j *store.Journey) bookedFault {
	if bytes.Contains(j.PluginData, []byte(`"simulate"`)) {
		var data struct{ Simulate struct{ Behaviour string } }
		if json.Unmarshal(j.PluginData, &data) == nil {
			if asked := faultNamed(data.Simulate.Behaviour); asked != 0 {
				return asked
			}
		}
	}
	if j.Pickup == nil {
		return 0
	}
	return faultOfStreet(j.Pickup.Address)
}

func faultNamed(behaviour string) bookedFault {
	switch behaviour {
	case "reject":
		return faultReject
	case "drop":
		return faultDrop
	case "noshow":
		return faultNoShow
	case "late":
		return faultLate
	case "nocar":
		return faultNoCar
	default:
		return 0
	}
}

// faultOfStreet is the fault that a street's name asks for.
func faultOfStreet(address string) bookedFault {
	switch {
	case strings.Contains(address, town.NoCarsLane):
		return faultNoCar
	case strings.Contains(address, town.SlowStreet):
		return faultLate
	case strings.Contains(address, town.CancelClose):
		return faultDrop
	default:
		return 0
	}
}

// String names a fault as data.simulate does.
func (w bookedFault) String() string {
	return [...]string{"", "reject", "drop", "noshow", "late", "nocar"}[w]
}
