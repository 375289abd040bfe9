package simulator

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// bookedFault is a fault that a booking selects for its journey.
type bookedFault uint8

// The faults. Decision: a booking selects one with data.simulate.behaviour.
const (
	_           bookedFault = iota
	faultReject             // the first driver who is asked refuses the job
	faultDrop               // the first driver who accepts the job gives it back
	faultNoShow             // the passenger does not come
	faultLate               // the driver sets off late
	faultNoCar              // no car is found
)

// faultLateness is how late the driver sets off under faultLate.
const faultLateness = 10 * time.Minute

// BookedFault is a fault that a booking can select.
type BookedFault struct {
	Behaviour string `json:"behaviour"` // value of data.simulate.behaviour
	Means     string `json:"means"`
}

// BookedFaults lists the faults that a booking can select.
func BookedFaults() []BookedFault { return bookedFaults[1:] }

var bookedFaults = [...]BookedFault{
	faultReject: {"reject", "the first driver rejects the job"},
	faultDrop:   {"drop", "the first driver cancels after accepting the job"},
	faultNoShow: {"noshow", "the passenger does not come: CANCELLED with NO_SHOW"},
	faultLate:   {"late", "the driver sets off 10 minutes late"},
	faultNoCar:  {"nocar", "no car is found: CANCELLED with NO_DRIVER after 20 minutes"},
}

// faultOf returns the fault that a booking selects; 0: none.
func faultOf(j *store.Journey) bookedFault {
	behaviour, err := simulated(j.PluginData)
	if err != nil {
		return 0
	}
	return faultNamed(behaviour)
}

// simulated returns data.simulate.behaviour; "" if it is absent.
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

// checkSimulate refuses an unknown behaviour: a tester who mistypes one would otherwise
// test a journey without a fault.
func checkSimulate(data json.RawMessage) *taxi.FieldError {
	behaviour, err := simulated(data)
	if err != nil || behaviour == "" || faultNamed(behaviour) != 0 { // other members of data may belong to another program
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

// String returns the value of data.simulate.behaviour.
func (w bookedFault) String() string { return bookedFaults[w].Behaviour }
