package booking_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
)

// judging returns the URL of a third party that also sends the headers of a conformance journal: an id for each
// request, and the verdict ok.
func judging(t *testing.T, answers map[string][]reply) string {
	t.Helper()
	party := newParty(t, answers)
	calls := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls++ // one at a time: there is one caller
		w.Header().Set("X-Cabrank-Request", fmt.Sprint("r", calls))
		w.Header().Set("X-Cabrank-Verdict", "ok")
		party.serve(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func (w *town) story(id string) simapi.StoryView {
	w.t.Helper()
	status, body := w.ask(http.MethodGet, "/sim/v1/stories/"+id, "")
	require.Equal(w.t, http.StatusOK, status, "%s", body)
	return decoded[simapi.StoryView](w.t, body)
}

// attach attaches a phone and returns its id.
func (w *town) attach(body string) string {
	w.t.Helper()
	status, answer := w.ask(http.MethodPost, "/sim/v1/phones", body)
	require.Equal(w.t, http.StatusCreated, status, "%s", answer)
	return decoded[simapi.PhoneView](w.t, answer).ID
}

func (w *town) phone(id string) simapi.PhoneView {
	w.t.Helper()
	_, body := w.ask(http.MethodGet, "/sim/v1/phones/"+id, "")
	return decoded[simapi.PhoneView](w.t, body)
}

// TestStoryShowsTheRequestsOfEachTurn checks that the story of a call shows the requests of each turn with their ids in the third
// party's journal, the keys that may be pressed, and the journey, and that it masks the number of the driver.
func TestStoryShowsTheRequestsOfEachTurn(t *testing.T) {
	w := newTown(t, judging(t, arrived()))
	driver := w.attach(`{"role":"driver","script":[{"expect":"is coming now"}]}`)
	call := w.dial("442079460001", `[{"expect":"coming now, press 1"},{"press":"1"},{"expect":"i have told the driver"},{"expect":"call the driver, press 2"},{"press":"2"},{"wait":"5s"},{"hangup":true}]`)
	w.line.Run(2 * time.Second)
	story := w.story(call.CallID)
	require.Equal(t, "J-1", story.Journey)
	require.Equal(t, "A1", story.State)
	require.Contains(t, story.Answers, booking.Answer{Key: "1", Label: "I am coming now"})
	require.Len(t, story.Turns, 1)
	var paths, journal []string
	for _, r := range story.Turns[0].Requests {
		paths, journal = append(paths, r.Path), append(journal, r.Journal)
		require.Equal(t, http.StatusOK, r.Status)
		require.Equal(t, "ok", r.Verdict)
	}
	require.Equal(t, []string{"/config", "/user", "/status"}, paths)
	require.Equal(t, []string{"r1", "r2", "r3"}, journal)

	w.line.Run(time.Hour)
	held := w.phone(driver)
	require.Equal(t, "done", held.Script, "the phone of the role was rung")
	require.Equal(t, "driver", held.To)
	require.Equal(t, "Your passenger at Mill Lane is coming now.", held.Transcript[2].Text)
	rung := w.story(held.CallID)
	require.Equal(t, call.CallID, rung.Call.Parent)
	require.Contains(t, string(rung.Turns[0].Verbs), "is coming now")

	story = w.story(call.CallID)
	var verbs strings.Builder
	for _, turn := range story.Turns {
		verbs.Write(turn.Verbs)
	}
	all := verbs.String()
	require.Contains(t, all, `"phoneNumber":{"number":"+*********007"}`)
	require.NotContains(t, all, "113496")
	require.Empty(t, story.Answers)
	require.Empty(t, story.Requests, "all of them belong to a turn")
}

// TestRolePhoneIsRungOnlyWhileWatched checks that a phone attached for a role is rung only while a client watches it, and not if
// another phone has the person's number or it has another role.
func TestRolePhoneIsRungOnlyWhileWatched(t *testing.T) {
	const comes = `[{"expect":"coming now, press 1"},{"press":"1"},{"expect":"i have told the driver"},{"hangup":true}]`
	for name, row := range map[string]struct {
		attach []string
		away   time.Duration
		rung   bool
	}{
		"looked at":     {[]string{`{"role":"driver"}`}, time.Second, true},
		"left alone":    {[]string{`{"role":"driver"}`}, time.Minute, false},
		"of the person": {[]string{`{"role":"person"}`}, time.Second, false},
		"by the number": {[]string{`{"role":"driver"}`, `{"number":"+441134960007"}`}, time.Second, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t, newParty(t, arrived()).url)
			var ids []string
			for _, body := range row.attach {
				ids = append(ids, w.attach(body))
			}
			w.line.Advance(row.away)
			w.dial("442079460001", comes)
			for range 40 {
				w.line.Advance(time.Second)
				if row.away < time.Minute {
					w.phone(ids[0])
				}
			}
			require.Equal(t, row.rung, w.phone(ids[0]).Status != "waiting", "%+v", w.phone(ids[0]))
		})
	}
	w := newTown(t, newParty(t, arrived()).url)
	status, _ := w.ask(http.MethodPost, "/sim/v1/phones", `{"role":"dispatcher"}`)
	require.Equal(t, http.StatusBadRequest, status)
	id := w.attach(`{"number":"+441134960007"}`)
	status, _ = w.ask(http.MethodPost, "/sim/v1/phones/"+id, `{"hangup":true}`)
	require.Equal(t, http.StatusNoContent, status)
	require.Equal(t, "done", w.call("442079460001", comes).Script, "a phone that was put away is not rung")
}
