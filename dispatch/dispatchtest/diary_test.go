package dispatchtest_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// failing is a test that has failed.
type failing struct {
	*exampleT

	logged string
}

func (f *failing) Failed() bool                 { return true }
func (f *failing) Logf(format string, a ...any) { f.logged += fmt.Sprintf(format, a...) }

// TestAFailingTestTellsWhatItDid has one booking in a town of people who had booked
// before.
func TestAFailingTestTellsWhatItDid(t *testing.T) {
	f := &failing{exampleT: newT()}
	d := dispatchtest.New(f, dispatchtest.Options{})
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
	require.Contains(t, f.logged, "08:00:00  /book "+string(booked.JourneyID))
	require.Contains(t, f.logged, string(booked.JourneyID)+" WAITING → ACCEPTED (accept, ")
	require.Contains(t, f.logged, "/book was refused with pickup-in-past")
	require.Less(t, strings.Count(f.logged, "\n"), 10)
}

// TestAPlatformThatReadsTheWall books for time.Now, also after the test has moved the
// world's clock.
func TestAPlatformThatReadsTheWall(t *testing.T) {
	d := dispatchtest.New(t, dispatchtest.Options{CallersClock: time.Now})
	c := d.Client(taxi.ClientOptions{})
	for range 3 {
		at := time.Now()
		j, err := c.Book(t.Context(), aTaxi(at))
		require.NoError(t, err)
		require.Equal(t, taxi.Waiting, j.Status)
		require.True(t, j.Date.Equal(at.Truncate(time.Millisecond)), "what was asked for")
		require.NoError(t, d.Clock().UntilStatus(t.Context(), j.JourneyID, taxi.Complete, 2*time.Hour))
	}
}

// TestThePrintedExample runs what the README prints, and holds it to that.
func TestThePrintedExample(t *testing.T) {
	d := dispatchtest.New(t, dispatchtest.Options{CallersClock: time.Now})
	_, err := d.Client(taxi.ClientOptions{}).Book(t.Context(), aTaxi(time.Now()))
	require.NoError(t, err)
	err = d.Clock().UntilStatus(t.Context(), d.Latest().JourneyID, taxi.Arrived, time.Hour)
	require.NoError(t, err)
	require.Equal(t, taxi.Arrived, d.Latest().Status)

	own, err := os.ReadFile("diary_test.go")
	require.NoError(t, err)
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	doc, err := os.ReadFile("dispatchtest.go")
	require.NoError(t, err)
	made := "d := dispatchtest.New(t, dispatchtest.Options{CallersClock: time.Now})\n"
	until := "err = d.Clock().UntilStatus(t.Context(), d.Latest().JourneyID, taxi.Arrived, time.Hour)\n"
	for _, printed := range []string{made, until} {
		require.Contains(t, string(own), "\t"+printed)
		require.Contains(t, string(readme), "\n"+printed)
		require.Contains(t, string(doc), "//\t"+printed)
	}
}
