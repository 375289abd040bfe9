//go:build browser

package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// An empty world has a button that books a ride, whose journey is then shown to its end.
func TestSomebodyBooksARide(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "serve", "--log", "off", "--speed", "30"), "/console/")
	p.says("main", "No active journeys")
	for _, text := range []string{"Point your platform here", "Check my server"} {
		p.says("main button, main a", text)
	}
	p.isAccessible("a world in which nothing goes on")
	p.press("main button", "Book a demo ride")
	p.says(`[data-test="journey"]`, "Last answers")
	p.says(`[data-test="journey"] .calls`, "/book")
	for _, status := range []string{"EN_ROUTE", "ARRIVED", "POB"} {
		p.says(`[data-test="journey"] header`, status)
	}
	p.says(`[data-test="journey"]`, "Driver")
	require.Contains(t, get[string](p, "location.search"), "journey=")
	p.says(`[data-test="journey"] header`, "COMPLETE")
	p.says("main", "No active journeys")

	p.press(`[data-test="journey"] .calls a`, "/book")
	p.shows("requests")
	p.says("main", "request ok")
	p.key("1")
	p.shows("live")
	p.until(`!document.querySelector('[data-test="journey"]')`)
}

// A journey is selected on the board by keys and moved on by a button.
func TestJourneyIsTakenOn(t *testing.T) {
	t.Parallel()
	w := newBusyTown(t)
	p := open(t, w.server, "/console/live")
	p.until(`document.querySelectorAll(".board [data-journey]").length > 3`)
	p.key("j")
	p.until(`document.querySelector('[data-test="journey"] h2').innerText === document.querySelector(".board [data-journey]").dataset.journey`)
	p.key(kb.Escape)
	p.until(`!document.querySelector('[data-test="journey"]') && !location.search`)

	p.click(`[data-journey="` + w.journey + `"]`)
	p.says(`[data-test="journey"] h2`, w.journey)
	p.says(`[data-test="journey"] header`, "ARRIVED")
	p.press(`[data-test="journey"] button`, "Passenger gets in")
	p.says(`[data-test="journey"] header`, "POB")
	p.says(".ordered pre", "curl")
}

// The town is drawn by the page itself, in its own colours.
func TestTownIsDrawn(t *testing.T) {
	t.Parallel()
	p := open(t, newBusyTown(t).server, "/console/live")
	const colours = `[...document.querySelectorAll(".map canvas")].reduce((n, c) => {
		const all = c.getContext("2d").getImageData(0, 0, c.width, c.height).data, seen = new Set();
		for (let i = 0; i < all.length; i += 4 * 7) if (all[i + 3] === 255) seen.add((all[i] << 16) | (all[i + 1] << 8) | all[i + 2]);
		return n + seen.size;
	}, 0)`
	p.until(colours + " > 50")
	p.says(".legend", "free")
}
