//go:build browser

package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// A taxi is booked by phone, with answers by buttons, keys and words. The page then shows the
// journey, the requests of the call and their verdicts.
func TestTaxiIsBookedOnThePhoneScreen(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "demo", "--no-open", "--speed", "30"), "/console/phone")
	p.says(`main`, "Ann Other")                   // the page follows the demo's first call as it begins, and would close a dialog
	for _, last := range []string{"503", "002"} { // one of a range that has a meaning, and somebody
		p.click(`[data-test="caller"]`)
		p.write(`dialog input`, last)
		p.says(`dialog .callers li:first-child`, last)
		p.key(kb.Enter)
		p.until(`new URLSearchParams(location.search).get("from") === "442079460` + last + `"`)
	}
	p.click(`[data-test="call"]`)
	p.says(`[data-test="transcript"]`, "Where shall we pick you up?")
	p.until(`document.querySelector('[data-test="answers"] button:enabled')`)
	get[bool](p, `(b => { b.click(); b.click(); b.click(); return true; })(document.querySelector('[data-test="answers"] button'))`) // counts once
	p.says(`[data-test="transcript"]`, "for now, press 1")
	p.do(chromedp.KeyEvent("1"), chromedp.KeyEvent(kb.Enter)) // keys alone are pressed, not said
	p.says(`[data-test="transcript"]`, "where to")
	p.write(`input[aria-label="Say something"]`, "the hospital")
	p.key(kb.Enter)
	p.says(`[data-test="transcript"]`, "“the hospital”")
	p.says(`[data-test="transcript"]`, "to book it, press 1")
	p.isAccessible("a call")
	p.click(`.keypad summary`)
	p.press(`.pad button`, "1")
	p.says(`[data-test="transcript"]`, "Your taxi is booked.")
	p.says(`[data-test="transcript"] .chip.pass`, "/book 200")
	p.says(`[data-test="transcript"]`, "The call is over")
	require.NotContains(t, get[string](p, `document.querySelector('[data-test="transcript"]').innerText`), "442079460002")
	require.Equal(t, "1", get[string](p, `document.querySelector('[data-test="transcript"] .keys-pressed').innerText`))
	const bottom = `(t => t.scrollHeight > t.clientHeight && t.scrollHeight - t.scrollTop - t.clientHeight < 8)(document.querySelector('[data-test="transcript"]'))`
	p.until(bottom)
	get[int](p, `document.querySelector('[data-test="transcript"]').scrollTop = 0`)
	p.click(`[data-test="newest"]`)
	p.until(bottom + ` && !document.querySelector('[data-test="newest"]')`)

	p.click(`[data-test="ride"] a[href*="/console/live"]`)
	p.shows("live")
	p.says(`[data-test="journey"] header`, "on its way")
	p.says(`[data-test="journey"]`, "St Brigid's Hospital")
	p.says(`[data-test="journey"]`, "Driver")
	journey := get[string](p, `document.querySelector('[data-test="journey"] h2').innerText`)

	p.key("3")
	p.shows("requests")
	p.write("[data-search]", "op:book journey:"+journey)
	p.key(kb.Enter)
	p.until(`document.querySelectorAll("main li [data-id]").length === 1`)
	p.says("main li .verdict", "ok")
	p.press("main li a", "request ok")
	p.says("main", "request ok")
}

// During a call all screens can be opened. What is typed is said, shortcuts are off, and Space
// does not stop the clock.
func TestCallContinuesOnOtherScreens(t *testing.T) {
	t.Parallel()
	s := serve(t, "demo", "--no-open", "--speed", "30")
	p := open(t, s, "/console/phone?from=442079460021")
	p.key("2") // a key of the phone, not of the page
	p.shows("phone")
	p.click(`[data-test="call"]`)
	p.do(chromedp.KeyEvent("from the town hall to the harbour now"), chromedp.KeyEvent(kb.Enter)) // before anybody has answered
	p.says(`[data-test="transcript"]`, "“from the town hall to the harbour now”")
	p.until(`document.title.startsWith("☎")`)
	p.press("header nav a", "Live")
	p.shows("live")
	p.says(`[data-test="callbar"]`, "Wilfred Whitlock")
	p.isAccessible("a call that goes on")
	p.until(asksToLeave) // a reload hangs up
	p.key("7")           // is heard on the phone
	p.key(" ")
	p.shows("live")
	require.NotZero(t, s.call("GET", "/_control/v1/clock", nil)["speed"], "Space stops nothing in a call")
	p.press("header nav a", "Requests")
	p.shows("requests")
	p.do(chromedp.KeyEvent("yes"), chromedp.KeyEvent(kb.Enter))
	p.until(`fetch("/console/platform/sim/v1/calls").then((r) => r.json()).then((all) => Promise.all(all.map((c) => fetch("/console/platform/sim/v1/calls/" + c.callId).then((r) => r.json())))).then((all) => all.some((c) => c.transcript.some((l) => l.kind === "speech" && l.text === "yes")))`)
	p.press(`[data-test="callbar"] a`, "Show the call")
	p.shows("phone")
	p.says(`[data-test="transcript"]`, "pressed 7")
	p.says(`[data-test="transcript"]`, "“yes”")
	p.click(`[data-test="hangup"]`)
	p.says(`[data-test="transcript"]`, "The call is over")
	p.until(`!document.title.startsWith("☎")`)
	p.until("!" + asksToLeave)
}

// asksToLeave is whether the browser would ask before it leaves a page. A page changes its answer a moment after it has
// been drawn.
const asksToLeave = `(() => { const e = new Event("beforeunload", { cancelable: true }); dispatchEvent(e); return e.defaultPrevented; })()`
