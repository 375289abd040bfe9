package calling

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func newStatus(out cli.Outside) *cobra.Command {
	var flags clientFlags
	var who userFlags
	var follow bool
	var every time.Duration
	cmd := &cobra.Command{
		Use:   "status [JOURNEY]",
		Short: "Read a journey from a dispatch system, or follow it to its end",
		Long:  "Read a journey: the one named, or the soonest of the caller's.",
		Example: `  cabrank status
  cabrank status --follow
  cabrank status J4KX793 --phone 442079460001 --json`,
		Args: cli.AtMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			if every < 100*time.Millisecond {
				return cli.UsageError("--every is %s, want at least 100ms, so that the server is not flooded", every)
			}
			c, err := flags.client(out)
			if err != nil {
				return err
			}
			ref, err := who.ref(cmd.Context(), c, args)
			if err != nil {
				return flags.outcome(err)
			}
			show := textOf(out.Stdout)
			if follow {
				show = (&Timeline{W: out.Stdout, Clock: cli.Now}).Show
			}
			if flags.asJSON {
				show = jsonOf(out.Stdout, follow)
			}
			if !follow {
				j, err := c.Status(cmd.Context(), ref)
				if err != nil {
					return flags.outcome(err)
				}
				return show(j)
			}
			return flags.outcome(Follow(cmd.Context(), c, ref, every, show))
		},
	}
	flags.add(cmd)
	who.add(cmd)
	cmd.Flags().BoolVar(&follow, "follow", false, "go on until the journey is over; with --json one object a line")
	cmd.Flags().DurationVar(&every, "every", 2*time.Second, "how often --follow asks")
	return cmd
}

func textOf(w io.Writer) func(taxi.Journey) error {
	return func(j taxi.Journey) error {
		_, err := fmt.Fprintln(w, journeyLine(j))
		return err
	}
}

func jsonOf(w io.Writer, lines bool) func(taxi.Journey) error {
	if lines {
		return func(j taxi.Journey) error { return json.NewEncoder(w).Encode(j) }
	}
	return func(j taxi.Journey) error { return cli.PrintJSON(w, j) }
}
