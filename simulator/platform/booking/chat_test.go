package booking_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/booking/chat"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
)

// thread is a chat in a town.
type thread struct {
	*town
	path string
}

func (w *town) chat() thread {
	w.t.Helper()
	status, body := w.ask(http.MethodPost, "/sim/v1/chats", `{"from":"442079460002"}`)
	require.Equal(w.t, http.StatusCreated, status, "%s", body)
	return thread{w, "/sim/v1/chats/" + decoded[simapi.ChatView](w.t, body).ID}
}

func (c thread) act(act string) {
	c.t.Helper()
	status, body := c.ask(http.MethodPost, c.path, act)
	require.Equal(c.t, http.StatusNoContent, status, "%s", body)
}

func (c thread) view() simapi.ChatView {
	c.t.Helper()
	_, body := c.ask(http.MethodGet, c.path, "")
	return decoded[simapi.ChatView](c.t, body)
}

// follows returns a chat with a customer who has a booking. Each /status returns the next of the readings.
func follows(t *testing.T, readings ...string) (*party, thread) {
	p := world(t, "", map[string][]reply{"/user": booked(readings[0]), "/status": raw(readings...)})
	return p, newTown(t, p.url, onLine).chat()
}

// buttons returns the latest buttons.
func (c thread) buttons() (list []string) {
	for _, m := range c.view().Messages {
		if len(m.Buttons) > 0 {
			list = nil
		}
		for _, b := range m.Buttons {
			list = append(list, b.ID+": "+b.Label)
		}
	}
	return list
}

// shown returns the texts of the firm's messages.
func (c thread) shown() string {
	var list []string
	for _, m := range c.view().Messages {
		if m.From == chat.Firm {
			list = append(list, m.Text)
		}
	}
	return strings.Join(list, "\n")
}

// readings advances the clock and returns the times of the /status requests.
func (c thread) readings(p *party, d time.Duration) (at []time.Time) {
	const step = 100 * time.Millisecond
	for range d / step {
		before := strings.Count(p.paths(), "status")
		c.line.Advance(step)
		for range strings.Count(p.paths(), "status") - before {
			at = append(at, c.line.Now())
		}
	}
	return at
}

// TestChatAnnouncesJourneyChanges checks that a chat requests the status of a journey at increasing intervals until it is
// over, and announces each change once.
func TestChatAnnouncesJourneyChanges(t *testing.T) {
	readings := slices.Repeat([]string{journey("ACCEPTED")}, 7)
	for _, status := range []string{"EN_ROUTE", "ARRIVED", "POB", "COMPLETE"} {
		readings = append(readings, journey(status))
	}
	p, c := follows(t, readings...)
	require.Empty(t, p.paths(), "nothing is asked before the first message")
	c.act(`{"text":"where is my taxi"}`)
	require.True(t, c.view().Following)
	at := c.readings(p, 10*time.Minute)
	require.Len(t, at, len(readings)-1, "none after the end")
	for i := range at[1:] {
		require.GreaterOrEqual(t, at[i+1].Sub(at[i]), 2*time.Second)
	}
	require.Greater(t, at[5].Sub(at[4]), at[1].Sub(at[0]), "it backs off")
	require.False(t, c.view().Following)
	for _, news := range []string{"on its way", "outside", "journey has started", "has finished"} {
		require.Equal(t, 1, strings.Count(c.shown(), news), "%s in %s", news, c.shown())
	}
	places := 0
	for _, m := range c.view().Messages {
		if m.Location != nil {
			places++
		}
	}
	require.Equal(t, 4, places, "one for each status with a place")
	require.NotContains(t, c.shown(), "7700")
}

// TestChatIgnoresImpossibleStatusChanges checks which status changes a chat announces: the same driver may go back to an earlier
// status after an edit, and another driver may take over, but a passenger on board is not announced as waiting again.
func TestChatIgnoresImpossibleStatusChanges(t *testing.T) {
	another := func(status string) string { return strings.Replace(journey(status), `"name":"`, `"name":"Not `, 1) }
	_, c := follows(t, journey("ACCEPTED"), journey("ARRIVED"), journey("EN_ROUTE"), journey("ARRIVED"), journey("WAITING"),
		journey("ARRIVED"), another("EN_ROUTE"), another("POB"), another("ARRIVED"), another("WAITING"), another("POB"), another("COMPLETE"))
	c.act(`{"text":"where is my taxi"}`)
	c.line.Advance(10 * time.Minute)
	require.False(t, c.view().Following)
	for news, times := range map[string]int{"on its way": 2, "outside": 3, "taxi is here": 0, "journey has started": 1, "finding a driver": 1, "has finished": 1} {
		require.Equal(t, times, strings.Count(c.shown(), news), "%s in %s", news, c.shown())
	}
}

