package dispatchside

import (
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// barred returns a function that gives the reason why a call must not be made; it returns nil if all may be made.
func (t *Target) barred() func(client.Call) *conformance.Reason {
	if !t.ReadOnly {
		return nil
	}
	return func(l client.Call) *conformance.Reason {
		if l.Op != rules.OpBook && l.Op != rules.OpCancel {
			return nil
		}
		return new(readOnlyReason())
	}
}

// readOnlyReason returns the reason why checks that need /book or /cancel are not verified in a read-only run.
func readOnlyReason() conformance.Reason {
	return conformance.Because(conformance.NotAsked, "a read-only run calls neither /book nor /cancel")
}
