package dispatchside

import (
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// barred returns why a run must not make a call; nil: it may make all calls.
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

// changesNothing is the reason for checks that need a booking in a read-only run.
func changesNothing() conformance.Reason {
	return conformance.Because(conformance.NotAsked, "a read-only run calls neither /book nor /cancel")
}
