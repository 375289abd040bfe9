//go:build browser

package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	browserlog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// tab is one page in a browser that knows nothing of others, and what went wrong in it.
type tab struct {
	t      *testing.T
	ctx    context.Context
	origin string

	mu      sync.Mutex
	wrong   []string
	allowed []string
}

// size is that of a window in CSS pixels.
type size struct{ width, height int64 }

var (
	desk  = size{1400, 900}
	phone = size{390, 800}
)

// screenOf is the screen that a path names.
var screenOf = regexp.MustCompile(`^/console/(\w+)`)

// open shows a path of the server in a new tab, at a desk's size in light colours, and
// waits until the page is connected to the world and its screen is there.
func open(t *testing.T, s *server, path string) *tab {
	t.Helper()
	needBrowser(t)
	return openIn(t, shared.browser, s, path)
}

// openIn is open in another browser than the usual one.
func openIn(t *testing.T, browser context.Context, s *server, path string) *tab {
	t.Helper()
	p := newTabIn(t, browser, s)
	p.visit(path)
	p.until(`document.querySelector(".link.live")`)
	if screen := screenOf.FindStringSubmatch(path); screen != nil {
		p.shows(screen[1])
	}
	return p
}

// newTab makes a tab that shows nothing yet.
func newTab(t *testing.T, s *server) *tab {
	t.Helper()
	needBrowser(t)
	return newTabIn(t, shared.browser, s)
}

func newTabIn(t *testing.T, browser context.Context, s *server) *tab {
	t.Helper()
	p := &tab{t: t, origin: s.url}
	if s.alone {
		p.expect("404 (Not Found) " + s.url + "/console/platform/") // which is how a page learns that
	}
	ctx, closeIt := chromedp.NewContext(browser, chromedp.WithNewBrowserContext(), chromedp.WithListener(p.watch))
	p.ctx = ctx
	require.NoError(t, chromedp.Do(ctx))
	t.Cleanup(func() {
		if t.Failed() {
			p.keep("failed")
		}
		closeIt()
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, w := range p.wrong {
			t.Error(w)
		}
	})
	_, err := chromedp.Call(ctx, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "UTC"})
	require.NoError(t, err)
	_, err = chromedp.Call(ctx, emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: "en-GB"})
	require.NoError(t, err)
	p.look("light", desk)
	return p
}

// more makes another tab of the same browser, which runs a script before each page's own.
func (p *tab) more(script string) *tab {
	p.t.Helper()
	another := &tab{t: p.t, origin: p.origin, allowed: p.allowed}
	ctx, closeIt := chromedp.NewContext(p.ctx, chromedp.WithListener(another.watch))
	another.ctx = ctx
	p.t.Cleanup(closeIt)
	require.NoError(p.t, chromedp.Do(ctx))
	_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
	require.NoError(p.t, err)
	return another
}

// watch notes what a page must not do. The browser calls it for each event.
func (p *tab) watch(event any) {
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if to := e.Request.URL; !strings.HasPrefix(to, p.origin+"/") && !strings.HasPrefix(to, "data:") && !strings.HasPrefix(to, "blob:"+p.origin+"/") {
			p.note("the page asks another server: " + to)
		}
	case *network.EventWebSocketCreated:
		socket := strings.Replace(p.origin, "http", "ws", 1)
		if !strings.HasPrefix(e.URL, socket+"/console/platform/sim/v1/lines?") && e.URL != socket+"/api/line" {
			p.note("the page opens a socket: " + e.URL)
		}
	case *browserlog.EventEntryAdded:
		if e.Entry.Level == browserlog.EntryLevelError || e.Entry.Source == "security" {
			p.note(fmt.Sprintf("the browser complains (%s): %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
		}
	case *runtime.EventExceptionThrown:
		d := e.ExceptionDetails
		text := d.Text
		if d.Exception != nil {
			text += " " + d.Exception.Description
		}
		p.note(fmt.Sprintf("nobody catches this: %s (%s:%d)", text, d.URL, d.LineNumber))
	case *runtime.EventConsoleAPICalled:
		if e.Type == "error" || e.Type == "assert" {
			var said []string
			for _, a := range e.Args {
				said = append(said, a.Description+string(a.Value))
			}
			p.note("the page logs an error: " + strings.Join(said, " "))
		}
	}
}

// note keeps what went wrong, unless it had to be expected.
func (p *tab) note(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range p.allowed {
		if strings.Contains(what, a) {
			return
		}
	}
	p.wrong = append(p.wrong, what)
}

// expect ignores later complaints of the browser that contain a text.
func (p *tab) expect(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.allowed = append(p.allowed, text)
}

// do makes steps in the tab, each of which must succeed in time.
func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	require.NoError(p.t, chromedp.Do(ctx, steps...))
}

