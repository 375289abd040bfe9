//go:build browser

package browsertest

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// A check of the page's own server runs to its end, and its reports can be downloaded. A verdict has its evidence, and the
// HTML report opens as a page of its own.
func TestCheckScreenRunsACheck(t *testing.T) {
	t.Parallel()
	s := serve(t, "serve", "--log", "off")
	p := open(t, s, "/console/check")
	kept := p.downloads()
	p.click(`input[name="scope"][value="quick"]`)
	p.click(`[data-test="start"]`)
	p.until(`document.querySelector('[data-test="counts"] .n')`)
	p.says(`[data-test="verdict"]`, "exit code 0")
	require.Contains(t, get[string](p, `document.querySelector('[data-test="counts"]').innerText`), "passed")

	p.isAccessible("a check that is over")

	saves := get[[]string](p, `[...document.querySelectorAll('[data-test^="save-"]')].map((e) => e.dataset.test)`)
	require.GreaterOrEqual(t, len(saves), 3)
	for i, save := range saves {
		p.click(`[data-test="` + save + `"]`)
		require.Eventually(t, func() bool {
			part, _ := filepath.Glob(filepath.Join(kept, "*.crdownload"))
			all, err := os.ReadDir(kept)
			return err == nil && len(all) == i+1 && len(part) == 0
		}, patience, 20*time.Millisecond, save)
	}
	all, err := filepath.Glob(filepath.Join(kept, "*"))
	require.NoError(t, err)
	for _, file := range all {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NotEmpty(t, text, file)
	}
	require.Empty(t, s.call(http.MethodGet, "/_control/v1/requests", nil)["requests"], "the check had a world of its own")

	p.press(".tile", "✓BOK-01")
	p.says(`[data-test="evidence"]`, "POST "+s.url)
	p.isAccessible("a verdict")
	p.visit("/console/checks/1/report?as=html")
	p.says("body", "Every MUST")
}

// downloads has the tab keep what it downloads in a folder, and returns that.
func (p *tab) downloads() string {
	p.t.Helper()
	dir := p.t.TempDir()
	_, err := chromedp.CallBrowser(p.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: "allow", DownloadPath: dir, BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID,
	})
	require.NoError(p.t, err)
	return dir
}

// An address that cannot be checked is reported with what to do.
func TestWrongAddressIsReported(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "serve", "--log", "off"), "/console/check")
	p.write(`[data-test="url"]`, "http://127.0.0.1:1")
	p.click(`[data-test="start"]`)
	p.says(`[data-test="trouble"]`, "start the server, or check the port")
	p.write(`[data-test="url"]`, "https://dispatch.example")
	p.says("label.away", "another machine")
	p.until(`document.querySelector('[data-test="start"]').disabled`)
}
