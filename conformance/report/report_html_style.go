package report

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
)

// dress gives the page its style and its script, and forbids the browser
// everything else: should a text of a server's ever be taken for markup, it
// fetches and runs nothing.
func (p *page) dress() {
	style := look + pageStyle + p.widths()
	p.Style, p.Script = template.CSS(style), template.JS(pageScript) //nolint:gosec // both are ours
	p.Policy = fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'", sourceOf(style), sourceOf(pageScript))
}

// sourceOf names a style or a script by its hash.
func sourceOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// widths is the style of the bars: a class for each number in them, as the policy
// allows no style at an element.
func (p *page) widths() string {
	numbers := map[int]bool{}
	take := func(s conformance.Score, seen int) {
		for _, n := range []int{s.Pass, s.Warn, s.Fail, s.Known, s.NotVerified, seen} {
			numbers[n] = true
		}
	}
	for _, row := range p.Levels {
		take(row.Score, 0)
	}
	for _, row := range p.Table {
		for _, c := range row.Cells {
			take(c.Score, c.Seen)
		}
	}
	for _, row := range p.Clauses {
		take(row.Score, row.Seen)
	}
	var b strings.Builder
	for _, n := range slices.Sorted(maps.Keys(numbers)) {
		if n > 0 {
			fmt.Fprintf(&b, ".n%d{flex:%d}", n, n)
		}
	}
	return b.String()
}
