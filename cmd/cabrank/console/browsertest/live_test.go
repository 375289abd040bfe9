//go:build browser

package browsertest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// colours counts the colours in the middle of a canvas of the map.
const colours = `(() => {
	const c = document.querySelector(".leaflet-%s-pane canvas"), g = c.getContext("2d");
	const d = g.getImageData(c.width / 4, c.height / 4, c.width / 2, c.height / 2).data, all = new Set();
	for (let i = 0; i < d.length; i += 4) all.add((d[i] << 16) | (d[i + 1] << 8) | d[i + 2] | (d[i + 3] << 24));
	return all.size;
})()`

// A demo ride is booked and moved through its statuses by buttons.
func TestDemoRideIsBookedAndAdvanced(t *testing.T) {
	t.Parallel()
	s := serve(t, "serve", "--log", "off", "--speed", "1")
	p := open(t, s, "/console/live")
	p.says(".nothing", "No active journeys")
	p.says(".legend", "40 free")
	p.until(fmt.Sprintf(colours, "tile") + " > 50")   // the town is drawn
	p.until(fmt.Sprintf(colours, "overlay") + " > 5") // and the cars
	p.press("main button", "Point your platform here")
	p.says("dialog", s.url)
	p.key(kb.Escape)
	p.until(`!document.querySelector("dialog")`)

	p.press("main button", "Book a demo ride")
	p.says(".chosen header", "looking for a car")
	p.until(`new URLSearchParams(location.search).get("journey")`)
	p.says(".chosen .calls", "/book")
	p.press(".chosen button", "Driver accepts")
	p.says(".chosen header", "car found")
	p.key("d")
	p.says(".doors", "Cars stop at the door")
	p.says(".chosen .ordered", `{"to":"ACCEPTED","event":"accept"}`)
	p.says(".chosen", "•••")
	p.press(".chosen button", "Arrive")
	p.says(".chosen .coming", "The car is there")
	p.says(".chosen .pill", "held")
	p.key("d")
	p.until(`!document.querySelector(".doors, .chosen .pill")`)
	p.says(".board .row.on", "at the door")
	p.key(kb.Escape)
	p.until(`!document.querySelector(".chosen")`)
	p.click(".board [data-journey]")
	p.says(".chosen header", "at the door")
	p.key(kb.Escape)
	p.until(`!document.querySelector(".chosen") && !location.search`)
	p.key("j")
	p.until(`document.querySelector('[data-test="journey"] h2').innerText === document.querySelector(".board [data-journey]").dataset.journey`)
	p.says(".chosen header", "at the door")
	p.press(".chosen button", "Passenger gets in")
	p.says(".ordered pre", "curl")
	p.press(".chosen button", "Finish")
	p.says(".chosen header", "arrived")
	p.says("main", "No active journeys")
}

// The page of a demo shows its first call: the captions over a map with moving cars, what was
// understood, the requests, and the journey that follows.
func TestDemoPageShowsItsFirstCall(t *testing.T) {
	t.Parallel()
	s := serve(t, "demo", "--no-open")
	p := open(t, s, "/console/live?present")
	moved := get[float64](p, `import("/console/world.js").then(({ vehicles }) => new Promise((done) => {
		const first = new Map();
		vehicles.watch((v) => v.vehicles.forEach((c) => {
			const at = JSON.stringify(c.location);
			if (!first.has(c.id)) first.set(c.id, at);
			else if (first.get(c.id) !== at) done(performance.now());
		}));
	}))`)
	t.Logf("the first car moves %.0f ms after the page was opened", moved)
	p.says(`[data-test="captions"] .caller`, "Ann Other is on the phone")
	p.says(`[data-test="captions"] .line`, "“a taxi from University of Otterbridge to St Brigid's Hospital, now please”")
	p.says(`.understood li:first-child`, "University of Otterbridge")
	p.says(`[data-test="captions"] .made`, "/user 200")
	p.isAccessible("the captions of a call")
	p.says(`.understood .sure`, "St Brigid's Hospital")
	p.says(`[data-test="captions"] .made`, "/book 200")
	p.says(`[data-test="journey"] header`, "on its way")
	p.until(`!document.querySelector('[data-test="captions"]')`)
	people := get[[]string](p, `fetch("/_control/v1/journeys?limit=100").then((r) => r.json()).then((all) => all.journeys.map((j) => j.passenger.name + " " + j.passenger.phoneNumber))`)
	require.Greater(t, len(people), 10)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(people))), len(people), "nobody books twice: %q", slices.Sorted(slices.Values(people)))
}

