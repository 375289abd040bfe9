package dispatchtest_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/journal/live/query"
	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/vary"
)

// aTaxi is a booking for now, as a platform would send it.
func aTaxi(now time.Time) taxi.BookRequest {
	places := fixtures.Places()
	return taxi.BookRequest{
		Name: "Ann Other", PhoneNumber: "+442079460000",
		Pickup: &places[0].Address, Dropoffs: []taxi.Address{places[1].Address}, PickupTime: taxi.At(now),
	}
}

// TestVariationOptionChangesIDs reads a journey from a fake whose answers vary, and one whose do not.
func TestVariationOptionChangesIDs(t *testing.T) {
	for _, level := range []vary.Level{vary.None, vary.Rich} {
		d := dispatchtest.New(t, dispatchtest.Options{VirtualClock: true, Variation: level, World: simulator.Options{Seed: 2}})
		c := d.Client(taxi.ClientOptions{})
		booked, err := c.Book(t.Context(), aTaxi(d.Clock().Now()))
		require.NoError(t, err)
		require.Len(t, booked.JourneyID, map[vary.Level]int{vary.None: 9, vary.Rich: 36}[level])
		_, err = c.Status(t.Context(), taxi.JourneyRef{UserID: d.Latest().UserID, JourneyID: booked.JourneyID})
		require.NoError(t, err)
	}
}

// TestLiveWorldRunsInSynctestBubble runs a live world, ×1, on the bubble's time: a day of the
// taxi's life takes no time at all.
func TestLiveWorldRunsInSynctestBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := dispatchtest.New(t, dispatchtest.Options{
			InMemory: true, World: simulator.Options{Wall: time.Now, Speed: 1},
		})
		c := d.Client(taxi.ClientOptions{})
		r := aTaxi(time.Now())
		r.PickupTime = taxi.At(time.Now().Add(23 * time.Hour))
		j, err := c.Book(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, taxi.Held, j.Status)
		<-time.After(24 * time.Hour)
		// A platform that makes its own calls is given the client: the address alone leads nowhere.
		resp, err := d.HTTPClient().Post(d.URL()+taxi.PathConfig, "application/json", strings.NewReader("{}"))
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusOK, resp.StatusCode)
		u, err := c.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460000"})
		require.NoError(t, err)
		got, err := c.Status(t.Context(), taxi.JourneyRef{UserID: u.UserID, JourneyID: j.JourneyID})
		require.NoError(t, err)
		require.Equal(t, taxi.Complete, got.Status)
	})
}

// TestJournalJudgesRequests checks that VerifyRules reports a request that breaks a MUST, but not one that breaks only a
// SHOULD.
func TestJournalJudgesRequests(t *testing.T) {
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

// TestFakeServesTheControlAPI moves the clock, asks the journal and resets, over TCP and through pipes.
func TestFakeServesTheControlAPI(t *testing.T) {
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

// TestFakeSandboxesAreSeparateWorlds books in a sandbox by the machine's clock, which the main world does not show, and restarts
// the main world by a fault.
func TestFakeSandboxesAreSeparateWorlds(t *testing.T) {
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

// TestAnAnswerThatIsLost checks, over TCP and through pipes, that a booking whose response is lost has been made, and
// that the fault does not affect another caller.
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

func TestFaultRulesOfAFakeTakeEffect(t *testing.T) {
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
