package dispatchtest_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/fault"
)

// TestAnAnswerThatIsLost has a booking whose answer does not come, over TCP and through
// pipes, and a caller whom the rule is not for.
func TestAnAnswerThatIsLost(t *testing.T) {
	for name, inMemory := range map[string]bool{"TCP": false, "pipes": true} {
		f := &failing{exampleT: newT()}
		d := dispatchtest.New(f, dispatchtest.Options{InMemory: inMemory, VirtualClock: true})
		rule := d.Faults().Add(fault.Rule{
			Match: fault.Match{Op: fault.Book, Phone: aTaxi(d.Clock().Now()).PhoneNumber}, Do: fault.Do{Kind: "close", Part: "response", Reset: true},
			Window: fault.Window{Times: 1},
		})
		d.Book(taxi.BookRequest{PhoneNumber: d.Person(fixtures.PersonRich).PhoneNumber, Name: "Rosalind Whitlock"})
		_, err := d.Client(taxi.ClientOptions{}).Book(t.Context(), aTaxi(d.Clock().Now()))
		require.Error(t, err, name)
		require.Len(t, d.Booked(), 2, "it was done all the same")

		listed := d.Faults().List()
		require.Len(t, listed, 1)
		require.Equal(t, fault.Over, listed[0].State)
		require.Equal(t, 1, listed[0].Hits)
		d.Journal().Wait(t.Context(), 2, dispatchtest.Match{Op: "book"}) // the client may hear of it before the server is done
		f.end()
		require.Contains(t, f.logged, "08:00:00  fault "+rule.ID+" (close) was added\n")
		require.Contains(t, f.logged, "08:00:00  fault "+rule.ID+" (close) met /book\n")
		require.Contains(t, f.logged, "→ no answer")
	}
}

func TestRulesOfAFake(t *testing.T) {
	d := dispatchtest.New(t, dispatchtest.Options{VirtualClock: true})
	j := d.Book(taxi.BookRequest{})
	client := d.Client(taxi.ClientOptions{})
	status := func() int {
		_, err := client.Status(t.Context(), taxi.JourneyRef{UserID: d.Journey(j.JourneyID).UserID, JourneyID: j.JourneyID})
		if err == nil {
			return http.StatusOK
		}
		var p *taxi.Problem
		require.ErrorAs(t, err, &p)
		return p.Status
	}
	// The number is found by the user's id, which is all that /status has.
	rule := d.Faults().Add(fault.Rule{Match: fault.Match{Phone: d.Person(fixtures.PersonOrdinary).PhoneNumber}, Do: fault.Do{Kind: "status", Status: 418}})
	require.Equal(t, http.StatusTeapot, status())
	d.Faults().Remove(rule.ID)
	require.Equal(t, http.StatusOK, status())
	d.Faults().Add(fault.Rule{Do: fault.Do{Kind: "status", Status: 502}})
	require.Equal(t, http.StatusBadGateway, status())
	d.Faults().Clear()
	require.Equal(t, http.StatusOK, status())
	require.Empty(t, d.Faults().List())

	for want, wrong := range map[string]func(*dispatchtest.Faults){
		"/do/kind":              func(f *dispatchtest.Faults) { f.Add(fault.Rule{Do: fault.Do{Kind: "nothing"}}) },
		"there is no such rule": func(f *dispatchtest.Faults) { f.Remove("f-7") },
	} {
		u := &unlucky{TB: t}
		d := dispatchtest.New(u, dispatchtest.Options{VirtualClock: true})
		require.Panics(t, func() { wrong(d.Faults()) })
		u.end()
		require.Contains(t, u.errors[0], want)
	}
}
