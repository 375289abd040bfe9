//go:build browser

package browsertest

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/memory"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// needMeasure skips what prints figures and holds none: they hang on the machine.
func needMeasure(t *testing.T) {
	t.Helper()
	if os.Getenv("MEASURE") == "" {
		t.Skip("MEASURE=1 measures")
	}
	needBrowser(t)
}

// part is the value below which a part of the values is.
func part(of float64, values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, int(of*float64(len(sorted))))]
}

// wait lets a span of the wall pass: what is measured over it needs it.
func wait(t *testing.T, span time.Duration) {
	t.Helper()
	select {
	case <-time.After(span):
	case <-t.Context().Done():
	}
}

// moves lets things move in a tab, as for most people.
func (p *tab) moves() {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: "light"}, {Name: "prefers-reduced-motion", Value: "no-preference"},
	}})
	require.NoError(p.t, err)
}

// noteWhenUsable notes in a page when its screen is drawn and it hears of the world.
const noteWhenUsable = `new MutationObserver((_, see) => {
	if (!document.querySelector(".link.live") || !document.querySelector("main.screen") || document.querySelector(".loading")) return;
	window.usableAt = performance.now();
	see.disconnect();
}).observe(document, { childList: true, subtree: true, attributes: true });`

// TestMeasureFirstPaint prints when a page is painted that this browser has never seen, and
// when it can be used.
func TestMeasureFirstPaint(t *testing.T) {
	needMeasure(t)
	s := serve(t, "serve", "--log", "off")
	for _, screen := range screens {
		var painted, usable []float64
		for range 5 {
			p := newTab(t, s)
			_, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: noteWhenUsable})
			require.NoError(t, err)
			p.visit("/console/" + screen)
			p.until(`window.usableAt && performance.getEntriesByName("first-contentful-paint").length`)
			painted = append(painted, get[float64](p, `performance.getEntriesByName("first-contentful-paint")[0].startTime`))
			usable = append(usable, get[float64](p, `window.usableAt`))
			require.NoError(t, chromedp.Cancel(p.ctx))
		}
		t.Logf("%-8s first contentful paint %4.0f ms, usable %4.0f ms (medians of %d; the worst %.0f and %.0f)",
			screen, part(0.5, painted), part(0.5, usable), len(painted), part(1, painted), part(1, usable))
	}
}

// TestMeasureServer prints what a server of 200 cars needs without a console and with one.
func TestMeasureServer(t *testing.T) {
	needMeasure(t)
	const span = 20 * time.Second
	s := serve(t, "serve", "--log", "off", "--cars", "200", "--demand", "town")
	busy := func() float64 {
		before := s.processorTime()
		wait(t, span)
		return 100 * (s.processorTime() - before).Seconds() / span.Seconds()
	}
	alone := busy()
	p := open(t, s, "/console/live")
	p.moves()
	p.settled()
	with := busy()
	t.Logf("200 cars over %s: %.2f %% of a core without a console, %.2f %% with one open on Live", span, alone, with)
}

// TestMeasureSilentCaller prints what a caller costs the server who says nothing into the microphone of a browser: of
// the seconds between the end of a prompt and its repetition.
func TestMeasureSilentCaller(t *testing.T) {
	needMeasure(t)
	needPrograms(t)
	const span = 6 * time.Second
	s := serve(t, "demo", "--no-open", "--speed", "1", "--demand", "none")
	p := hearing(t, s, "/console/phone?from=442079460021", soundFile(t, silence(60)))
	busy := func() float64 {
		before := s.processorTime()
		wait(t, span)
		return 100 * (s.processorTime() - before).Seconds() / span.Seconds()
	}
	wait(t, 30*time.Second) // until the demo's own call is over
	alone := busy()
	p.click(`[data-test="speak"]`)
	p.says(`[data-test="transcript"]`, "Where")
	wait(t, 3*time.Second) // the greeting
	t.Logf("%.2f %% of a core with the page open, %.2f %% during a call that is silent", alone, busy())
}

