//go:build browser

package browsertest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// A presenter goes through six scenes with Space, and back to a clean start.
func TestSpaceKeyShowsTheStoryScenes(t *testing.T) {
	t.Parallel()
	s := serve(t, "demo", "--no-open", "--story")
	p := open(t, s, "/console/live?present&story")
	p.says(`[data-test="story"]`, "1 of 6")
	p.says(`[data-test="story"] button`, "Next")
	p.isAccessible("a scene of the story")
	next := func(scene int) {
		p.until(`!document.querySelector('[data-test="story"][aria-busy="true"]')`)
		p.key(" ")
		p.says(`[data-test="story"]`, fmt.Sprintf("%d of 6", scene))
	}
	next(2)
	p.says(`[data-test="captions"]`, "from Town Hall to Otterbridge Harbour now")
	p.says(`[data-test="captions"] .made`, "/book 200")
	next(3)
	p.says(`[data-test="journey"]`, "Margaret Dunmore")
	next(4)
	const callers = `fetch("/console/platform/sim/v1/calls?limit=50").then((r) => r.json()).then((all) => new Set(all.map((c) => c.from)).size)`
	require.Eventually(t, func() bool { return get[int](p, callers) == 10 }, patience, 100*time.Millisecond)
	p.until(`document.querySelectorAll(".crowd .one").length === 10`)
	t.Log(p.smoothness())
	p.says(`.crowd .count`, "10 of 10 booked")
	p.isAccessible("ten people on the phone")
	p.key(" ")
	p.key(" ") // while the scene is being shown: it counts
	p.shows("phone")
	p.says(`[data-test="story"]`, "6 of 6")
	p.says(`[data-test="try"] li`, "from Town Hall to Otterbridge Harbour now")
	require.Equal(t, 1, get[int](p, `document.querySelectorAll("main button").length`), "there is one thing to do")
	p.isAccessible("somebody of the audience tries")
	p.do(chromedp.NavigateBack())
	p.says(".one-call", "answer ok") // scene 5: a request, its answer and the verdict
	// Those who are still on the phone may hang up by themselves, and the page may have asked about a journey.
	p.expect("409 (Conflict) " + s.url + "/console/platform/sim/v1/calls/")
	p.expect("404 (Not Found) " + s.url + "/_control/v1/journeys/")
	p.key(" ")
	p.says(`[data-test="story"]`, "1 of 6")
	p.shows("live")
	names := get[[]string](p, `fetch("/_control/v1/journeys?limit=200").then((r) => r.json()).then((all) => all.journeys.map((j) => j.passenger.name))`)
	require.NotEmpty(t, names, "the town lives")
	require.NotContains(t, names, "Margaret Dunmore", "nobody has called yet")
	for range 3 {
		p.key(" ") // each counts, whatever is being shown
	}
	p.says(`[data-test="story"]`, "4 of 6")
	next(5)
	next(6)
	p.click(`[data-test="try"] button`)
	p.until(`document.querySelector('[data-test="transcript"], .deaf')`)
	if get[bool](p, `Boolean(document.querySelector(".deaf"))`) { // no microphone: once more is to type
		p.click(`[data-test="try"] button`)
	}
	p.says(`[data-test="transcript"]`, "Where shall we pick you up?") // they are nobody who has booked in scene 4
}

// Ten callers at once ask for different journeys, and all get a taxi.
func TestTenSimulatedCallersAllBook(t *testing.T) {
	t.Parallel()
	s := serve(t, "demo", "--no-open", "--story")
	p := open(t, s, "/console/phone")
	p.click(`[data-test="caller"]`)
	p.until(`document.querySelectorAll("dialog .persona").length === 5`)
	require.NotContains(t, get[string](p, `document.querySelector("dialog").innerText`), "DROP TABLE", "testers' numbers are folded away")
	p.isAccessible("who calls")
	p.key(kb.Escape)
	p.press("button", "Simulate ten callers")
	const ways = `fetch("/_control/v1/journeys?limit=200").then((r) => r.json()).then((all) => all.journeys.filter((j) => /46002\d|460030/.test(j.passenger.phoneNumber)).map((j) => j.pickup.address + " → " + j.dropoffs[0].address))`
	require.Eventually(t, func() bool { return len(get[[]string](p, ways)) == 10 }, patience, 100*time.Millisecond)
	booked := get[[]string](p, ways)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(booked))), 10, "%v", booked)
}

