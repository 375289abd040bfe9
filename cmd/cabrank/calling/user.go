package calling

import (
	"context"
	"errors"
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

// standing returns a user's status; an absent status means enabled.
func standing(s taxi.UserStatus) taxi.UserStatus {
	if s == "" {
		return taxi.Enabled
	}
	return s
}

// DemoCaller is the phone number that the examples use: that of an enabled user of the
// fixtures.
const DemoCaller = "442079460000"

// userFlags select the user that a command acts for, by id or by phone number.
type userFlags struct {
	user  string
	phone string
}

func (f *userFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.user, "user", "", "the user's id (default the user of --phone)")
	cmd.Flags().StringVar(&f.phone, "phone", DemoCaller, "the user's phone number")
}

// errNoJourney is the error if no journey was named and the user has none.
var errNoJourney = errors.New("this user has no journey under way; name one, or book with 'cabrank book'")

// ref returns the journey that args name, or without arguments the first active booking of the user.
func (f *userFlags) ref(ctx context.Context, c taxi.Dispatcher, args []string) (taxi.JourneyRef, error) {
	if f.user != "" && len(args) == 1 {
		return taxi.JourneyRef{UserID: taxi.UserID(f.user), JourneyID: taxi.JourneyID(args[0])}, nil
	}
	u, err := c.User(ctx, taxi.UserRequest{PhoneNumber: taxi.E164(f.phone).Digits()})
	if err != nil {
		return taxi.JourneyRef{}, fmt.Errorf("finding the user: %w", err)
	}
	if len(args) == 1 {
		return taxi.JourneyRef{UserID: u.UserID, JourneyID: taxi.JourneyID(args[0])}, nil
	}
	if len(u.ActiveBookings) == 0 {
		return taxi.JourneyRef{}, cli.Exit(cli.ExitFindings, errNoJourney)
	}
	return taxi.JourneyRef{UserID: u.UserID, JourneyID: u.ActiveBookings[0].JourneyID}, nil
}
