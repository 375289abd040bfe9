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
func TestCallsAreFollowedAndRead(t *testing.T) {
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
func TestJSONIsLaidOutAsItWasSent(t *testing.T) {
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

// Keys stop and advance the clock on every screen.
func TestClockIsHeldByKeys(t *testing.T) {
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
	p.key(" ")
	p.says("header .clock", "×60")
	require.InDelta(t, 60, speed(), 0)
}

// An invalid request is listed too. It does not break the list, and its size in the page is bounded.
func TestOddCallsAreShown(t *testing.T) {
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
