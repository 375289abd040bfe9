package report

import (
	_ "embed" // the page's style and script
	"fmt"
	"io"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/cabrank/cabrank/conformance"
)

// The page: one file, with nothing fetched from anywhere.
var (
	//go:embed page/look.css
	look string
	//go:embed page/report.css
	pageStyle string
	//go:embed page/report.js
	pageScript string
)

// Look is the style sheet that every page of Cabrank begins with: colours for light and
// dark, type, and the parts that pages share. A page whose root has the attribute
// data-theme="light" or "dark" does not ask the reader's system.
func Look() string { return look }

// glyphs stand beside colours, so that nothing is told by colour alone.
var glyphs = map[conformance.Outcome]string{conformance.Pass: "✓", conformance.Fail: "✗", conformance.Warn: "!", conformance.Flaky: "~", conformance.Seen: "◦", conformance.NotVerified: "–", conformance.Broken: "?"}

// page is a run with what its sections show.
type page struct {
	*conformance.RunFile
	Table    []operationRow
	Clauses  []clauseRow
	Verdicts []verdict
	Causes   []causeCard // what is wrong
	Urgent   []verdict   // what else to look at
	Untested []untestedLine
	Spec     []specSection
	Open     []openRow
	Boards   []board
	Spoken   []spoken
	Shown    []shownCall
	Left     int // calls whose bodies are left to the run file
	rules    map[string]conformance.Check
}

// WriteHTML writes the run as one HTML page that needs nothing else.
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
