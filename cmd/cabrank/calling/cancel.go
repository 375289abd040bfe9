package calling

import (
	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

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
