//go:build browser

package browsertest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// view is something that the console shows, and how to get there.
type view struct {
	name  string
	path  string
	parts []string   // selectors of what must be visible
	then  func(*tab) // what else there is to do; nil: nothing
}

// views are what a town shows in which much goes on.
func views(w *busyTown) []view {
	return []view{
		{name: "live", path: "/console/live", parts: []string{".map canvas", ".legend li", ".board [data-journey]"}},
		{name: "live-journey", path: "/console/live?journey=" + w.journey, parts: []string{
			`[data-test="journey"] h2`, `[data-test="journey"] .calls a`, `[data-test="journey"] button`,
		}},
		{name: "journeys", path: "/console/journeys", parts: []string{".filter input", "[aria-label=HELD] [data-card]", "[aria-label=COMPLETE] [data-card]"}},
		{name: "requests", path: "/console/requests", parts: []string{".filter input", "main li [data-id]", "main li .verdict"}},
		{name: "requests-call", path: "/console/requests?id=" + w.wrong, parts: []string{".one-call .title", ".one-call button"}},
		{name: "phone", path: "/console/phone", parts: []string{"main h2, main p"}}, // there is no platform in this town
		{name: "faults", path: "/console/faults", parts: []string{"main form", ".tools button", ".counts"}},
		{name: "check", path: "/console/check", parts: []string{`[data-test="url"]`, `[data-test="start"]`}},
		{name: "help", path: "/console/live", parts: []string{"dialog[open] kbd"}, then: func(p *tab) {
			p.key("?")
			p.until(`document.querySelector("dialog[open]")`)
		}},
	}
}

// TestViewsFitAndAreAccessible looks at each view at a desk and on a phone, in both colours: its parts are
// there, nothing is wider than the window, and axe-core finds nothing.
func TestViewsFitAndAreAccessible(t *testing.T) {
	t.Parallel()
	w := newBusyTown(t)
	for name, size := range map[string]size{"desk": desk, "phone": phone} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newTab(t, w.server)
			p.look("light", size)
			for _, v := range views(w) {
				p.shown(v)
				for _, part := range v.parts {
					p.until(fmt.Sprintf(`[...document.querySelectorAll(%s)].some((e) => e.checkVisibility() && e.getBoundingClientRect().width > 0)`, quoted(part)))
				}
				require.LessOrEqual(t, get[int64](p, `document.documentElement.scrollWidth`), size.width, v.name)
				p.isAccessible(v.name)
			}
		})
	}
}

// shown opens a view and waits until nothing of it is missing.
func (p *tab) shown(v view) {
	p.t.Helper()
	p.visit(v.path)
	p.until(`document.querySelector(".link.live") && document.querySelector("main.screen") && !document.querySelector(".loading")`)
	p.until(`!document.querySelector("main.on-live") || document.querySelector(".legend li")`) // it is told once a second where the cars are
	p.settled()
	if v.then != nil {
		v.then(p)
		p.settled()
	}
}

// settled waits until what is shown has not changed for a while: what it was made of has
// been read.
func (p *tab) settled() {
	p.t.Helper()
	get[bool](p, `(async () => {
		const quiet = 300, most = 10_000, began = performance.now();
		let last = began;
		const see = new MutationObserver(() => { last = performance.now(); });
		see.observe(document.body, { childList: true, subtree: true, characterData: true });
		while (performance.now() - last < quiet && performance.now() - began < most) await new Promise((drawn) => setTimeout(drawn, 30));
		see.disconnect();
		await document.fonts.ready;
		return true;
	})()`)
}

// busyTown is a world in which much goes on, the same in every run: its clock stands.
type busyTown struct {
	*server
	user    string // who has booked
	journey string // with a taxi on its way
	wrong   string // the id of a call that is judged wrong
}

// caller is the number of a user of every world.
const caller = "442079460001"

// newBusyTown starts a town of its own with forty minutes of history at noon.
func newBusyTown(t *testing.T) *busyTown {
	t.Helper()
	w := &busyTown{server: serve(t, "serve", "--log", "off", "--cars", "60", "--demand", "town")}
	w.call("POST", "/_control/v1/reset", map[string]any{"now": "2026-06-15T11:20:00Z", "seed": 1})
	w.call("PUT", "/_control/v1/clock", map[string]any{"mode": "manual", "callers": "world"})
	w.call("POST", "/_control/v1/clock/advance", map[string]any{"to": "2026-06-15T12:00:00Z"})
	w.journey = w.book("2026-06-15T12:00:00Z")
	w.call("POST", "/_control/v1/clock/advance", map[string]any{"until": map[string]any{"journey": w.journey, "status": "ARRIVED"}})
	w.call("POST", "/status", map[string]any{"journeyId": w.journey, "userId": w.user})
	w.tryWrong()
	w.call("POST", "/_control/v1/faults", map[string]any{"match": map[string]any{"op": "cancel"}, "do": map[string]any{"kind": "status", "status": 503}})
	return w
}

