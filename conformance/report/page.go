package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"

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
	//go:embed page/report.gohtml
	pageFile embed.FS
)

// pageTemplate is page/report.gohtml with the functions that it calls.
var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("report.gohtml").Funcs(template.FuncMap{
		"anchor": anchor, "graves": gravesOf, "columns": func() []conformance.Level { return columns }, "cure": cureOf, "message": messageOf, "ordinal": ordinal,
		"glyph":    func(o conformance.Outcome) string { return glyphs[o] },
		"sentence": sentence, "stepCure": stepCure, "title": title, "words": conformance.WordList,
	}).ParseFS(pageFile, "page/report.gohtml"))
})

// Look returns the style sheet shared by all pages of Cabrank: colours for light and dark
// mode, fonts, and common parts. The attribute data-theme="light" or "dark" of a page's root
// overrides the system's mode.
func Look() string { return look }

// glyphs accompany the colours, so that no information depends on colour alone.
var glyphs = map[conformance.Outcome]string{conformance.Pass: "✓", conformance.Fail: "✗", conformance.Warn: "!", conformance.Flaky: "~", conformance.Seen: "◦", conformance.NotVerified: "–", conformance.Broken: "?"}

// page is a run with the data of the page's sections.
type page struct {
	*conformance.RunFile
	Dials    []dial
	Table    []operationRow
	Clauses  []clauseRow
	Offers   []offer
	NotTried []string
	Verdicts []verdict
	Causes   []causeCard // section "What is wrong"
	Urgent   []verdict   // section "What else to look at"
	Untested []untestedLine
	Spec     []specSection
	Open     []openRow
	Boards   []board
	Spoken   []spoken
	Shown    []shownCall
	Left     int // number of calls whose bodies are only in the run file
	rules    map[string]conformance.Check
}

// WriteHTML writes the run as one self-contained HTML page.
func WriteHTML(w io.Writer, f *conformance.RunFile) error {
	out := transform.NewWriter(w, runes.Map(shown))
	if err := errors.Join(pageTemplate().Execute(out, newPage(f)), out.Close()); err != nil {
		return fmt.Errorf("write HTML: %w", err)
	}
	return nil
}

func newPage(f *conformance.RunFile) *page {
	verdicts := f.VerdictsByCall()
	worst := worstByCall(verdicts)
	p := &page{RunFile: f, Boards: boardsOf(f, worst), NotTried: notTried(&f.Report), rules: f.ChecksByID()}
	p.score()
	p.judge()
	p.addClauseResults()
	p.addConversations()
	p.showCalls(verdicts, worst)
	return p
}

// Script returns the script of the page.
func (p *page) Script() template.JS { return template.JS(pageScript) } //nolint:gosec // it is a file of the program

// Style returns the style of the page. The bars have a class for each number, since the policy allows no inline styles.
func (p *page) Style() template.CSS {
	var b strings.Builder
	b.WriteString(look + pageStyle)
	for n := range p.Checks {
		fmt.Fprintf(&b, ".n%d{flex:%d}", n+1, n+1)
	}
	return template.CSS(b.String()) //nolint:gosec // files of the program, and numbers
}

// Policy returns the Content-Security-Policy. It allows only the page's style and script: if text from a
// server were ever parsed as markup, it could neither fetch nor run anything.
func (p *page) Policy() string {
	return fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'", sourceOf(string(p.Style())), sourceOf(pageScript))
}

// sourceOf returns the hash source of a style or script for the policy.
func sourceOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Tone returns the colour of the banner: "pass", "warn" or "fail".
func (p *page) Tone() string {
	good, must := p.ExitCode() == conformance.ExitPass, p.Summary.Levels[conformance.Must]
	switch {
	case p.Interrupted || good && (must.NotVerified-p.Omitted()+must.Known > 0 || p.Scope() != ""):
		return "warn"
	case good:
		return "pass"
	}
	return "fail"
}

// anchor makes an element id from texts.
func anchor(parts ...any) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, strings.TrimSuffix(fmt.Sprintln(parts...), "\n"))
}
