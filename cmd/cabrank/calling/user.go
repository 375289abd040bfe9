package calling

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func newUser(out cli.Outside) *cobra.Command {
	var flags clientFlags
	cmd := &cobra.Command{
		Use:     "user PHONE",
		Short:   "Look up the user of a phone number",
		Example: "  cabrank user 442079460000\n  cabrank user +442079460000 --url https://dispatch.example/taxi --auth bearer:env:TOKEN --json",
		Args:    cli.ExactArgs("PHONE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := flags.client(out)
			if err != nil {
				return err
			}
			u, err := c.User(cmd.Context(), taxi.UserRequest{PhoneNumber: taxi.E164(args[0]).Digits()})
			if err != nil {
				return flags.outcome(err)
			}
			if flags.asJSON {
				return cli.PrintJSON(out.Stdout, u)
			}
			coloured, err := cli.Coloured(cmd, out, out.Stdout)
			if err != nil {
				return err
			}
			fmt.Fprintf(out.Stdout, "%s  %s  %s\n", cli.Printable(string(u.UserID)), cli.Printable(u.Name), cli.Printable(string(standing(u.Status))))
			for _, j := range u.ActiveBookings {
				fmt.Fprintln(out.Stdout, "  "+journeyLine(j, coloured))
			}
			return nil
		},
	}
	flags.add(cmd)
	return cmd
}

// standing names a user's status; absent means enabled.
func standing(s taxi.UserStatus) taxi.UserStatus {
	if s == "" {
		return taxi.Enabled
	}
	return s
}
