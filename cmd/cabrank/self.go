package main

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// self is the reference with everything that a run may be lent: a clock to move,
// a restart, credentials, users who are barred and a trip with an agreed price.
type self struct {
	records *store.Store
	secret  string
	policy  dispatch.Policy
	world   atomic.Pointer[simulator.World]
	handler atomic.Pointer[http.Handler]
}

func newSelf(ctx context.Context) (*self, error) {
	s := &self{records: store.Memory(), secret: rand.Text(), policy: dispatch.DefaultPolicy()}
	s.policy.MaxAhead = 366 * 24 * time.Hour // so that the clocks change within reach on every day of the year
	if err := s.restart(ctx); err != nil {
		return nil, err
	}
	return s, s.world.Load().Populate(ctx, fixtures.People())
}

// restart begins again with what is in the store.
func (s *self) restart(ctx context.Context) error {
	start := now()
	if w := s.world.Load(); w != nil {
		start = w.Clock().Now()
	}
	world, err := simulator.New(ctx, s.records, simulator.Options{
		Seed: 1, Start: start, Cars: 40, Policy: &s.policy,
		System: taxi.ConfigResponse{Data: person(fixtures.PersonRich).Data}, // so that overrides are seen too
	})
	if err != nil {
		return err
	}
	credentials := taxi.Credentials{Style: taxi.AuthBearer, Secret: s.secret}
	handler := world.Service().Handler(now, dispatch.HTTPOptions{Version: versionString(), Credentials: credentials})
	s.world.Store(world)
	s.handler.Store(&handler)
	return nil
}

// ServeHTTP implements [http.Handler].
func (s *self) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	(*s.handler.Load()).ServeHTTP(w, r)
}

// lend gives a target what the reference can lend it.
func (s *self) lend(t *conformance.Target) {
	t.Auth = taxi.Bearer(s.secret)
	t.Disabled, t.Blacklisted = person(fixtures.PersonDisabled).PhoneNumber, person(fixtures.PersonBlacklisted).PhoneNumber
	t.Agreed = &conformance.AgreedRoute{Pickup: placeOf("station"), Dropoff: placeOf("airport")}
	t.Restart = s.restart
	t.Advance = func(ctx context.Context, id taxi.JourneyID, to taxi.Status) error {
		return s.world.Load().Clock().UntilStatus(ctx, id, to, 14*24*time.Hour)
	}
}

// judgeSelf serves the reference on a free port, over TLS and in no other way, and
// points the target at it: a target that trusts whoever signed for the port.
func judgeSelf(ctx context.Context, target *conformance.Target) (stop func(), err error) {
	const goodFor = 90 * 24 * time.Hour
	s, err := newSelf(ctx)
	if err != nil {
		return nil, err
	}
	authority, err := conformance.NewAuthority(now())
	if err != nil {
		return nil, fmt.Errorf("the reference: %w", err)
	}
	const host = "127.0.0.1"
	certificate, err := authority.Issue(now(), now().Add(goodFor), host)
	if err != nil {
		return nil, fmt.Errorf("the reference: %w", err)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return nil, fmt.Errorf("the reference: %w", err)
	}
	server := dispatch.Server(s)
	server.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // a run shakes hands wrongly on purpose
	server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}}
	go func() { _ = server.ServeTLS(listener, "", "") }() // ends with stop
	target.URL, target.TLS = "https://"+listener.Addr().String(), &tls.Config{RootCAs: authority.Roots()}
	s.lend(target)
	return func() { _ = server.Close() }, nil
}

// person returns the first person of a kind, of which there is at least one.
func person(kind fixtures.PersonKind) fixtures.Person {
	people := fixtures.People()
	return people[slices.IndexFunc(people, func(p fixtures.Person) bool { return p.Kind == kind })]
}

// placeOf returns the first place of a kind, of which there is at least one.
func placeOf(kind string) taxi.Address {
	places := fixtures.Places()
	return places[slices.IndexFunc(places, func(p fixtures.Place) bool { return p.Kind == kind })].Address
}
