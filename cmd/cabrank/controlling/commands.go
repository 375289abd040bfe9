// Package controlling has the commands that make things happen in a dispatch system
// that 'cabrank serve' runs, and that tell what its callers asked: faults, the numbers that ask
// for them, the clock, journeys, vehicles, sandboxes, scenarios, events, and the journal.
package controlling

import (
	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// Commands returns the commands.
func Commands(out cli.Outside) []*cobra.Command {
	return []*cobra.Command{
		newClock(out), newEvents(out), newFault(out), newJourneys(out), newMagic(out), newRequests(out), newReset(out), newSandbox(out),
		newScenario(out), newSnapshot(out), newSupply(out), newSystem(out), newUsers(out), newVehicles(out),
	}
}
