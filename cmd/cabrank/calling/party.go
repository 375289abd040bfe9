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

// party is who a command acts for: a user named by id, or by phone number.
type party struct {
	user  string
	phone string
}

func (p *party) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&p.user, "user", "", "the user's id; found by --phone when left out")
	cmd.Flags().StringVar(&p.phone, "phone", DemoCaller, "the user's phone number")
}

// errNoJourney means that a journey was left out and the user has none.
var errNoJourney = errors.New("this user has no journey under way; name one, or book with 'cabrank book'")

// ref finds the journey meant: the one named, or the soonest of the user's.
func (p *party) ref(ctx context.Context, c taxi.Dispatcher, args []string) (taxi.JourneyRef, error) {
	if p.user != "" && len(args) == 1 {
		return taxi.JourneyRef{UserID: taxi.UserID(p.user), JourneyID: taxi.JourneyID(args[0])}, nil
	}
	u, err := c.User(ctx, taxi.UserRequest{PhoneNumber: taxi.E164(p.phone).Digits()})
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
