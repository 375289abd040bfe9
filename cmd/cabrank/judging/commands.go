// Package judging contains the commands that test a dispatch system, a platform, traffic,
// the reference and the suite itself, and the commands that show the results.
package judging

import (
	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// Commands returns the commands.
func Commands(out cli.Outside) []*cobra.Command {
	return []*cobra.Command{
		newCheck(out), newExplain(out), newReport(out), newDiff(out),
		newBaseline(out), newRepeat(out), newProxy(out), newOpenAPI(out),
	}
}
