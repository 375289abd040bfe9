//go:build browser

package browsertest

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

// screens are the names in the address, in the order of their keys.
var screens = []string{"live", "journeys", "requests", "phone", "faults", "check"}

// shows waits until a screen is there, with all that it is made of.
func (p *tab) shows(screen string) {
	p.t.Helper()
	p.until(fmt.Sprintf(`location.pathname === "/console/%[1]s" && document.querySelector("main.on-%[1]s") && !document.querySelector(".loading")`, screen))
}

func TestNumberKeysOpenScreens(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "serve", "--log", "off"), "/console/")
	for i, name := range screens {
		p.key(fmt.Sprint(i + 1))
		p.shows(name)
		p.until(fmt.Sprintf(`document.querySelector('nav a[aria-current="page"]').getAttribute("aria-keyshortcuts") === "%d"`, i+1))
		require.NotEmpty(t, get[string](p, `document.querySelector("main").innerText.trim()`), name)
	}
	p.do(chromedp.NavigateBack())
	p.shows(screens[len(screens)-2])
}

func TestHelpAndCommandPaletteOpenByKey(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "serve", "--log", "off"), "/console/live")
	p.key("?")
	p.says("dialog[open]", "show Requests")
	p.key("3") // has no meaning while a window is open
	p.key(kb.Escape)
	p.until(`!document.querySelector("dialog")`)
	p.shows("live")

	p.key("k", chromedp.ModifierCtrl)
	p.until(`document.activeElement.matches("dialog input")`)
	p.do(chromedp.KeyEvent("phon"))
	p.says("dialog .choices", "Phone")
	p.key(kb.Enter)
	p.shows("phone")
	p.until(`!document.querySelector("dialog")`)
	p.key("k", chromedp.ModifierCtrl)
	p.until(`document.activeElement.matches("dialog input")`)
	p.do(chromedp.KeyEvent("harbour"))
	p.says("dialog .choices", "Go to Otterbridge Harbour")
	p.key(kb.Enter)
	p.shows("live")
	p.until(`new URLSearchParams(location.search).get("place") === "Otterbridge Harbour"`)
}

func TestChosenColourSchemeIsKept(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "serve", "--log", "off"), "/console/live")
	const background = `getComputedStyle(document.body).backgroundColor`
	light := get[string](p, background)
	p.look("dark", desk)
	dark := get[string](p, background)
	require.NotEqual(t, light, dark, "the page has the system's colours")
	p.press("header button", "Light colours")
	p.until(background + " === " + quoted(light))
	p.visit("/console/requests")
	p.shows("requests")
	require.Equal(t, light, get[string](p, background), "what was chosen is kept")
}

func TestScreensFitPhoneWidth(t *testing.T) {
	t.Parallel()
	s := serve(t, "demo", "--no-open")
	p := open(t, s, "/console/live")
	for _, name := range screens {
		p.look("light", size{360, 740})
		p.visit("/console/" + name)
		p.shows(name)
		for _, width := range []int64{360, 390, 768} {
			p.look("light", size{width, 740})
			wide := get[[]string](p, `[...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && document.documentElement.scrollWidth > innerWidth).map((e) => e.outerHTML.slice(0, 120))`)
			require.Empty(t, wide, "%s at %d", name, width)
			require.LessOrEqual(t, get[int64](p, `document.documentElement.scrollWidth`), width, "%s", name)
		}
	}
}

// It is not parallel: while the server is stopped, another test's could get its port.
func TestPageReconnectsAfterServerRestart(t *testing.T) {
	at := clitest.FreePort(t)
	s := serve(t, "serve", "--log", "off", "--listen", at)
	p := open(t, s, "/console/live")
	p.expect("net::ERR_") // the server is gone for a while
	s.Stop()
	p.says(".link.lost", "trying again")
	again := serve(t, "serve", "--log", "off", "--listen", at, "--seed", "7")
	require.Equal(t, s.url, again.url)
	p.until(`document.querySelector(".link.live")`)
	again.call("POST", "/_control/v1/scenarios/flaky/start", nil)
	p.says("header .chip", "fault")
}

// emulateNetwork takes a browser offline and informs its pages. The newer commands of cdproto do
// not do both.
var emulateNetwork = cdp.Command[map[string]any, cdp.Empty]{Method: "Network.emulateNetworkConditions"}

