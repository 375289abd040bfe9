//go:build browser

package browsertest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// A presenter goes through six scenes with Space, and back to a clean start.
func TestTheStoryIsTold(t *testing.T) {
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
	p.says(`[data-test="captions"] .caller`, "more:")
	next(5)
	p.shows("requests")
	p.says("[data-test=\"story\"]", "Every word")
	next(6)
	p.shows("phone")
	p.key(kb.PageDown)
	p.says(`[data-test="story"]`, "1 of 6")
	p.shows("live")
	names := get[[]string](p, `fetch("/_control/v1/journeys?limit=200").then((r) => r.json()).then((all) => all.journeys.map((j) => j.passenger.name))`)
	require.NotEmpty(t, names, "the town lives")
	require.NotContains(t, names, "Margaret Dunmore", "nobody has called yet")
}

// Ten callers at once ask for different journeys, and all get a taxi.
func TestTenPeopleRingAtOnce(t *testing.T) {
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
