package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// Somebody who has read nothing rings the taxi firm, answers its questions by buttons, keys
// and words, sees the taxi come, and sees which requests that has caused and how they were
// judged.
func TestBookingByVoice(t *testing.T) {
	needBrowser(t)
	p := open(t, serve(t, "demo", "--no-open", "--speed", "30"), "/console/phone?from=442079460002")
	p.shows("phone")
	p.click(`[data-test="call"]`)
	p.says(`[data-test="transcript"]`, "Where shall we pick you up?")
	p.press(`[data-test="answers"] button`, "1")
	p.says(`[data-test="transcript"]`, "for now, press 1")
	p.key("1") // the keys of the page are the phone's while somebody is on it
	p.says(`[data-test="transcript"]`, "where to")
	p.write(`input[aria-label="Say something"]`, "the hospital")
	p.key(kb.Enter)
	p.says(`[data-test="transcript"]`, "“the hospital”")
	p.says(`[data-test="transcript"]`, "Which one do you mean?") // the rank beside it has its name
	p.press(`[data-test="answers"] button`, "1 St Brigid's Hospital")
	p.says(`[data-test="transcript"]`, "to book it, press 1")
	p.isAccessible("a call")
	p.press(`.pad button`, "1")
	p.says(`[data-test="transcript"]`, "Your taxi is booked.")
	p.says(`[data-test="transcript"] .chip.pass`, "/book 200")
	p.says(`[data-test="transcript"]`, "The call is over")
	require.NotContains(t, get[string](p, `document.querySelector('[data-test="transcript"]').innerText`), "442079460002")

	p.click(`[data-test="ride"] a[href*="/console/live"]`)
	p.shows("live")
	p.says(`[data-test="journey"] header`, "EN_ROUTE")
	p.says(`[data-test="journey"]`, "St Brigid's Hospital")
	p.says(`[data-test="journey"]`, "Driver")
	journey := get[string](p, `document.querySelector('[data-test="journey"] h2').innerText`)

	p.key("3")
	p.shows("requests")
	p.write("[data-search]", "op:book journey:"+journey)
	p.key(kb.Enter)
	p.until(`document.querySelectorAll("main li [data-id]").length === 1`)
	p.says("main li .verdict", "ok")
	p.press("main li a", "ok")
	p.says("main", "request ok")
}
