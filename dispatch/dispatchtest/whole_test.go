package dispatchtest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/journal/live/query"
	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
)

// TestTheJournalJudges sends right requests, of which one breaks a SHOULD as no other came before it, and a wrong one.
func TestTheJournalJudges(t *testing.T) {
	t.Parallel()
	u := &unlucky{TB: t}
	d := dispatchtest.New(u, dispatchtest.Options{VirtualClock: true})
	j := d.Book(taxi.BookRequest{})
	ref := taxi.JourneyRef{UserID: d.Latest().UserID, JourneyID: j.JourneyID}
	_, err := d.Client(taxi.ClientOptions{}).Status(t.Context(), ref)
	require.NoError(t, err)
	d.Journal().VerifyRules()
	require.Empty(t, u.errors)
	booked := d.Journal().Requests(dispatchtest.Match{Op: "book"})
	require.Equal(t, "SEQ-01", booked[0].Findings[0].Rule, "no /user came before it")
	require.Equal(t, conformance.CallShould, booked[0].Findings[0].Level)

	resp, err := d.HTTPClient().Post(d.URL()+taxi.PathUser, "application/json", strings.NewReader(`{"phoneNumber":442079460000}`))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.NotEmpty(t, resp.Header.Get("X-Cabrank-Verdict"), "as serve sends it")
	wrong := d.Journal().Requests(dispatchtest.Match{Op: "user"})
	require.Len(t, wrong, 1)
	require.Equal(t, conformance.CallMust, wrong[0].Findings[0].Level)
	d.Journal().VerifyRules("P-05")
	require.Empty(t, u.errors)
	d.Journal().VerifyRules()
	require.Equal(t, []string{"dispatchtest: request 3  08:00:00  POST /user …000 → 422 breaks P-05: in the request to /user, /phoneNumber is a number, want string of 7 to 15 digits with the country code, no plus"}, u.errors)

	u.end()
}

// TestControlOfAFake moves the clock, asks the journal and resets, over TCP and through pipes.
func TestControlOfAFake(t *testing.T) {
	t.Parallel()
	for name, inMemory := range map[string]bool{"TCP": false, "pipes": true} {
		d := dispatchtest.New(t, dispatchtest.Options{InMemory: inMemory, VirtualClock: true})
		c := d.Control()
		j := d.Book(taxi.BookRequest{})
		moved, err := client.Do(t.Context(), c, control.AdvanceClock, control.Advance{By: host.Duration(2 * time.Hour)})
		require.NoError(t, err, name)
		require.Equal(t, d.Clock().Now(), moved.Now.UTC())
		require.Equal(t, taxi.Complete, d.Journey(j.JourneyID).Status)
		n, err := client.Do(t.Context(), c, client.CountRequests, query.Question{Match: []byte(`{"op":"book","status":200}`)})
		require.NoError(t, err)
		require.Equal(t, 1, n.Count)

		box, err := client.Do(t.Context(), c, control.MakeSandbox, control.SandboxOrder{Cars: 3})
		require.NoError(t, err)
		require.Equal(t, simulator.Epoch, box.Clock.Now.UTC(), "the same in every run")
		_, err = client.Do(t.Context(), c, control.ResetWorld, control.ResetOrder{})
		require.NoError(t, err)
		require.Empty(t, d.Booked())
		require.Equal(t, simulator.Epoch, d.Clock().Now())
	}
}

// TestSandboxesOfAFake has a platform that reads the wall in a sandbox, and a world that restarts.
func TestSandboxesOfAFake(t *testing.T) {
	t.Parallel()
	d := dispatchtest.New(t, dispatchtest.Options{})
	c := d.Control()
	box, err := client.Do(t.Context(), c, control.MakeSandbox, control.SandboxOrder{})
	require.NoError(t, err)
	require.Equal(t, 10, box.Cars)
	desk, err := taxi.NewClient(box.ThirdPartyURL, taxi.ClientOptions{})
	require.NoError(t, err)
	for range 2 {
		j, err := desk.Book(t.Context(), aTaxi(time.Now()))
		require.NoError(t, err)
		require.Equal(t, taxi.Waiting, j.Status)
		_, err = client.Do(t.Context(), c.Sandbox(box.Name), control.AdvanceClock, control.Advance{By: host.Duration(2 * time.Hour)})
		require.NoError(t, err)
	}
	require.Empty(t, d.Booked())
	require.Empty(t, d.Journal().Requests(dispatchtest.Match{}))
	_, err = client.Do(t.Context(), c.Sandbox(box.Name), client.VerifyRequests, query.Verification{Expect: []query.Expectation{{Match: []byte(`{"op":"book"}`), Times: []byte("2")}}})
	require.NoError(t, err)

	before := d.World()
	d.Faults().Add(fault.Rule{Match: fault.Match{Op: fault.Config}, Do: fault.Do{Kind: "restart"}})
	resp, err := http.Post(d.URL()+taxi.PathConfig, "application/json", strings.NewReader("{}"))
	if err == nil { // the fault says how it is answered
		require.NoError(t, resp.Body.Close())
	}
	require.NotSame(t, before, d.World())
}
