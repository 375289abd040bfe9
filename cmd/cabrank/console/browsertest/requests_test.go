//go:build browser

package browsertest

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// A request is listed when it arrives. A search finds it, and each finding is shown at its value,
// with a link to its rule.
func TestRequestsAreListedAndSearched(t *testing.T) {
	t.Parallel()
	s := serve(t, "serve", "--log", "off")
	p := open(t, s, "/console/requests")
	p.says("main h2", "Nobody has called yet")
	s.call(http.MethodPost, "/config", map[string]any{})
	s.call(http.MethodPost, "/user", map[string]any{"phoneNumber": "+" + caller})
	p.until(`document.querySelectorAll(".call-list li").length === 2`)
	p.says(".call-list li:first-child", "••• 001")

	p.write("[data-search]", "verdict:fail")
	p.until(`document.querySelectorAll(".call-list li").length === 1 && new URLSearchParams(location.search).get("q") === "verdict:fail"`)
	s.call(http.MethodPost, "/config", map[string]any{})
	s.call(http.MethodPost, "/user", map[string]any{"phoneNumber": "+" + caller})
	p.until(`document.querySelectorAll(".call-list li").length === 2`)
	p.key(kb.Escape) // out of the search
	p.key("j")
	p.says(".one-call h2", "#4 /user")
	p.key("j")
	p.says(".one-call h2", "#2 /user")
	p.says(".one-call mark", "+"+caller)
	p.press(".finding button", "P-05")
	p.says("dialog", "cabrank explain P-05")
	p.key(kb.Escape)
	p.until(`!document.querySelector("dialog")`)
	p.key(kb.Escape)
	p.until(`!document.querySelector(".one-call")`)

	p.press(".calls-filter button", "/config")
	p.says("main h2", "No request matches")
	p.press("main button", "Show all calls")
	p.until(`document.querySelectorAll(".call-list li").length === 4`)
}

// JSON is shown as it was sent, also where JavaScript would parse it differently.
func TestJSONIsShownAsItWasSent(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "serve", "--log", "off"), "/console/requests")
	for text, want := range map[string]string{
		`{"a":1.50,"a":12345678901234567890}`:    `{;/a 1.50;/a 12345678901234567890;}`,
		`{"a":{},"b":[ ],"c":[1,{"d":"x,\"]"}]}`: `{;/a {};/b [];/c [;/c/0 1;/c/1 {;/c/1/d "x,\"]";};];}`,
		`{"a/b":{"~":null}}`:                     `{;/a~1b {;/a~1b/~0 null;};}`,
		`7`:                                      ` 7`,
		`{"a":`:                                  `{`,
		`no json`:                                ` no; json`,
	} {
		b, err := json.Marshal(text)
		require.NoError(t, err)
		require.Equal(t, want, strings.TrimSuffix(get[string](p, `import("/console/screens/wire.js").then((m) => m.layOut(`+string(b)+`)
			.map((l) => l.ends || (!l.at && l.value[0] === "{") ? l.value : l.at + " " + l.value).join(";"))`), ";"), text)
	}
}

// Keys stop and advance the clock on every screen. While it is stopped a bar says so and has a button that starts it.
func TestKeysStopAndAdvanceTheClock(t *testing.T) {
	t.Parallel()
	s := serve(t, "serve", "--log", "off", "--speed", "60")
	p := open(t, s, "/console/requests")
	speed := func() any { return s.call(http.MethodGet, "/_control/v1/clock", nil)["speed"] }
	now := func() time.Time {
		at, err := time.Parse(time.RFC3339, s.call(http.MethodGet, "/_control/v1/clock", nil)["now"].(string))
		require.NoError(t, err)
		return at
	}
	p.key(" ")
	p.says("header .clock", "stands still")
	require.InDelta(t, 0, speed(), 0)
	before := now()
	p.key("5")
	p.shows("faults")
	p.key(".")
	p.says(".clock-card", "no journey changed")
	require.Equal(t, time.Minute, now().Sub(before))
	p.says(".paused", "the world's clock is stopped")
	p.isAccessible("a paused world")
	p.press(".paused button", "Let it run")
	p.until(`!document.querySelector(".paused")`)
	require.InDelta(t, 60, speed(), 0)
	p.key(" ")
	p.says("header .clock", "stands still")
	p.key(" ")
	p.says("header .clock", "×60")
	require.InDelta(t, 60, speed(), 0)
}

// An invalid request is listed too. It does not break the list, and its size in the page is bounded.
func TestInvalidRequestsAreListed(t *testing.T) {
	t.Parallel()
	s := serve(t, "serve", "--log", "off")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/odd", strings.NewReader("{}"))
	require.NoError(t, err)
	r.Host = "localhost:none" // of which no address can be made
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	p := open(t, s, "/console/requests")
	p.says(".call-list li", "POST /odd")
	require.LessOrEqual(t, get[int](p, `import("/console/screens/wire.js").then((m) =>
		Math.max(...m.layOut(JSON.stringify({ ["k".repeat(100_000)]: Array(1000).fill(0) })).map((l) => l.at.length)))`), 2000)
}

// A fault affects requests while it is on, and no longer once it is off.
func TestFaultAffectsRequestsWhileOn(t *testing.T) {
	t.Parallel()
	s := serve(t, "serve", "--log", "off")
	config := func() int {
		status, _, _ := s.ask(http.MethodPost, "/config", map[string]any{})
		return status
	}
	p := open(t, s, "/console/faults")
	p.click(`[data-test="fault-status"] [role="switch"]`)
	p.says("header .chip", "1 fault on")
	require.Equal(t, http.StatusInternalServerError, config())

	p.press(`[data-test^="rule-"] a`, "hit 1")
	p.shows("requests")
	p.says("main li", "fault f-1")
	p.press("main li a", "request ok") // the request: that it was answered so is not its caller's fault
	p.says("main", "answer")
	require.Contains(t, get[string](p, "location.search"), "id=1")

	p.key("5")
	p.shows("faults")
	p.press(`[data-test^="rule-"] button`, "Off")
	p.until(`!document.querySelector("header .chip")`)
	require.Equal(t, http.StatusOK, config())
}

// A fault rule can be made from a request.
func TestFaultIsMadeFromARequest(t *testing.T) {
	t.Parallel()
	s := serve(t, "serve", "--log", "off")
	s.call(http.MethodPost, "/user", map[string]any{"phoneNumber": caller})
	p := open(t, s, "/console/requests?id=1")
	p.press("main a, main button", "Make this a fault")
	p.shows("faults")
	p.until(`document.querySelector('[data-test="fault-form"]')`)
	p.isAccessible("the form of a fault")
	get[bool](p, `(() => { const s = document.querySelector("#f-kind"); s.value = "hang"; return s.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	p.press(`[data-test="fault-form"] button`, "Make it go wrong")
	p.says(`[data-test^="rule-"]`, "/user, of ••• 001")
}
