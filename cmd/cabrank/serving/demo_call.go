package serving

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/phoning"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking"
)

// book has a caller call the taxi number and book a taxi.
func (d *demonstration) book(ctx context.Context) (taxi.JourneyRef, error) {
	user, err := d.inside().User(ctx, taxi.UserRequest{PhoneNumber: calling.DemoCaller})
	if err != nil {
		return taxi.JourneyRef{}, fmt.Errorf("demo: %w", err)
	}
	from, to := sampleTrip(d.system.host().Town())
	if t := d.system.host().Town(); t == nil || t.Attribution != "" {
		from.Name, to.Name = "", "" // names of an imported map are hard to say: the caller presses keys
	}
	skip := d.config.System.Data != nil && d.config.System.Data.SkipDropOff != nil && *d.config.System.Data.SkipDropOff
	script, err := json.Marshal(callerScript(len(user.ActiveBookings), skip, from, to))
	if err != nil {
		return taxi.JourneyRef{}, err
	}
	fmt.Fprintf(d.out.Stdout, "\n%s rings the taxi number:\n", cli.Printable(user.Name))
	caller, err := d.platform.Ring(ctx, calling.DemoCaller, script)
	if err != nil {
		return taxi.JourneyRef{}, fmt.Errorf("demo: %w", err)
	}
	if err := d.talk.follow(ctx, caller); err != nil {
		return taxi.JourneyRef{}, fmt.Errorf("demo: %w", err)
	}
	if d.talk.booked.JourneyID == "" {
		return taxi.JourneyRef{}, cli.Exit(cli.ExitFindings, errors.New("the caller got no taxi; 'cabrank book' books one without a telephone"))
	}
	return d.talk.booked, nil
}

// callerScript is what the caller says. A caller who has a booking asks for another taxi.
func callerScript(booked int, skipDropOff bool, from, to booking.Place) []map[string]string {
	wish := "a taxi"
	if booked > 0 {
		wish = "another taxi"
	}
	wish += " from " + called(from)
	if !skipDropOff {
		wish += " to " + called(to)
	}
	return []map[string]string{{"expect": "?"}, {"say": wish + ", now please"}, {"expect": "shall i book it?"}, {"say": "yes please"}, {"expect": "goodbye"}}
}

// called is the name that a caller uses for a place.
func called(p booking.Place) string {
	if p.Name != "" {
		return p.Name
	}
	name, _, _ := strings.Cut(p.Address.Address, ",")
	return name
}

// follow prints the conversation until the call ends.
func (c *conversation) follow(ctx context.Context, caller *phoning.Caller) error {
	c.mu.Lock()
	c.caller = caller
	c.mu.Unlock()
	for version := -1; ; {
		view, err := caller.Wait(ctx, version)
		if err != nil {
			return err
		}
		c.mu.Lock()
		err = c.catchUp(ctx)
		c.mu.Unlock()
		if err != nil || phoning.Over(view) {
			return err
		}
		version = view.Version
	}
}
