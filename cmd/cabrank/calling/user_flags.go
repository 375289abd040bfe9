package calling

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// DemoCaller is the phone number that the examples call from: a known, enabled
// user of the fixtures.
const DemoCaller = "442079460000"

// userFlags say who a command acts for: a user named by id, or by phone number.
type userFlags struct {
	user  string
	phone string
}

func (f *userFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.user, "user", "", "the user's id (default the user of --phone)")
	cmd.Flags().StringVar(&f.phone, "phone", DemoCaller, "the user's phone number")
}

// errNoJourney means that a journey was left out and the user has none.
var errNoJourney = errors.New("this user has no journey under way; name one, or book with 'cabrank book'")

// ref finds the journey meant: the one named, or the soonest of the user's.
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