// A call is exported as one HTML file that plays without a server.
func TestCallFilmPlaysWithoutServer(t *testing.T) {
	t.Parallel()
	s := serve(t, "demo", "--no-open", "--speed", "60")
	require.Eventually(t, func() bool {
		_, _, said := s.ask("GET", "/console/platform/sim/v1/calls?limit=1", nil)
		var calls []struct{ Status string }
		return json.Unmarshal(said, &calls) == nil && len(calls) == 1 && calls[0].Status == "completed"
	}, patience, 100*time.Millisecond)
	status, header, page := s.ask("GET", "/console/film/latest", nil)
	require.Equal(t, http.StatusOK, status, "%s", page)
	require.Contains(t, header.Get("Content-Disposition"), "call.html")
	require.NotContains(t, string(page), "442079460000", "a film holds no number")
	require.Less(t, len(page), 300<<10)
	s.Stop()

	file := filepath.Join(t.TempDir(), "call.html")
	require.NoError(t, os.WriteFile(file, page, 0o600))
	p := newTab(t, &server{t: t, url: "file://"})
	p.do(chromedp.Navigate("file://" + file))
	p.says("#who", "Ann Other is on the phone")
	p.says("#now", "Where shall we pick you up?")
	get[bool](p, `(at => { at.value = film.durationMs - 500; at.oninput(); return true; })(document.getElementById("at"))`)
	p.says("#made", "/book 200")
	get[bool](p, `(at => { at.value = rideFrom + 100; at.oninput(); return true; })(document.getElementById("at"))`)
	p.says("#now", "way to")
	get[bool](p, `(at => { at.value = whole; at.oninput(); return true; })(document.getElementById("at"))`)
	p.says("#play", "Play again")
}

// The last call is played once more with its requests, and then made again over a network that loses the answers to the
// booking: the firm apologises, and nothing is booked twice.
func TestLastCallIsReplayed(t *testing.T) {
	t.Parallel()
	s := serve(t, "demo", "--no-open", "--speed", "60")
	p := open(t, s, "/console/live?present")
	over := func(calls int) {
		p.until(`fetch("/console/platform/sim/v1/calls").then((r) => r.json()).then((all) => all.filter((c) => !c.parentCallId)).then((all) => all.length === ` + string(rune('0'+calls)) + ` && all.every((c) => c.status === "completed"))`)
	}
	over(1)
	p.key("r")
	p.says(`.rewind .words`, "Where shall we pick you up?")
	p.says(`.rewind .wire h2`, "/book")
	p.says(`.rewind .wire .json`, "journeyId")
	require.NotContains(t, get[string](p, `document.querySelector(".rewind").innerText`), "442079460000")
	p.isAccessible("a rewind")
	p.key("l")
	p.until(`!document.querySelector(".rewind")`)
	over(2)
	said := get[string](p, `fetch("/console/platform/sim/v1/calls").then((r) => r.json()).then((all) => fetch("/console/platform/sim/v1/calls/" + all[0].callId)).then((r) => r.json()).then((c) => c.transcript.map((l) => l.text).join("\n"))`)
	require.Contains(t, said, "yes please")
	require.Contains(t, said, "I am not sure that your booking was taken")
	require.Equal(t, 2, get[int](p, `fetch("/_control/v1/journeys?phone=442079460000&limit=100").then((r) => r.json()).then((all) => all.journeys.length)`), "one of each call: %s", said)
	require.NotZero(t, get[int](p, `fetch("/_control/v1/requests?op=book&brief=true&limit=50").then((r) => r.json()).then((all) => all.requests.filter((r) => r.fault).length)`), said)
}