// TestOlderJourneyReadingsAreNotAnnounced checks that a chat does not announce a status again because the
// conversation still uses an older reading of the journey.
func TestOlderJourneyReadingsAreNotAnnounced(t *testing.T) {
	for name, statuses := range map[string][2]string{
		"a driver arrived":         {"ACCEPTED", "ARRIVED"},
		"a driver gave it back":    {"ARRIVED", "WAITING"},
		"an edit sent them back":   {"ARRIVED", "EN_ROUTE"},
		"an edit is for later now": {"WAITING", "HELD"},
	} {
		t.Run(name, func(t *testing.T) {
			_, c := follows(t, journey(statuses[0]), journey(statuses[1]))
			c.act(`{"text":"where is my taxi"}`)
			c.line.Advance(3 * time.Second)
			told := len(c.view().Messages)
			c.act(`{"text":"mumble"}`)
			answered := len(c.view().Messages)
			c.line.Advance(time.Minute)
			require.Greater(t, answered, told)
			require.Len(t, c.view().Messages, answered, c.shown())
		})
	}
}

// onLine sets the clock of the calls as the clock of requests to the third party, too.
func onLine(o *platform.Options) { o.Work = o.Line }

// TestChatStopsWatchingTheJourney checks that a chat stops requesting the status of a journey after some hours and after
// repeated failures, and that a closed chat is not found.
func TestChatStopsWatchingTheJourney(t *testing.T) {
	p, c := follows(t, journey("EN_ROUTE"))
	c.act(`{"text":"status"}`)
	c.line.Advance(5 * time.Hour)
	require.False(t, c.view().Following)
	require.Contains(t, c.shown(), "no longer watching")
	require.Less(t, strings.Count(p.paths(), "status"), 600)

	other := c.chat()
	other.act(`{"text":"status"}`)
	p.mu.Lock()
	p.answers["/status"] = []reply{{Status: 500}}
	p.mu.Unlock()
	other.line.Advance(time.Hour)
	require.False(t, other.view().Following)
	status, _ := other.ask(http.MethodDelete, other.path, "")
	require.Equal(t, http.StatusNoContent, status)
	status, _ = other.ask(http.MethodGet, other.path, "")
	require.Equal(t, http.StatusNotFound, status)
}

// TestChatOffersButtonsOnArrival checks the buttons below the message that the taxi has arrived, and that unknown buttons
// and invalid acts are refused.
func TestChatOffersButtonsOnArrival(t *testing.T) {
	_, c := follows(t, journey("EN_ROUTE"), journey("ARRIVED"))
	c.act(`{"text":"status"}`)
	c.line.Advance(10 * time.Second)
	require.Regexp(t, "^comingNow: [^|]+[|]cancel: [^|]+$", strings.Join(c.buttons(), "|"))
	status, body := c.ask(http.MethodPost, c.path, `{"press":"fly"}`)
	require.Equal(t, http.StatusNotFound, status, "%s", body)
	status, body = c.ask(http.MethodPost, c.path, `{"press":"cancel","text":"x"}`)
	require.Equal(t, http.StatusBadRequest, status, "%s", body)
	c.act(`{"press":"cancel"}`)
	require.Contains(t, c.shown(), "Shall I cancel your taxi")
	c.act(`{"press":"cancel"}`)
	require.Contains(t, c.shown(), "Your taxi is cancelled.")
}

// desmonds returns a chat with a known customer who has no booking.
func desmonds(t *testing.T) thread {
	return newTown(t, world(t, "", map[string][]reply{"/user": booked()}).url, onLine).chat()
}

// TestChatUnderstandsZeroAndStar checks that "0" leads to a person in a chat, and "*" repeats the last message.
func TestChatUnderstandsZeroAndStar(t *testing.T) {
	c := desmonds(t)
	c.act(`{"text":"hello"}`)
	c.act(`{"text":"*"}`)
	require.Equal(t, 2, strings.Count(c.shown(), "Where shall we pick you up?"), "%s", c.shown())
	c.act(`{"text":"0"}`)
	require.Contains(t, c.shown(), "person", "%s", c.shown())
	require.NotContains(t, c.shown(), "Sorry, I did not understand.")
}

// TestLaterBookingAsksForTheTime checks that a customer who says "later" is asked for the time.
func TestLaterBookingAsksForTheTime(t *testing.T) {
	c := desmonds(t)
	c.act(`{"text":"hello"}`)
	c.act(`{"press":"place1"}`)
	require.NotContains(t, c.shown(), "At what time?")
	c.act(`{"text":"later"}`)
	require.Contains(t, c.shown(), "At what time?")
	require.NotContains(t, c.shown(), "Sorry")
}

