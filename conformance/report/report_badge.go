package report

import (
	"fmt"
	"html"
	"io"

	"github.com/cabrank/cabrank/conformance"
)

// Colours of a badge.
const (
	badgeGreen = "#2e7d32"
	badgeAmber = "#9a6700"
	badgeRed   = "#c62828"
	badgeGrey  = "#57606a"
)

// badgeOf returns the text and the colour of the run's badge. It is green only if every MUST
// was tested and met, or is about an optional member that the server omits; it is grey for
// partial runs.
func badgeOf(f *conformance.RunFile) (text, colour string) {
	must := f.Summary.Levels[conformance.Must]
	all := must.Pass + must.Fail + must.Warn + must.NotVerified + must.Known
	omitted := f.Omitted()
	text = fmt.Sprintf("%d/%d MUST", must.Pass+must.Warn+omitted, all)
	switch code := f.ExitCode(); {
	case f.Unreached():
		return "no verdict", badgeGrey
	case f.Scope() != "":
		return partOf(f), badgeGrey
	case code == conformance.ExitFail:
		return text, badgeRed
	case code != conformance.ExitPass:
		return "no verdict", badgeGrey
	case must.NotVerified-omitted+must.Known > 0:
		return text, badgeAmber
	}
	return text, badgeGreen
}

// partOf describes a partial run in a word or two.
func partOf(f *conformance.RunFile) string {
	switch {
	case f.Interrupted:
		return "stopped"
	case f.Repeated != nil:
		return "replay"
	case len(f.Only) == 1:
		return "only " + printable(f.Only[0])
	case len(f.Only) > 1:
		return "only " + conformance.Count(len(f.Only), "check")
	case f.Traffic:
		return "traffic"
	}
	return "partial"
}

// WriteBadge writes a badge as SVG, for a README.
func WriteBadge(w io.Writer, f *conformance.RunFile) error {
	const perLetter, margin = 6.6, 12.0
	label := printable(f.Suite.Label)
	text, colour := badgeOf(f)
	left := float64(len(label))*perLetter + margin
	right := float64(len(text))*perLetter + margin
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="20" role="img" aria-label="%s: %s">
<title>%s: %s</title>
<clipPath id="r"><rect width="%.0f" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="%.0f" height="20" fill="#24292f"/><rect x="%.0f" width="%.0f" height="20" fill="%s"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="%.1f" y="14">%s</text><text x="%.1f" y="14">%s</text></g>
</svg>
`, left+right, html.EscapeString(label), html.EscapeString(text), html.EscapeString(printable(f.Target)), html.EscapeString(printable(f.Verdict())), left+right,
		left, left, right, colour, left/2, html.EscapeString(label), left+right/2, html.EscapeString(text))
	if err != nil {
		return fmt.Errorf("write the badge: %w", err)
	}
	return nil
}
