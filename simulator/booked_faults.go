package simulator

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// bookedFault is something that goes wrong in a journey because its booking asked for
// it.
type bookedFault uint8

// The faults. Decision: a booking asks for one with data.simulate.behaviour.
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

// BookedFault is a fault as those who book ask for it.
type BookedFault struct {
	Behaviour string `json:"behaviour"` // data.simulate.behaviour of the booking
	Means     string `json:"means"`
}

// BookedFaults lists what a booking can ask to go wrong.
func BookedFaults() []BookedFault { return bookedFaults[1:] }

var bookedFaults = [...]BookedFault{
	faultReject: {"reject", "the first driver rejects the job"},
	faultDrop:   {"drop", "the first driver cancels after accepting the job"},
	faultNoShow: {"noshow", "the passenger does not come: CANCELLED with NO_SHOW"},
	faultLate:   {"late", "the driver sets off 10 minutes late"},
	faultNoCar:  {"nocar", "no car is found: CANCELLED with NO_DRIVER after 20 minutes"},
}

// faultOf reads which fault a booking asks for; 0: none.
func faultOf(j *store.Journey) bookedFault {
	behaviour, err := simulated(j.PluginData)
	if err != nil {
		return 0
	}
	return faultNamed(behaviour)
}

// simulated reads data.simulate.behaviour; "" where there is none.
func simulated(data json.RawMessage) (string, error) {
	if !bytes.Contains(data, []byte(`"simulate"`)) {
		return "", nil
	}
	var read struct {
		Simulate struct {
			Behaviour string `json:"behaviour"`
		} `json:"simulate"`
	}
	err := json.Unmarshal(data, &read)
	return read.Simulate.Behaviour, err
}

// checkSimulate refuses a behaviour that there is not: a tester who mistypes one would
// otherwise test that all goes well.
func checkSimulate(data json.RawMessage) *taxi.FieldError {
	behaviour, err := simulated(data)
	if err != nil || behaviour == "" || faultNamed(behaviour) != 0 { // other members may be somebody else's
		return nil
	}
	var names []string
	for _, f := range BookedFaults() {
		names = append(names, f.Behaviour)
	}
	return &taxi.FieldError{Pointer: "/data/simulate/behaviour", Code: "range", Detail: "is not one of " + strings.Join(names, ", ")}
}

func faultNamed(behaviour string) bookedFault {
	for f, named := range bookedFaults {
		if named.Behaviour == behaviour && behaviour != "" {
			return bookedFault(f)
		}
	}
	return 0
}

// String names a fault as data.simulate does.
func (w bookedFault) String() string { return bookedFaults[w].Behaviour }