// processorTime is what the server's process has had of the processors (Linux).
func (s *server) processorTime() time.Duration {
	s.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.Cmd.Process.Pid))
	require.NoError(s.t, err)
	_, after, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(after)
	var ticks int
	for _, f := range fields[11:13] { // utime and stime
		n, err := strconv.Atoi(f)
		require.NoError(s.t, err)
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond // a tick is a hundredth of a second on every Linux
}

// spent is what the browser counts of a tab, durations in seconds.
func (p *tab) spent() map[string]float64 {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, performance.Enable, performance.EnableParams{})
	require.NoError(p.t, err)
	told, err := chromedp.Call(p.ctx, performance.GetMetrics, cdp.Empty{})
	require.NoError(p.t, err)
	all := map[string]float64{}
	for _, m := range told.Metrics {
		all[m.Name] = m.Value
	}
	return all
}

// TestMeasureFrames prints how far apart the frames are that Live draws, by the number of
// cars.
func TestMeasureFrames(t *testing.T) {
	needMeasure(t)
	for _, row := range []struct{ cars, speed string }{{"40", "1"}, {"200", "1"}, {"2000", "1"}, {"2000", "10"}} {
		s := serve(t, "serve", "--log", "off", "--cars", row.cars, "--demand", "city", "--speed", row.speed)
		s.call("POST", "/_control/v1/clock/advance", map[string]any{"by": "30m"})
		p := open(t, s, "/console/live")
		p.expect("net::ERR_") // at the end
		p.moves()
		p.settled()
		before := p.spent()
		apart := get[[]float64](p, `new Promise((done) => {
			const apart = [];
			let last = performance.now();
			const began = last;
			requestAnimationFrame(function frame() {
				const now = performance.now();
				apart.push(now - last);
				last = now;
				now - began < 10_000 ? requestAnimationFrame(frame) : done(apart);
			});
		})`)
		after := p.spent()
		t.Logf("%4s cars at ×%s: frames %.1f ms apart in the middle, p95 %.1f ms, the worst %.0f ms, over 10 s; the page's own scripts take %.1f ms of each, all its work %.1f ms",
			row.cars, row.speed, part(0.5, apart), part(0.95, apart), part(1, apart),
			1000*(after["ScriptDuration"]-before["ScriptDuration"])/float64(len(apart)), 1000*(after["TaskDuration"]-before["TaskDuration"])/float64(len(apart)))
		s.Stop()
		require.NoError(t, chromedp.Cancel(p.ctx))
	}
}

var (
	minutes = flag.Int("minutes", 2, "how long TestMeasureGrowth measures")
	screen  = flag.String("screen", "live", "the screen that TestMeasureGrowth opens")
)

// TestMeasureGrowth prints what a page needs after a forced collection, again and again while
// it is open on a world that runs a hundred times as fast as the wall: -minutes says how
// long, -screen what is open.
func TestMeasureGrowth(t *testing.T) {
	needMeasure(t)
	s := serve(t, "serve", "--log", "off", "--cars", "100", "--demand", "town", "--speed", "100")
	p := open(t, s, "/console/"+*screen)
	p.moves()
	for at := range 4**minutes + 1 {
		if at > 0 {
			wait(t, 15*time.Second)
		}
		for range 2 { // what a finaliser lets go is collected by the second
			_, err := chromedp.Call(p.ctx, heapprofiler.CollectGarbage, cdp.Empty{})
			require.NoError(t, err)
		}
		heap, err := chromedp.Call(p.ctx, runtime.GetHeapUsage, cdp.Empty{})
		require.NoError(t, err)
		nodes, err := chromedp.Call(p.ctx, memory.GetDOMCounters, cdp.Empty{})
		require.NoError(t, err)
		t.Logf("%s after %3d s: heap %.2f MB, %d nodes, %d listeners, %d journeys known", *screen, at*15, heap.UsedSize/1e6, nodes.Nodes, nodes.JsEventListeners,
			get[int](p, `import("/console/world.js").then((w) => w.journeys.get().size)`))
	}
}