// A card can be dragged to a permitted status, and to another one only after a confirmation.
func TestDraggedCardChangesTheStatus(t *testing.T) {
	t.Parallel()
	s := serve(t, "serve", "--log", "off", "--speed", "1")
	p := open(t, s, "/console/journeys")
	p.until(`document.querySelectorAll("[aria-label=HELD] [data-card]").length > 5`)
	p.says("[aria-label=HELD]", "more of this way") // who are booked alike are folded
	card := get[string](p, `document.querySelector("[aria-label=HELD] [data-card]").dataset.card`)
	tell := func(element, what string) {
		get[bool](p, fmt.Sprintf(`document.querySelector(%s).dispatchEvent(new DragEvent(%s, { bubbles: true, cancelable: true, dataTransfer: window.moved ||= new DataTransfer() })) || true`, quoted(element), quoted(what)))
	}
	drag := func(to string) {
		of, into := fmt.Sprintf("[data-card=%q]", card), fmt.Sprintf("[aria-label=%s]", to)
		tell(of, "dragstart")
		p.until(`document.querySelector(` + quoted(into) + `).matches(".takes, .forces")`)
		tell(into, "dragover")
		tell(into, "drop")
	}
	drag("WAITING")
	p.until(`document.querySelector('[aria-label=WAITING] [data-card="` + card + `"]')`)
	p.says(".ordered", "/transition")
	drag("POB")
	p.says("dialog", "No step leads from WAITING to POB")
	p.press("dialog button", "Force it")
	p.until(`document.querySelector('[aria-label=POB] [data-card="` + card + `"]')`)

	p.write("[data-search]", card)
	p.says(".filter output", "1 journey")
	p.until(`new URLSearchParams(location.search).get("q") === ` + quoted(card))
	p.key(kb.Escape)
	p.key("j")
	p.key(kb.Enter)
	p.says("dialog", "Force it into")
	p.press("dialog button", "Finish")
	p.says("dialog", "COMPLETE")
}

// An empty world has a button that books a ride, whose journey is then shown to its end.
func TestEmptyWorldOffersADemoRide(t *testing.T) {
	t.Parallel()
	s := serve(t, "serve", "--log", "off")
	s.call("PUT", "/_control/v1/clock", map[string]any{"mode": "manual"})
	p := open(t, s, "/console/")
	p.says("main", "No active journeys")
	for _, text := range []string{"Point your platform here", "Check my server"} {
		p.says("main button, main a", text)
	}
	p.isAccessible("a world in which nothing goes on")
	p.press("main button", "Book a demo ride")
	p.says(`[data-test="journey"]`, "Last answers")
	p.says(`[data-test="journey"] .calls`, "/book")
	id := get[string](p, `new URLSearchParams(location.search).get("journey")`)
	for _, reached := range [][2]string{{"EN_ROUTE", "on its way"}, {"ARRIVED", "at the door"}, {"POB", "on board"}, {"COMPLETE", "arrived"}} {
		s.call("POST", "/_control/v1/clock/advance", map[string]any{"until": map[string]any{"journey": id, "status": reached[0]}})
		p.says(`[data-test="journey"] header`, reached[1])
		p.says(`[data-test="journey"]`, "Driver")
	}
	p.says("main", "No active journeys")

	p.press(`[data-test="journey"] .calls a`, "/book")
	p.shows("requests")
	p.says("main", "request ok")
	p.key("1")
	p.shows("live")
	p.until(`!document.querySelector('[data-test="journey"]')`)
}

// Two thousand cars are drawn. The log says how soon and how smoothly, for whoever measures it.
func TestALargeFleetIsDrawn(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "serve", "--log", "off", "--cars", "2000", "--demand", "town", "--speed", "20"), "/console/live?present")
	p.until(`import("/console/world.js").then(({ vehicles }) => new Promise((done) => vehicles.watch((v) => done(v.vehicles.length === 2000))))`)
	p.until(fmt.Sprintf(colours, "overlay") + " > 5")
	t.Log(p.smoothness())
}

// smoothness is when the page was first painted, and how long 95 of 100 frames take, in ten seconds.
func (p *tab) smoothness() string {
	p.t.Helper()
	return get[string](p, `new Promise((done) => {
		const took = [], ends = performance.now() + 10_000;
		let before = performance.now();
		requestAnimationFrame(function next(now) {
			took.push(now - before);
			before = now;
			if (now < ends) requestAnimationFrame(next);
			else done("first paint after " + Math.round(performance.getEntriesByName("first-contentful-paint")[0].startTime) + " ms, frames p95 " + took.sort((a, b) => a - b)[Math.floor(took.length * 0.95)].toFixed(1) + " ms of " + took.length);
		});
	})`)
}