// visit shows a path of the server.
func (p *tab) visit(path string) {
	p.t.Helper()
	p.do(chromedp.Navigate(p.origin + path))
}

// look gives the page colours ("light" or "dark") and a size.
func (p *tab) look(colours string, s size) {
	p.t.Helper()
	p.colours(colours)
	p.do(chromedp.EmulateViewport(s.width, s.height))
}

// colours makes the system's colours "light" or "dark". Nothing is to move.
func (p *tab) colours(are string) {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: are}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}})
	require.NoError(p.t, err)
}

// get returns the value of a JavaScript expression, or what its promise resolves to.
func get[T any](p *tab, expression string) T {
	p.t.Helper()
	v, err := tryGet[T](p, expression)
	require.NoError(p.t, err, expression)
	return v
}

func tryGet[T any](p *tab, expression string) (v T, err error) {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// until waits until a JavaScript expression, or what it promises, is true. A page that is just being
// loaded has no answer yet.
func (p *tab) until(expression string) {
	p.t.Helper()
	deadline := time.Now().Add(patience)
	for look := time.NewTicker(25 * time.Millisecond); ; <-look.C {
		if is, err := tryGet[bool](p, "(async () => Boolean(await ("+expression+")))()"); err == nil && is {
			return
		}
		if time.Now().After(deadline) {
			text, _ := tryGet[string](p, "document.body.innerText")
			p.keep("waiting")
			require.FailNow(p.t, "never true: "+expression, "the page shows:\n%s", text)
		}
	}
}

// quoted is a text in JavaScript.
func quoted(text string) string {
	b, _ := json.Marshal(text) // every string can be
	return string(b)
}

// says waits until an element shows a text, in any case.
func (p *tab) says(selector, text string) {
	p.t.Helper()
	p.until(fmt.Sprintf(`[...document.querySelectorAll(%s)].some((e) => e.checkVisibility() && e.innerText.toLowerCase().includes(%s))`,
		quoted(selector), quoted(strings.ToLower(text))))
}

// click waits for the element that a selector finds, which must be visible, and clicks it
// with the mouse.
func (p *tab) click(selector string) {
	p.t.Helper()
	p.clickOn(fmt.Sprintf(`[...document.querySelectorAll(%s)]`, quoted(selector)), selector)
}

// press is click for an element whose text or label begins with a text: a button, a link or what else the selector
// finds.
func (p *tab) press(selector, text string) {
	p.t.Helper()
	p.clickOn(fmt.Sprintf(`[...document.querySelectorAll(%s)].filter((e) => [e.innerText, e.getAttribute("aria-label")].some((t) => t?.trim().toLowerCase().startsWith(%s)))`,
		quoted(selector), quoted(strings.ToLower(text))), selector+" "+text)
}

// clickOn clicks the first of elements that can be hit, once it stands still.
func (p *tab) clickOn(elements, what string) {
	p.t.Helper()
	const hit = `(async () => {
		const e = %s.find((e) => e.checkVisibility() && !e.disabled);
		if (!e) return null;
		e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
		const first = e.getBoundingClientRect();
		await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
		const now = e.getBoundingClientRect();
		if (first.x !== now.x || first.y !== now.y || !e.isConnected) return null;
		const x = now.x + now.width / 2, y = now.y + now.height / 2, top = document.elementFromPoint(x, y);
		return top && (e.contains(top) || top.contains(e)) ? [x, y] : null;
	})()`
	deadline := time.Now().Add(patience)
	for look := time.NewTicker(25 * time.Millisecond); ; <-look.C {
		if at, err := tryGet[[]float64](p, fmt.Sprintf(hit, elements)); err == nil && len(at) == 2 {
			p.do(chromedp.MouseClickXY(at[0], at[1]))
			return
		}
		if time.Now().After(deadline) {
			p.keep("clicking")
			require.FailNow(p.t, "cannot be clicked: "+what, get[string](p, "document.body.innerText"))
		}
	}
}

// write puts a text where it can be typed, in place of what is there.
func (p *tab) write(selector, text string) {
	p.t.Helper()
	p.click(selector)
	p.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)), chromedp.KeyEvent(text))
}

// key presses a key, with others held.
func (p *tab) key(key string, held ...chromedp.Modifier) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(held...)))
}

// keep writes what the tab shows to a file beside the test's results, where go test keeps
// those.
func (p *tab) keep(name string) {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(p.t.ArtifactDir(), name+".png"), picture, 0o600)
	}
	if err != nil {
		p.t.Log("there is no picture of it: ", err)
	}
}
