package dispatchtest_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
)

// failing is a test that has failed.
type failing struct {
	*exampleT

	logged string
}

func (f *failing) Failed() bool                 { return true }
func (f *failing) Logf(format string, a ...any) { f.logged += fmt.Sprintf(format, a...) }

// TestFailedTestLogsItsEvents checks that a failed test logs the changes of its own booking and a refused request,
// and no bookings of the fixtures.
func TestFailedTestLogsItsEvents(t *testing.T) {
	f := &failing{exampleT: newT()}
	d := dispatchtest.New(f, dispatchtest.Options{VirtualClock: true})
	require.Empty(t, d.Booked())
	require.NotEmpty(t, d.Journeys())
	c := d.Client(taxi.ClientOptions{})
	booked, err := c.Book(t.Context(), aTaxi(d.Clock().Now()))
	require.NoError(t, err)
	require.Equal(t, booked.JourneyID, d.Latest().JourneyID)
	require.Len(t, d.Booked(), 1)
	_, err = c.Book(t.Context(), aTaxi(d.Clock().Now().Add(-time.Hour)))
	require.Error(t, err)
	require.NoError(t, d.Clock().UntilStatus(t.Context(), booked.JourneyID, taxi.Accepted, time.Hour))
	err = d.Clock().UntilStatus(t.Context(), booked.JourneyID, taxi.Complete, time.Second)
	require.ErrorContains(t, err, string(booked.JourneyID)+" is ACCEPTED since 2026-06-01 08:00:")
	f.end()
	require.Contains(t, f.logged, "08:00:00  "+string(booked.JourneyID)+" WAITING\n")
	require.Contains(t, f.logged, string(booked.JourneyID)+" WAITING → ACCEPTED (accept, ")
	require.Contains(t, f.logged, "pickup-in-past")
	require.Less(t, strings.Count(f.logged, "\n"), 10)
}

// TestRealTimePickupsAreAcceptedAfterClockMoves books for time.Now, also after the test has moved the
// world's clock.
func TestRealTimePickupsAreAcceptedAfterClockMoves(t *testing.T) {
	for name, o := range map[string]dispatchtest.Options{"zero options": {}, "named": {CallersClock: time.Now}} {
		d := dispatchtest.New(t, o)
		c := d.Client(taxi.ClientOptions{})
		for range 3 {
			at := time.Now()
			j, err := c.Book(t.Context(), aTaxi(at))
			require.NoError(t, err, name)
			require.Equal(t, taxi.Waiting, j.Status)
			require.True(t, j.Date.Equal(at.Truncate(time.Millisecond)), "what was asked for")
			require.NoError(t, d.Clock().UntilStatus(t.Context(), j.JourneyID, taxi.Complete, 2*time.Hour))
		}
	}
}

// aPlatform is a platform under test that somebody can ring.
type aPlatform struct {
	t   *testing.T
	url string
}

// Ring has somebody book a taxi for now.
func (p aPlatform) Ring(who fixtures.Person) {
	p.t.Helper()
	c, err := taxi.NewClient(p.url, taxi.ClientOptions{})
	require.NoError(p.t, err)
	r := aTaxi(time.Now())
	r.Name, r.PhoneNumber = who.Name, who.PhoneNumber
	_, err = c.Book(p.t.Context(), r)
	require.NoError(p.t, err)
}

// TestReadmeExampleWorks runs the example of the README and of the package comment, and checks that both have the same
// lines as this test.
func TestReadmeExampleWorks(t *testing.T) {
	mine := struct{ New func(url string) aPlatform }{func(url string) aPlatform { return aPlatform{t, url} }}

	d := dispatchtest.New(t, dispatchtest.Options{})
	platform := mine.New(d.URL())                // whatever calls a third party
	platform.Ring(d.Person(fixtures.PersonRich)) // … and books a taxi for somebody
	err := d.Clock().UntilStatus(t.Context(), d.Latest().JourneyID, taxi.Arrived, time.Hour)
	require.NoError(t, err)
	require.Equal(t, taxi.Arrived, d.Latest().Status)
	require.Equal(t, "Rosalind Whitlock", d.Latest().Passenger.Name)

	own, err := os.ReadFile("diary_test.go")
	require.NoError(t, err)
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	doc, err := os.ReadFile("dispatchtest.go")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(readme), "\n```go\n")
	require.True(t, found)
	printed, rest, _ := strings.Cut(rest, "```")
	require.NotContains(t, rest, "```go", "one example; another one wants a test too")
	require.Contains(t, string(own), "\n\t"+strings.ReplaceAll(strings.TrimSpace(printed), "\n", "\n\t")+"\n")
	require.Contains(t, string(doc), "\n//\t"+strings.ReplaceAll(strings.TrimSpace(printed), "\n", "\n//\t")+"\n")
}

func TestHelpersHaveDefaultsAndFailClearly(t *testing.T) {
	credentials := taxi.Credentials{Style: taxi.AuthBearer, Secret: "s3cret"}
	d := dispatchtest.New(t, dispatchtest.Options{HTTP: dispatch.HTTPOptions{Credentials: credentials}, VirtualClock: true})
	require.Equal(t, simulator.Epoch, d.Clock().Now())
	j := d.Book(taxi.BookRequest{Dropoffs: []taxi.Address{d.Place("airport")}})
	require.Equal(t, taxi.Waiting, j.Status)
	require.Contains(t, j.Pickup.Address, "Station")
	require.Contains(t, j.Dropoffs[0].Address, "Airport")
	require.Equal(t, taxi.Blacklisted, d.Person(fixtures.PersonBlacklisted).Status)

	for name, wrong := range map[string]func(d *dispatchtest.Fake){
		`no place "moon"`:  func(d *dispatchtest.Fake) { d.Place("moon") },
		`knows nobody who`: func(d *dispatchtest.Fake) { d.Person("royal") },
		"user-blacklisted": func(d *dispatchtest.Fake) {
			d.Book(taxi.BookRequest{Name: "Victor Grimshaw", PhoneNumber: "442079460102"})
		},
		"nothing was booked": func(d *dispatchtest.Fake) { d.Latest() },
	} {
		f := newT()
		d := dispatchtest.New(f, dispatchtest.Options{InMemory: true})
		func() {
			defer f.end()
			defer func() { require.Contains(t, fmt.Sprint(recover()), name) }() // Fatalf of an example panics
			wrong(d)
		}()
	}
}

// TestJourneyEndsIfEveryDriverDropsIt checks that a journey ends with NO_DRIVER if every driver drops the job.
func TestJourneyEndsIfEveryDriverDropsIt(t *testing.T) {
	d := dispatchtest.New(t, dispatchtest.Options{
		VirtualClock: true, World: simulator.Options{Behaviour: simulator.Behaviour{Drop: 10_000}},
	})
	j := d.Book(taxi.BookRequest{})
	require.NoError(t, d.Clock().UntilStatus(t.Context(), j.JourneyID, taxi.Cancelled, 2*time.Hour))
	require.Equal(t, taxi.ReasonNoDriver, d.Journey(j.JourneyID).Data.Reason)
}
