package calling

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func newStatus(out cli.Outside) *cobra.Command {
	var flags clientFlags
	var who userFlags
	var follow bool
	var every time.Duration
	cmd := &cobra.Command{
		Use:   "status [JOURNEY]",
		Short: "Show a journey, or follow it to its end",
		Long: `Show the given journey, or the next one of the user.

With --follow, each line begins with the time. If the clock of a cabrank server differs from real time, this
is the time of its world.`,
		Example: `  cabrank status
  cabrank status --follow
  cabrank status J4KX793 --phone 442079460001 --json`,
		Args: cli.AtMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			if every < 100*time.Millisecond {
				return cli.UsageError("--every is %s, want at least 100ms, so that the server is not flooded", every)
			}
			via := &replayed{}
			c, err := flags.clientVia(out, via)
			if err != nil {
				return err
			}
			ref, err := who.ref(cmd.Context(), c, args)
			if err != nil {
				return flags.outcome(err)
			}
			if !follow {
				j, err := c.Status(cmd.Context(), ref)
				if err != nil {
					return flags.outcome(err)
				}
				return flags.print(cmd, out, j)
			}
			show, err := flags.journeyPrinter(cmd, out, via)
			if err != nil {
				return err
			}
			return flags.outcome(Follow(cmd.Context(), c, ref, every, show))
		},
	}
	flags.add(cmd)
	who.add(cmd)
	cmd.Flags().BoolVar(&follow, "follow", false, "continue until the journey ends; with --json one object per line")
	cmd.Flags().DurationVar(&every, "every", 2*time.Second, "polling interval of --follow")
	return cmd
}

// journeyPrinter returns a function that prints each change of a followed journey: as lines of
// JSON, or as a [Timeline] with the clock of the server's world.
func (f *clientFlags) journeyPrinter(cmd *cobra.Command, out cli.Outside, via *replayed) (func(taxi.Journey) error, error) {
	if f.asJSON {
		return func(j taxi.Journey) error { return cli.PrintJSONLine(out.Stdout, j) }, nil
	}
	coloured, err := cli.Coloured(cmd, out, out.Stdout)
	if err != nil {
		return nil, err
	}
	clock := &worldClock{
		client: outbound.Over(via.next, f.timeout), url: f.base(), ctx: cmd.Context(),
		note: func(words string) { fmt.Fprintln(out.Stderr, "note: "+words) },
	}
	line := &Timeline{W: out.Stdout, Clock: clock.now, Coloured: coloured, InPlace: cli.IsTerminal(out.Stdout)}
	return line.Show, nil
}

// Follow polls a journey, and calls show each time its printed line changes, until the journey is over. It returns nil
// when ctx ends.
func Follow(ctx context.Context, c taxi.Dispatcher, ref taxi.JourneyRef, every time.Duration, show func(taxi.Journey) error) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	last := ""
	for {
		j, err := c.Status(ctx, ref)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		if line := journeyLine(j, false); line != last {
			last = line
			if err := show(j); err != nil {
				return err
			}
		}
		if j.Status.Terminal() {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

func newCancel(out cli.Outside) *cobra.Command {
	var flags clientFlags
	var who userFlags
	cmd := &cobra.Command{
		Use:     "cancel [JOURNEY]",
		Short:   "Cancel a journey at a dispatch system",
		Long:    "Cancel the given journey, or the next one of the user.",
		Example: "  cabrank cancel\n  cabrank cancel J4KX793 --phone 442079460001",
		Args:    cli.AtMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := flags.client(out)
			if err != nil {
				return err
			}
			ref, err := who.ref(cmd.Context(), c, args)
			if err != nil {
				return flags.outcome(err)
			}
			j, err := c.Cancel(cmd.Context(), ref)
			if err != nil {
				return flags.outcome(err)
			}
			return flags.print(cmd, out, j)
		},
	}
	flags.add(cmd)
	who.add(cmd)
	return cmd
}
