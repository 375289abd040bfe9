package dispatchside_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/vary"
)

var leeds = taxi.Point{Longitude: -1.5491, Latitude: 53.7997}

// autumn is when all tests take place: near enough to the end of summer time to
// book for it.
var autumn = time.Date(2026, time.October, 12, 10, 0, 0, 0, time.UTC)

var began = time.Now()

// now passes ten times as slowly as the time of the machine: on a busy one, no answer is late. The gate, which waits for
// hundreds of servers, has no time for that.
func now() time.Time { return autumn.Add(passed()) }

// today is now on the day of the tests, for servers that have no other clock.
func today() time.Time { return began.Add(passed()) }

func passed() time.Duration {
	if whole() {
		return time.Since(began)
	}
	return time.Since(began) / 10
}

// reference is the dispatch system of this project with a town around it, whose
// clock is moved by hand.
type reference struct{ *host.Host }

const secret = "open-sesame-1"

func newReference(ctx context.Context) (*reference, error) { return newVariation(ctx, vary.None, 1) }

// newVariation returns the reference with answers that vary.
func newVariation(ctx context.Context, level vary.Level, seed uint64) (*reference, error) {
	c := host.Default()
	c.Speed, c.Cars, c.Centre, c.Variation, c.Seed = 0, 10, &leeds, level, seed
	h, err := host.Open(ctx, c, host.Deps{
		Now:  now,
		HTTP: dispatch.HTTPOptions{Credentials: taxi.Credentials{Style: taxi.AuthBearer, Secret: secret}},
	})
	return &reference{h}, err
}

// ServeHTTP answers with a Date on the clock of the tests.
func (r *reference) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	dated(r.Host, now).ServeHTTP(w, req)
}

// setClock moves the clock of the present world; a restart makes another world.
func (r *reference) setClock(ctx context.Context, to time.Time) error {
	return r.World().Clock().AdvanceTo(ctx, to)
}

func (r *reference) moveClock(ctx context.Context, by time.Duration) error {
	return r.World().Clock().Advance(ctx, by)
}

func (r *reference) advance(ctx context.Context, id taxi.JourneyID, to taxi.Status) error {
	return r.World().Clock().UntilStatus(ctx, id, to, 14*24*time.Hour)
}

// dated adds the Date of a clock to the answers of a handler.
func dated(h http.Handler, clock func() time.Time) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", clock().UTC().Format(http.TimeFormat))
		h.ServeHTTP(w, r)
	})
}

// target returns a target for tests of the reference, with every aid.
func (r *reference) target(seed uint64) dispatchside.Target {
	return dispatchside.Target{
		Now: now, Seed: seed, Timeout: time.Minute, Auth: taxi.Bearer(secret),
		Advance: r.advance, Restart: r.Restart, SetClock: r.setClock, MoveClock: r.moveClock,
		Disabled: numberOf(fixtures.PersonDisabled), Blacklisted: numberOf(fixtures.PersonBlacklisted),
		Agreed: toTheAirport(),
	}
}

// toTheAirport returns a trip for which the reference has a fixed price.
func toTheAirport() *dispatchside.AgreedRoute {
	places := fixtures.Places()
	there := slices.IndexFunc(places, func(p fixtures.Place) bool { return p.Kind == "airport" })
	return &dispatchside.AgreedRoute{Pickup: places[1].Address, Dropoff: places[there].Address}
}

func numberOf(kind fixtures.PersonKind) taxi.E164 {
	for _, p := range fixtures.People() {
		if p.Kind == kind {
			return p.PhoneNumber
		}
	}
	return ""
}

// sound returns a function that makes references for a matrix.
func sound(seed uint64) func(context.Context) (matrix.Subject, error) {
	return func(ctx context.Context) (matrix.Subject, error) {
		r, err := newReference(ctx)
		if err != nil {
			return matrix.Subject{}, err
		}
		return dispatchsidetest.NewSubject(r, r.target(seed), nil), nil
	}
}

// except returns a vendor's server that is right except for one operation.
func except(path string, answer http.HandlerFunc) http.Handler {
	sound := dispatchsidetest.NewVendor(dispatchsidetest.None)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == path {
			answer(w, r)
			return
		}
		sound.ServeHTTP(w, r)
	})
}

// run runs the suite against a handler.
func run(t *testing.T, h http.Handler, target dispatchside.Target) (*conformance.Report, error) {
	t.Helper()
	if target.Now == nil {
		target.Now, h = today, dated(h, today)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	target.URL = server.URL
	return dispatchside.Run(t.Context(), target)
}

// whole reports whether every row of a test is tried, as in the gate, and not a sample of them.
func whole() bool { return os.Getenv("WHOLE") != "" }

// oneAfterAnother skips, with -short as under the race detector, a test that makes whole runs of the suite for
// their verdicts: TestReferencePassesEveryCheck and the tests of slow, stubborn and limited servers share as much
// memory between goroutines.
func oneAfterAnother(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("whole runs that share no more memory than others")
	}
}

// check runs the suite against a handler that it can test.
func check(t *testing.T, h http.Handler, target dispatchside.Target) *conformance.Report {
	t.Helper()
	report, err := run(t, h, target)
	require.NoError(t, err)
	return report
}
