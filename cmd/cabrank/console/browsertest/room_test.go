//go:build browser

package browsertest

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A guest of the room books a taxi on a telephone's screen; the presentation shows the code and the name.
func TestAGuestOfTheRoom(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	needBrowser(t)
	s := serve(t, "demo", "--no-open", "--speed", "5", "--room", "--room-listen", "127.0.0.1:0")
	p := open(t, s, "/console/live?present")
	p.until(`document.querySelector(".room svg path")?.getAttribute("d").length > 1000`)
	address := get[string](p, `document.querySelector(".room svg").getAttribute("aria-label")`)

	origin, path, _ := strings.Cut(address, "/j/")
	g := newTabIn(t, ownBrowser(t, chromedp.Flag("ignore-certificate-errors", true)), &server{t: t, url: origin})
	g.expect("401 (Unauthorized)") // by which the page learns that nobody has joined
	g.look("light", phone)
	g.visit("/j/" + path)
	g.write(`input`, "Zoë")
	g.key(kb.Enter)
	g.click(`[data-test="call"]`)
	g.says(`ol`, "Where")
	g.write(`form input`, "from the town hall to the harbour now")
	g.key(kb.Enter)
	g.says(`ol`, "Shall I book it?")
	g.isAccessible("a guest's phone")
	g.press(`.chips button`, "1")
	g.says(`.ride`, "taxi")
	p.until(`document.querySelector(".room").innerText.includes("1 of 30")`)
	p.isAccessible("the invitation to the room")
	p.says(`.under-way`, "Zoë")
	p.press(`.room button`, "End")
	p.until(`!document.querySelector(".room")`)
}

// A guest's phone carries sound, too.
func TestAGuestSpeaks(t *testing.T) {
	needPrograms(t)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	s := serve(t, "demo", "--no-open", "--speed", "5", "--room", "--room-listen", "127.0.0.1:0")
	p := open(t, s, "/console/live?present")
	p.until(`document.querySelector(".room svg")`) // the room may open after the page
	address := get[string](p, `document.querySelector(".room svg").getAttribute("aria-label")`)
	origin, path, _ := strings.Cut(address, "/j/")
	said := slices.Concat(silence(7), spoken(t, "rms", "from the town hall to the hospital now"), silence(60))
	g := newTabIn(t, ownBrowser(t, append(microphone(soundFile(t, said)), chromedp.Flag("ignore-certificate-errors", true))...), &server{t: t, url: origin})
	g.expect("401 (Unauthorized)") // by which the page learns that nobody has joined
	g.visit("/j/" + path)
	g.write(`input`, "Max")
	g.key(kb.Enter)
	g.click(`[data-test="speak"]`)
	g.says(`ol`, "Where")
	g.says(`ol`, "book it?")
	g.press(`.two .end`, "Hang up")
	g.until(`document.querySelector('[data-test="call"]')`)
}
