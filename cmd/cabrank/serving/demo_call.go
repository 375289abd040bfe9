package serving

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/phoning"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking"
)

// book has somebody ring the taxi number and book a taxi.
func (d *demonstration) book(ctx context.Context) (taxi.JourneyRef, error) {
	user, err := d.inside().User(ctx, taxi.UserRequest{PhoneNumber: calling.DemoCaller})
	if err != nil {
		return taxi.JourneyRef{}, fmt.Errorf("demo: %w", err)
	}
	from, to := sampleTrip(d.system.host().Town())
	if t := d.system.host().Town(); t == nil || t.Attribution != "" {
		from.Name, to.Name = "", "" // names of the world are hard to say: the caller presses keys
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

// callerScript is what the caller does. Somebody who has taxis booked already asks
// for another, from where they are usually picked up.
func callerScript(booked int, skipDropOff bool, from, to booking.Place) []map[string]string {
	var script []map[string]string
	heard := func(words string) { script = append(script, map[string]string{"expect": words}) }
	press := func(key string) { script = append(script, map[string]string{"press": key}) }
	choose := func(p booking.Place) {
		if p.Name == "" {
			press("1")
			return
		}
		script = append(script, map[string]string{"say": p.Name})
	}
	if booked > 0 {
		key := "3"
		if booked > 1 {
			key = "4"
		}
		heard("hello") // how the taxi stands may take longer to be said than anybody listens
		press(key)
		heard("press 1")
		press("1")
	} else {
		heard("press 1")
		choose(from)
		heard("for now, press 1")
		press("1")
	}
	if !skipDropOff {
		heard("press 1")
		choose(to)
	}
	heard("to book it, press 1")
	press("1")
	heard("goodbye")
	return script
}

// follow shows the conversation until the call is over.
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
