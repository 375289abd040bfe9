package main

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// judgeSelf serves the reference on a free port with a clock that the suite
// moves, and points the target at it.
func judgeSelf(ctx context.Context, target *conformance.Target) (stop func(), err error) {
	world, err := simulator.New(ctx, store.Memory(), simulator.Options{
		Seed: 1, Start: now(), Crews: simulator.FixtureCrews(), Cars: 40,
	})
	if err != nil {
		return nil, err
	}
	if err := world.Populate(ctx, fixtures.People()); err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("the reference: %w", err)
	}
	server := dispatch.Server(world.Service().Handler(now, dispatch.HTTPOptions{Version: versionString()}))
	go func() { _ = server.Serve(listener) }() // ends with stop
	target.URL = "http://" + listener.Addr().String()
	target.Disabled, target.Blacklisted = numberOf(fixtures.PersonDisabled), numberOf(fixtures.PersonBlacklisted)
	target.Advance = func(ctx context.Context, id taxi.JourneyID, to taxi.Status) error {
		return world.Clock().UntilStatus(ctx, id, to, 14*24*time.Hour)
	}
	return func() { _ = server.Close() }, nil
}

// numberOf returns the phone number of the first person of a kind.
func numberOf(kind fixtures.PersonKind) taxi.E164 {
	for _, p := range fixtures.People() {
		if p.Kind == kind {
			return p.PhoneNumber
		}
	}
	return ""
}
