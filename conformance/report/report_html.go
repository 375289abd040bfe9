package report

import (
	_ "embed" // the page's style and script
	"fmt"
	"io"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/cabrank/cabrank/conformance"
)

// The parts of the page, which is one file without external resources.
var (
	//go:embed page/look.css
	look string
	//go:embed page/report.css
	pageStyle string
	//go:embed page/report.js
	pageScript string
)

// Look returns the style sheet shared by all pages of Cabrank: colours for light and dark
// mode, fonts, and common parts. The attribute data-theme="light" or "dark" of a page's root
// overrides the system's mode.
func Look() string { return look }

// glyphs accompany the colours, so that no information depends on colour alone.
var glyphs = map[conformance.Outcome]string{conformance.Pass: "✓", conformance.Fail: "✗", conformance.Warn: "!", conformance.Flaky: "~", conformance.Seen: "◦", conformance.NotVerified: "–", conformance.Broken: "?"}

// page is a run with the data of the page's sections.
type page struct {
	*conformance.RunFile
	Table    []operationRow
	Clauses  []clauseRow
	Verdicts []verdict
	Causes   []causeCard // section "What is wrong"
	Urgent   []verdict   // section "What else to look at"
	Untested []untestedLine
	Spec     []specSection
	Open     []openRow
	Boards   []board
	Spoken   []spoken
	Shown    []shownCall
	Left     int // calls whose bodies are only in the run file
	rules    map[string]conformance.Check
}

// WriteHTML writes the run as one self-contained HTML page.
func WriteHTML(w io.Writer, f *conformance.RunFile) error {
	if err := newPage(f).node().Render(w); err != nil {
		return fmt.Errorf("write HTML: %w", err)
	}
	return nil
}

func newPage(f *conformance.RunFile) *page {
	verdicts := f.VerdictsByCall()
	worst := worstByCall(verdicts)
	p := &page{RunFile: f, Boards: boardsOf(f, worst), rules: f.ChecksByID()}
	p.score()
	p.judge()
	p.specify()
	p.speak()
	p.showCalls(verdicts, worst)
	return p
}

func (p *page) node() g.Node {
	sections := []g.Node{p.first(), p.summary(), p.checks(), p.specification(), p.drawings(), p.transcripts(), p.calls(), p.about()}
	return h.Doctype(h.HTML(h.Lang("en"), p.head(),
		h.Body(p.banner(), p.nav(), h.Main(class("wrap"), g.Group(sections)), h.Script(g.Raw(pageScript)))))
}
