package apidoc

import (
	"html/template"
	"regexp"
	"strings"
)

var (
	code  = regexp.MustCompile("`([^`]+)`")
	bold  = regexp.MustCompile(`\*\*([^*]+)\*\*`)
	slant = regexp.MustCompile(`\*([^*\s]+)\*`)
)

// text turns the little Markdown that the documents use into HTML: paragraphs,
// lists, code and bold type.
func text(s string) template.HTML {
	var out strings.Builder
	for block := range strings.SplitSeq(strings.TrimSpace(s), "\n\n") {
		lines := strings.Split(strings.TrimSpace(block), "\n")
		if strings.HasPrefix(lines[0], "- ") {
			out.WriteString("<ul>" + strings.ReplaceAll("\n"+inline(block), "\n- ", "<li>") + "</ul>")
		} else if block != "" {
			out.WriteString("<p>" + inline(block) + "</p>")
		}
	}
	return template.HTML(out.String()) //nolint:gosec // it was escaped, and the documents are our own
}

func inline(s string) string {
	s = template.HTMLEscapeString(s)
	s = bold.ReplaceAllString(code.ReplaceAllString(s, "<code>$1</code>"), "<b>$1</b>")
	return slant.ReplaceAllString(s, "<em>$1</em>")
}

// anchor names an operation or a schema in a link.
func anchor(parts ...string) string {
	return strings.Trim(regexp.MustCompile(`[^A-Za-z0-9]+`).ReplaceAllString(strings.Join(parts, "-"), "-"), "-")
}
