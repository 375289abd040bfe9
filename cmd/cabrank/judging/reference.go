package judging

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/host"
)

// reference is this project's dispatch system with every aid that a run can use: a clock,
// a restart, credentials, barred users and a route with an agreed price.
type reference struct {
	*host.Host

	secret string
}

func newReference(ctx context.Context) (*reference, error) {
	s := &reference{secret: rand.Text()}
	c := host.Default()
	c.Speed = 0
	c.MaxAhead = host.Duration(366 * 24 * time.Hour)            // far enough to include a change of the clocks on every day of the year
	c.System.Data = fixtures.PersonOf(fixtures.PersonRich).Data // to test overrides, too
	credentials := taxi.Credentials{Style: taxi.AuthBearer, Secret: s.secret}
	var err error
	s.Host, err = host.Open(ctx, c, host.Deps{
		Now: cli.Now, HTTP: dispatch.HTTPOptions{Version: cli.Version(), Credentials: credentials},
	})
	return s, err
}

// apply sets the aids of a target.
func (s *reference) apply(t *dispatchside.Target) {
	t.Auth = taxi.Bearer(s.secret)
	t.Disabled, t.Blacklisted = fixtures.PersonOf(fixtures.PersonDisabled).PhoneNumber, fixtures.PersonOf(fixtures.PersonBlacklisted).PhoneNumber
	t.Agreed = &dispatchside.AgreedRoute{Pickup: placeOf("station"), Dropoff: placeOf("airport")}
	t.Restart = s.Restart
	t.SetClock = func(ctx context.Context, to time.Time) error { return s.World().Clock().AdvanceTo(ctx, to) }
	t.MoveClock = func(ctx context.Context, by time.Duration) error { return s.World().Clock().Advance(ctx, by) }
	t.Advance = func(ctx context.Context, id taxi.JourneyID, to taxi.Status) error {
		return s.World().Clock().UntilStatus(ctx, id, to, 14*24*time.Hour)
	}
}

// serveReference serves the reference on a free port, over TLS only, and sets the
// target's address and trusted CA.
func serveReference(ctx context.Context, target *dispatchside.Target) (stop func(), err error) {
	s, err := newReference(ctx)
	if err != nil {
		return nil, err
	}
	served, err := serveTLS(ctx, s)
	if err != nil {
		return nil, err
	}
	target.URL, target.TLS = served.url, served.trust
	s.apply(target)
	return served.stop, nil
}

// place is the address of a reference, and how to trust it.
type place struct {
	url   string
	trust *tls.Config // the CA that a run must trust
	stop  func()
}

// serveTLS serves a reference on a free port, over TLS only.
func serveTLS(ctx context.Context, h http.Handler) (place, error) {
	const goodFor = 90 * 24 * time.Hour
	authority, err := client.NewAuthority(cli.Now())
	if err != nil {
		return place{}, fmt.Errorf("the reference: %w", err)
	}
	const address = "127.0.0.1"
	certificate, err := authority.Issue(cli.Now(), cli.Now().Add(goodFor), address)
	if err != nil {
		return place{}, fmt.Errorf("the reference: %w", err)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(address, "0"))
	if err != nil {
		return place{}, fmt.Errorf("the reference: %w", err)
	}
	server := dispatch.Server(h)
	server.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // a run aborts handshakes on purpose
	server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}}
	go func() { _ = server.ServeTLS(listener, "", "") }() // ends with stop
	return place{"https://" + listener.Addr().String(), &tls.Config{RootCAs: authority.Roots()}, func() { _ = server.Close() }}, nil
}

// systemAlone runs one check against the reference.
func systemAlone(ctx context.Context, id string) (*conformance.Report, error) {
	target := dispatchside.Target{Now: cli.Now, Seed: 1, Only: []string{id}}
	stop, err := serveReference(ctx, &target)
	if err != nil {
		return nil, err
	}
	defer stop()
	rep, err := dispatchside.Run(ctx, target)
	if err != nil {
		return nil, runError(ctx, err)
	}
	return rep, nil
}

// placeOf returns the first place of a kind; there is at least one.
func placeOf(kind string) taxi.Address {
	places := fixtures.Places()
	return places[slices.IndexFunc(places, func(p fixtures.Place) bool { return p.Kind == kind })].Address
}
