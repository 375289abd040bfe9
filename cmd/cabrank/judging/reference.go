package judging

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/conformance/thirdparty"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/host"
)

// reference is the reference itself, with every aid that a run can use: a clock to
// move, a restart, credentials, barred users and a route with an agreed price.
type reference struct {
	*host.Host

	secret string
}

func newReference(ctx context.Context) (*reference, error) {
	s := &reference{secret: rand.Text()}
	c := host.Default()
	c.Speed = 0
	c.MaxAhead = host.Duration(366 * 24 * time.Hour) // so that the clocks change within reach on every day of the year
	c.System.Data = person(fixtures.PersonRich).Data // so that overrides are seen too
	credentials := taxi.Credentials{Style: taxi.AuthBearer, Secret: s.secret}
	var err error
	s.Host, err = host.Open(ctx, c, host.Deps{
		Now: cli.Now, HTTP: dispatch.HTTPOptions{Version: cli.Version(), Credentials: credentials},
	})
	return s, err
}

// apply gives a target the aids of the reference.
func (s *reference) apply(t *thirdparty.Target) {
	t.Auth = taxi.Bearer(s.secret)
	t.Disabled, t.Blacklisted = person(fixtures.PersonDisabled).PhoneNumber, person(fixtures.PersonBlacklisted).PhoneNumber
	t.Agreed = &thirdparty.AgreedRoute{Pickup: placeOf("station"), Dropoff: placeOf("airport")}
	t.Restart = s.Restart
	t.Advance = func(ctx context.Context, id taxi.JourneyID, to taxi.Status) error {
		return s.World().Clock().UntilStatus(ctx, id, to, 14*24*time.Hour)
	}
}

// serveReference serves the reference on a free port, over TLS only, and points
// the target at it, with the authority that signed its certificate.
func serveReference(ctx context.Context, target *thirdparty.Target) (stop func(), err error) {
	const goodFor = 90 * 24 * time.Hour
	s, err := newReference(ctx)
	if err != nil {
		return nil, err
	}
	authority, err := matrix.NewAuthority(cli.Now())
	if err != nil {
		return nil, fmt.Errorf("the reference: %w", err)
	}
	const address = "127.0.0.1"
	certificate, err := authority.Issue(cli.Now(), cli.Now().Add(goodFor), address)
	if err != nil {
		return nil, fmt.Errorf("the reference: %w", err)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(address, "0"))
	if err != nil {
		return nil, fmt.Errorf("the reference: %w", err)
	}
	server := dispatch.Server(s)
	server.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // a run breaks off handshakes on purpose
	server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}}
	go func() { _ = server.ServeTLS(listener, "", "") }() // ends with stop
	target.URL, target.TLS = "https://"+listener.Addr().String(), &tls.Config{RootCAs: authority.Roots()}
	s.apply(target)
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
