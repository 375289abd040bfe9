package report

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/cabrank/cabrank/conformance"
)

// head sets the page's style and a policy that allows only this style and script: if text from
// a server were ever parsed as markup, it could neither fetch nor run anything.
func (p *page) head() g.Node {
	style := look + pageStyle + p.widths()
	policy := fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'", sourceOf(style), sourceOf(pageScript))
	return h.Head(
		h.Meta(h.Charset("utf-8")),
		h.Meta(g.Attr("http-equiv", "Content-Security-Policy"), h.Content(policy)),
		h.Meta(h.Name("viewport"), h.Content("width=device-width, initial-scale=1")),
		h.Meta(h.Name("color-scheme"), h.Content("light dark")),
		h.TitleEl(text(sentence(p.Verdict()), " ", p.Target)),
		h.StyleEl(g.Raw(style)),
	)
}

// sourceOf returns the hash source of a style or script for the policy.
func sourceOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// widths returns the style of the bars: a class for each number, since the policy allows no
// inline styles.
func (p *page) widths() string {
	numbers := map[int]bool{}
	take := func(s conformance.Score, seen int) {
		for _, n := range []int{s.Pass, s.Warn, s.Fail, s.Known, s.NotVerified, seen} {
			numbers[n] = true
		}
	}
	for _, l := range scored {
		take(p.Summary.Levels[l], 0)
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

// banner shows the verdict of the run.
func (p *page) banner() g.Node {
	return h.Header(class(p.tone()), h.ID("top"),
		h.Div(class("wrap"),
			h.P(class("kicker"), text(title(p.Suite.Label), " · conformance"), g.If(p.Scope() != "", text(" · ", p.Scope()))),
			h.H1(g.Text(sentence(p.Verdict()))),
			g.If(len(p.Untested) > 0, h.P(class("untested"), h.A(to("untested"), g.Text("Which MUSTs were not tested, and why")))),
			h.P(class("meta"), h.B(g.Text(p.Target)), text(" · ", p.Started.UTC().Format("Monday 2 January 2006, 15:04 UTC"), " · ", len(p.Calls),
				" calls in ", p.Duration.Round(time.Millisecond), " · requirements/", p.Requirements)),
			h.P(class("meta"), text(len(p.Checks), " verdicts: ", p.Summary.Counts())),
			h.Div(class("dials"), each(scored, p.dial)),
		),
		h.Div(class("chequer")),
	)
}

// tone returns the colour of the banner: "pass", "warn" or "fail".
func (p *page) tone() string {
	good, must := p.ExitCode() == conformance.ExitPass, p.Summary.Levels[conformance.Must]
	switch {
	case p.Interrupted || good && (must.NotVerified-p.Omitted()+must.Known > 0 || p.Scope() != ""):
		return "warn"
	case good:
		return "pass"
	}
	return "fail"
}

// dial shows the score of a level.
func (p *page) dial(l conformance.Level) g.Node {
	s := p.Summary.Levels[l]
	return h.A(class("dial"), to("checks"), h.Data("filter-level", string(l)),
		h.Span(class("count"), text(s.Pass), h.Small(text("/", s.Pass+s.Fail+s.Warn+s.NotVerified+s.Known))), h.Span(class("name"), text(l)),
		bar(s, 0),
		h.Span(class("rest"), counted(conformance.Fail, s.Fail, "failed"), g.If(s.Known != 0, text(s.Known, " known ")),
			counted(conformance.Warn, s.Warn, "warned"), g.If(s.NotVerified != 0, text(s.NotVerified, " not verified")), g.Text("\u00a0")),
	)
}

// nav links to the sections.
func (p *page) nav() g.Node {
	spoken := p.Suite.Transcript
	tab := func(id string, content ...any) g.Node { return h.A(to(id), text(content...)) }
	with := func(id, name string, n int) g.Node { return h.A(to(id), g.Text(name+" "), h.I(text(n))) }
	return h.Nav(h.Div(class("wrap"),
		g.If(len(p.Causes) > 0, with("first", "What is wrong", len(p.Causes))),
		g.If(len(p.Causes) == 0 && len(p.Urgent) > 0, with("first", "What to look at", len(p.Urgent))),
		tab("summary", "Summary"), with("checks", "Verdicts", len(p.Checks)), tab("specification", "Specification"),
		g.If(p.Suite.Describe != nil, tab("drawings", title(p.Suite.ThingName()), "s")),
		g.Iff(spoken != nil, func() g.Node { return tab("transcripts", spoken.Title) }),
		with("calls", "Calls", len(p.Shown)), tab("about", "About"),
	))
}

// about shows the suite, the seed and the levels.
func (p *page) about() g.Node {
	level := func(l conformance.Level, meaning string) g.Node { return g.Group{h.B(text(l)), g.Text(meaning)} }
	return section("about", "About this run",
		h.Dl(class("why"),
			term("Suite", text("cabrank ", p.Judge.Version, ", catalogue "), h.Code(g.Text(p.Judge.SHA256))),
			term("Scored by", text("requirements/", p.Requirements)),
			g.If(!p.Traffic, term("Seed", text(p.Seed, ": with "), h.Code(text("--seed ", p.Seed)),
				g.Text(" the random walk is the same; names and numbers are new in every run"))),
			term("Levels", level(conformance.Must, " is stated by the interface, "), level(conformance.Should, " is implied by its purpose, "),
				level(conformance.Robustness, " is required by this suite only and scored separately, "), level(conformance.Observed, " is left open and never failed.")),
		),
		h.P(h.A(to("top"), g.Text("back to the top"))),
	)
}
