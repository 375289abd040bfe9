// Package controlling has the commands that make things happen in a dispatch system
// that 'cabrank serve' runs, and that tell what its callers asked: faults, the numbers that ask
// for them, and the journal.
package controlling

import (
	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// Commands returns the commands.
func Commands(out cli.Outside) []*cobra.Command {
	return []*cobra.Command{newFault(out), newMagic(out), newRequests(out)}
}