// book books a taxi as a platform does, and returns its journey.
func (w *busyTown) book(at string) string {
	w.t.Helper()
	w.user, _ = w.call("POST", "/user", map[string]any{"phoneNumber": caller})["userId"].(string)
	places, _ := w.call("GET", "/places", nil)["places"].([]any)
	require.Greater(w.t, len(places), 3)
	booked := w.call("POST", "/book", map[string]any{
		"userId": w.user, "name": "Ann Other", "phoneNumber": caller, "pickup": places[1], "dropoffs": places[3:4], "pickupTime": at,
	})
	journey, _ := booked["journeyId"].(string)
	require.NotEmpty(w.t, journey)
	return journey
}

// tryWrong makes a call that no rule allows, and keeps its id.
func (w *busyTown) tryWrong() {
	w.t.Helper()
	status, header, _ := w.ask("POST", "/book", map[string]any{"name": 7, "phoneNumber": caller})
	require.GreaterOrEqual(w.t, status, 400)
	w.wrong = header.Get("X-Cabrank-Request")
	require.NotEmpty(w.t, w.wrong)
}

// axe is Deque's axe-core as it was published (Mozilla Public License 2.0). It is used in
// tests only.
func axe(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/axe/axe.json")
	require.NoError(t, err)
	var published struct{ SHA256 string }
	require.NoError(t, json.Unmarshal(text, &published))
	script, err := os.ReadFile("testdata/axe/axe.min.js")
	require.NoError(t, err)
	sum := sha256.Sum256(script)
	require.Equal(t, published.SHA256, hex.EncodeToString(sum[:]))
	return string(script)
}

func TestAxeMatchesPublishedChecksum(t *testing.T) { axe(t) }

// violation is what axe-core finds against a rule.
type violation struct {
	ID, Impact, Help string
	Nodes            []struct{ HTML, FailureSummary string }
}

func (v violation) String() string {
	text := fmt.Sprintf("%s (%s): %s", v.ID, v.Impact, v.Help)
	for i, n := range v.Nodes {
		if i == 6 {
			return text + fmt.Sprintf("\n  and %d more", len(v.Nodes)-i)
		}
		text += fmt.Sprintf("\n  %.200s\n    %s", n.HTML, n.FailureSummary)
	}
	return text
}

// What axe-core looks for: violations of WCAG 2.2, levels A and AA, and those of its rules
// that depend on colours.
const (
	allRules    = `{ type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }`
	colourRules = `{ type: "rule", values: ["color-contrast", "link-in-text-block"] }`
)

// violations has axe-core look for violations of some of its rules.
func (p *tab) violations(rules string) []violation {
	p.t.Helper()
	if !get[bool](p, `"axe" in window`) {
		p.do(chromedp.Evaluate[chromedp.Void](axe(p.t)))
	}
	return get[[]violation](p, `axe.run(document, { runOnly: `+rules+`, resultTypes: ["violations"],
	}).then((found) => found.violations.map(({ id, impact, help, nodes }) => ({ ID: id, Impact: impact, Help: help,
		Nodes: nodes.map((n) => ({ HTML: n.html, FailureSummary: n.failureSummary })) })))`)
}

// isAccessible fails the test for whatever axe-core finds in what is shown now, in both
// colours. It leaves the page light.
func (p *tab) isAccessible(what string) {
	p.t.Helper()
	for _, look := range []struct{ colours, rules string }{{"dark", colourRules}, {"light", allRules}} {
		p.colours(look.colours)
		for _, found := range p.violations(look.rules) {
			p.t.Errorf("%s, %s: %s", what, look.colours, found)
		}
	}
}

func TestAxeFindsPlantedViolations(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "serve", "--log", "off"), "/console/check")
	get[bool](p, `document.querySelector("main").append(document.createElement("button")) === undefined`)
	found := p.violations(allRules)
	require.Len(t, found, 1)
	require.Equal(t, "button-name", found[0].ID)
	get[bool](p, `(text => {
		text.append("Hard to read");
		Object.assign(text.style, { color: "#777", background: "#666" });
		document.querySelector("main").append(text);
		return true;
	})(document.createElement("p"))`)
	found = p.violations(colourRules)
	require.Len(t, found, 1)
	require.Equal(t, "color-contrast", found[0].ID)
}
