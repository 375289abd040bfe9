//go:build browser

package browsertest

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// A guest of the room books a taxi on a telephone's screen; the presentation shows the code and the name.
func TestRoomGuestBooksATaxi(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	needBrowser(t)
	s := serve(t, "demo", "--no-open", "--speed", "5", "--room", "--room-listen", "127.0.0.1:0")
	p := open(t, s, "/console/live?present")
	p.until(`document.querySelector(".room svg path")?.getAttribute("d").length > 1000`)
	address := get[string](p, `document.querySelector(".room svg").getAttribute("aria-label")`)

	origin, path, _ := strings.Cut(address, "/j/")
	g := newTabIn(t, ownBrowser(t, chromedp.Flag("ignore-certificate-errors", true)), &server{t: t, url: origin})
	g.look("light", phone)
	g.visit("/j/" + path)
	g.write(`input`, "Zoë")
	g.key(kb.Enter)
	g.says(`.says li`, "from Town Hall to Otterbridge Airport now")
	g.isAccessible("a guest's phone before the first call")
	g.click(`[data-test="call"]`)
	g.says(`ol`, "Where")
	g.write(`form input`, "from the town hall to the harbour now")
	g.key(kb.Enter)
	g.says(`ol`, "Shall I book it?")
	g.isAccessible("a guest's phone")
	s.call("PUT", "/_control/v1/clock", map[string]int{"speed": 0}) // the taxi moves as the test says
	g.press(`.chips button`, "1")
	g.says(`.ride`, "taxi")
	var theirs string
	for _, j := range s.call("GET", "/_control/v1/journeys?limit=200", nil)["journeys"].([]any) {
		if j := j.(map[string]any); j["passenger"].(map[string]any)["name"] == "Zoë" {
			theirs = "/_control/v1/journeys/" + j["journeyId"].(string) + "/transition"
		}
	}
	for _, to := range []string{"ACCEPTED", "EN_ROUTE"} {
		s.call("POST", theirs, map[string]string{"to": to})
	}
	g.says(`.ride`, "on its way")
	g.until(`document.querySelector("canvas.town")?.getAttribute("aria-label") === "The town with your taxi"`)
	g.until(`(() => {
		const c = document.querySelector("canvas.town"), d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data, all = new Set();
		for (let i = 0; i < d.length; i += 4) all.add((d[i] << 16) | (d[i + 1] << 8) | d[i + 2]);
		return all.size > 50;
	})()`) // the town is drawn
	g.says(`.minutes`, "min")
	s.call("POST", theirs, map[string]string{"to": "ARRIVED"})
	g.until(`document.querySelector('[data-test="coming"]').getBoundingClientRect().top > 0 && document.querySelector("canvas.town").getBoundingClientRect().top > 0`)
	g.click(`[data-test="coming"]`)
	g.says(`ol`, "I am coming now")
	g.says(`ol`, "I have told the driver")
	require.LessOrEqual(t, get[int](g, `performance.getEntriesByType("resource").filter((r) => /\/town|hand/.test(r.name)).reduce((n, r) => n + r.transferSize, 0)`), 80<<10)
	g.look("dark", phone)
	g.isAccessible("a taxi in the hand")
	p.until(`document.querySelector(".room").innerText.includes("1 of 30")`)
	p.isAccessible("the invitation to the room")
	p.says(`.under-way`, "Zoë")
	p.press(`.room button`, "End")
	p.until(`!document.querySelector(".room")`)
}

// A guest of the room calls with the microphone of their phone, and the page asks before it is left during the call.
func TestRoomGuestCallsWithMicrophone(t *testing.T) {
	needPrograms(t)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	s := serve(t, "demo", "--no-open", "--speed", "5", "--room", "--room-listen", "127.0.0.1:0")
	p := open(t, s, "/console/live?present")
	p.until(`document.querySelector(".room svg")`) // the room may open after the page
	address := get[string](p, `document.querySelector(".room svg").getAttribute("aria-label")`)
	origin, path, _ := strings.Cut(address, "/j/")
	said := slices.Concat(silence(7), spoken(t, "from the town hall to the hospital now"), silence(60))
	g := newTabIn(t, ownBrowser(t, append(microphone(soundFile(t, said)), chromedp.Flag("ignore-certificate-errors", true))...), &server{t: t, url: origin})
	g.visit("/j/" + path)
	g.write(`input`, "Max")
	g.key(kb.Enter)
	g.click(`[data-test="speak"]`)
	g.says(`ol`, "Where")
	g.says(`ol`, "book it?")
	g.until(asksToLeave)
	g.press(`.two .end`, "Hang up")
	g.until(`document.querySelector('[data-test="call"]')`)
	g.until("!" + asksToLeave)
}