// TestChoicesWithoutKeysWorkInWords checks that the choices that conversation.md marks "in words" are understood in
// their states.
func TestChoicesWithoutKeysWorkInWords(t *testing.T) {
	for says, row := range map[string]struct {
		acts   []string
		answer string
	}{
		"do not cancel it": {[]string{`{"text":"cancel"}`}, "stays booked"},
		"keep it":          {[]string{`{"text":"change"}`, `{"press":"time"}`, `{"text":"tomorrow at 10 am"}`}, "stays booked"},
		"tell the driver":  {[]string{`{"press":"another"}`, `{"text":"Town Hall"}`, `{"press":"now"}`, `{"press":"elsewhere"}`}, "Shall I book it?"},
	} {
		_, c := follows(t, journey("WAITING"))
		c.act(`{"text":"status"}`)
		for _, act := range row.acts {
			c.act(act)
		}
		before := len(c.shown())
		c.act(`{"text":"` + says + `"}`)
		require.Contains(t, c.shown()[before:], row.answer, "%s", c.shown())
	}
}

// TestChatAnnouncesACancellationOnce checks that a cancellation by the customer is not announced as news afterwards.
func TestChatAnnouncesACancellationOnce(t *testing.T) {
	cancelled := strings.Replace(journey("ACCEPTED"), "ACCEPTED", "CANCELLED", 1)
	_, c := follows(t, journey("ACCEPTED"), cancelled)
	c.act(`{"text":"status"}`)
	c.act(`{"press":"cancel"}`)
	c.act(`{"press":"cancel"}`)
	require.Contains(t, c.shown(), "Your taxi is cancelled.")
	require.False(t, c.view().Following)
	c.line.Advance(time.Minute)
	require.NotContains(t, c.shown(), "was cancelled")
}

// TestNewsButtonsActOnTheirJourney checks that a button below news acts on the journey of the news while another booking
// is discussed, and that the buttons of the discussion still work.
func TestNewsButtonsActOnTheirJourney(t *testing.T) {
	start := func() thread {
		_, c := follows(t, journey("EN_ROUTE"), journey("EN_ROUTE"), journey("ARRIVED"))
		c.act(`{"text":"status"}`)
		c.act(`{"press":"another"}`)
		c.line.Advance(20 * time.Second)
		require.Contains(t, c.shown(), "outside")
		return c
	}
	c := start()
	c.act(`{"press":"cancel"}`)
	require.Contains(t, c.shown(), "Shall I cancel your taxi")

	c = start()
	status, body := c.ask(http.MethodPost, c.path, `{"press":"fly"}`)
	require.Equal(t, http.StatusNotFound, status, "%s", body)
	greeted := strings.Count(c.shown(), "Hello")
	c.act(`{"press":"book"}`)
	require.Contains(t, c.shown(), "Where", "the question is gone on with")
	require.Equal(t, greeted, strings.Count(c.shown(), "Hello"), "and not begun again")
}

// TestChatKeepsTheLatestMessages checks that a chat keeps the latest 1000 messages, and that new ones are shown however
// many there were before.
func TestChatKeepsTheLatestMessages(t *testing.T) {
	c := desmonds(t)
	view := c.view()
	for view.Version <= 1010 {
		c.act(`{"text":"hello"}`)
		before := view.Version
		_, body := c.ask(http.MethodGet, c.path+"?from="+strconv.Itoa(before), "")
		view = decoded[simapi.ChatView](t, body)
		require.Equal(t, before, view.First)
		require.Len(t, view.Messages, view.Version-before)
		require.Equal(t, "hello", view.Messages[0].Text)
		require.Greater(t, len(view.Messages), 1, "it is answered")
	}
	view = c.view()
	require.Len(t, view.Messages, 1000)
	require.Equal(t, view.Version-1000, view.First)
	_, body := c.ask(http.MethodGet, c.path+"?from=99999", "")
	require.Empty(t, decoded[simapi.ChatView](t, body).Messages)
}

// TestChatHasAButtonForEachBooking checks that a chat has a button for each of several bookings, which selects this
// booking.
func TestChatHasAButtonForEachBooking(t *testing.T) {
	other := strings.NewReplacer("j/7", "j/8", "T10:00", "T12:30").Replace(journey("HELD"))
	p := world(t, "", map[string][]reply{
		"/user": booked(journey("HELD"), other), "/status j/7": raw(journey("HELD")), "/status j/8": raw(other),
		"/cancel": raw(`{"journeyId":"j/8","status":"CANCELLED"}`),
	})
	c := newTown(t, p.url, onLine).chat()
	c.act(`{"text":"status"}`)
	require.Equal(t, []string{
		"place1: The one Monday 1 of January at 10:00, from 1 Old Road", "place2: The one Monday 1 of January at 12:30, from 1 Old Road",
		"another: Another taxi", "person: A person",
	}, c.buttons())
	c.act(`{"press":"place2"}`)
	require.Contains(t, c.shown(), "12:30")
	c.act(`{"press":"cancel"}`)
	c.act(`{"press":"cancel"}`)
	require.Equal(t, `"j/8"`, string(p.last("/cancel")["journeyId"]))
}
