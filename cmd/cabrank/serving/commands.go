// Package serving contains the commands that run the dispatch system and its world: serve
// and demo, and those for towns and samples.
package serving

import (
	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// Commands returns the commands.
func Commands(out cli.Outside) []*cobra.Command {
	return []*cobra.Command{
		newServe(out), newDemo(out), newReady(out),
		newTown(out), newSamples(out),
	}
}
