//go:build browser

package browsertest

import "testing"

// A verdict has its evidence, and the HTML report opens as a page of its own.
func TestVerdictIsOpened(t *testing.T) {
	t.Parallel()
	s := serve(t, "serve", "--log", "off")
	p := open(t, s, "/console/check")
	p.press("label", "Quick")
	p.click(`[data-test="start"]`)
	p.until(`document.querySelector('[data-test="run"]')?.dataset.state === "done"`)

	p.press(".tile", "✓BOK-01")
	p.says(`[data-test="evidence"]`, "POST "+s.url)
	p.isAccessible("a verdict")
	p.visit("/console/checks/1/report?as=html")
	p.says("body", "Every MUST")
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
