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

func TestAxeIsWhatWasPublished(t *testing.T) { axe(t) }

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

func TestAxeFindsWhatIsWrong(t *testing.T) {
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
