// Package controlling contains the commands that control a dispatch system run by
// 'cabrank serve' and show the requests that it received: faults, magic numbers, the
// clock, journeys, vehicles, sandboxes, tokens, scenarios, events and the journal. ctl makes the other
// calls.
package controlling

import (
	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// Commands returns the commands.
func Commands(out cli.Outside) []*cobra.Command {
	return []*cobra.Command{
		newClock(out), newCtl(out), newEvents(out), newFault(out), newJourneys(out), newMagic(out), newRequests(out), newReset(out), newSandbox(out),
		newScenario(out), newSnapshot(out), newSystem(out), newToken(out), newUsers(out), newVehicles(out),
	}
}
