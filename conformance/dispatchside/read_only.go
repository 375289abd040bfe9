package dispatchside

import (
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// barred says which calls a run must not make; nil: it may make all.
func (t *Target) barred() func(client.Call) *conformance.Reason {
	if !t.ReadOnly {
		return nil
	}
	return func(l client.Call) *conformance.Reason {
		if l.Op != rules.OpBook && l.Op != rules.OpCancel {
			return nil
		}
		return new(changesNothing())
	}
}

// changesNothing is the reason of what needs a booking in a run that makes none.
func changesNothing() conformance.Reason {
	return conformance.Because(conformance.NotAsked, "neither /book nor /cancel is called, as the run is to change nothing")
}