// A failed request is repeated when the browser is online again.
func TestPageRecoversAfterBeingOffline(t *testing.T) {
	t.Parallel()
	s := serve(t, "serve", "--log", "off")
	p := open(t, s, "/console/journeys")
	p.expect("net::ERR_INTERNET_DISCONNECTED")
	p.expect("Failed to fetch dynamically imported module")
	offline := func(is bool) {
		_, err := chromedp.Call(p.ctx, emulateNetwork, map[string]any{"offline": is, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
		require.NoError(t, err)
	}
	get[any](p, `import("/console/screens/live.js").then((m) => m.default.name)`)
	offline(true)
	p.key("1")
	p.says("main", "no response")
	offline(false)
	p.says(".legend", "40 free")
	p.press("header nav a", "Check")
	p.shows("check")
}

func TestPageAsksForTheControlToken(t *testing.T) {
	t.Parallel()
	s := serve(t, "serve", "--log", "off", "--control-token", "sesame")
	s.token = "sesame"
	p := newTab(t, s)
	p.expect("401")
	p.visit("/console/requests")
	p.says("main", "requires its token")
	p.isAccessible("the question for the token")
	p.write("main input", "wrong")
	p.key(kb.Enter)
	p.says("main", "requires its token")
	p.write("main input", "sesame")
	p.key(kb.Enter)
	p.until(`document.querySelector(".link.live")`)
	p.shows("requests")

	p = newTab(t, s)
	p.visit("/console/requests#token=sesame")
	p.until(`document.querySelector(".link.live")`)
	require.Equal(t, s.url+"/console/requests", get[string](p, "location.href"), "the token is not left in the address")
}

// Each of these violations would fail any test.
func TestPageViolationsAreDetected(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "serve", "--log", "off"), "/console/check")
	for planted, complaint := range map[string]string{
		`fetch("http://127.0.0.1:9/").catch(() => true)`:                                                             "violates",
		`document.body.append(Object.assign(document.createElement("script"), { textContent: "1" })) === undefined`:  "script-src",
		`document.body.insertAdjacentHTML("beforeend", "<p onclick='x()' style='color:red'>") === undefined`:         "style-src",
		`document.body.append(Object.assign(new Image(), { src: "http://pictures.example/one.png" })) === undefined`: "img-src",
		`console.error("planted") === undefined`:                                                                     "the page logs an error: \"planted\"",
		`Boolean(setTimeout(() => { throw new Error("planted"); }))`:                                                 "nobody catches this",
		`(navigator.sendBeacon("http://127.0.0.1:9/"), true)`:                                                        "connect-src",
	} {
		require.True(t, get[bool](p, planted), planted)
		require.Eventually(t, func() bool { return p.forget(complaint) }, patience, 10*time.Millisecond, planted)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wrong = nil // some are told of in two ways
}

// forget reports whether there is a complaint with a text, and forgets it.
func (p *tab) forget(text string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := len(p.wrong)
	p.wrong = slices.DeleteFunc(p.wrong, func(w string) bool { return strings.Contains(w, text) })
	return len(p.wrong) < before
}

// A browser has six connections to a server: all its tabs share one stream of events, with a
// SharedWorker and without.
func TestManyTabsShareOneStream(t *testing.T) {
	t.Parallel()
	s := serve(t, "serve", "--log", "off")
	for _, lacks := range []string{"nothing", "SharedWorker"} {
		t.Run("without "+lacks, func(t *testing.T) {
			p := newTab(t, s)
			first := p.more("delete window." + lacks)
			tabs := []*tab{first}
			for range 8 {
				tabs = append(tabs, p.more("delete window."+lacks))
			}
			for _, one := range tabs {
				one.visit("/console/requests")
				one.until(`document.querySelector(".link.live")`)
			}
			s.call("POST", "/_control/v1/scenarios/flaky/start", nil)
			for _, one := range tabs {
				one.says("header .chip", "fault")
			}
			require.NoError(t, chromedp.Cancel(first.ctx)) // which may have run it for the others
			s.call("DELETE", "/_control/v1/faults", nil)
			for _, one := range tabs[1:] {
				one.until(`document.querySelector(".link.live") && !document.querySelector("header .chip")`)
			}
		})
	}
}

// A server that is connected and does not answer is said to be silent, and is live again once it answers.
func TestUnresponsiveServerIsShownAsSilent(t *testing.T) {
	t.Parallel()
	s := serve(t, "serve", "--log", "off")
	p := open(t, s, "/console/live")
	require.NoError(t, s.Cmd.Process.Signal(syscall.SIGSTOP))
	defer func() { _ = s.Cmd.Process.Signal(syscall.SIGCONT) }()
	p.says(".link.silent", "no answer since")
	known := get[string](p, `document.querySelector(".clock time").innerText`)
	p.isAccessible("a server that does not answer")
	require.Equal(t, known, get[string](p, `document.querySelector(".clock time").innerText`), "nobody knows what time it is there")
	require.NoError(t, s.Cmd.Process.Signal(syscall.SIGCONT))
	p.until(`document.querySelector(".link.live")`)
}
