// Package judging has the commands that judge: a dispatch system, recorded or
// passing traffic, the reference, and the suite itself; and those that show what
// was found.
package judging

import (
	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// Commands returns the commands.
func Commands(out cli.Outside) []*cobra.Command {
	return []*cobra.Command{
		newCheck(out), newExplain(out), newReport(out), newDiff(out),
		newPredict(out), newBaseline(out), newRepeat(out), newVerify(out), newProxy(out), newOpenAPI(out),
	}
}
