package report

import (
	_ "embed" // the page's template, style and script
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// The page: one file, with nothing fetched from anywhere.
var (
	//go:embed page/report.gohtml
	pageTemplate string
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

var pageForm = template.Must(template.New("report").Funcs(template.FuncMap{
	"anchor":   anchor,
	"words":    conformance.WordList,
	"message":  messageOf,
	"cure":     cureOf,
	"stepCure": stepCure,
	"path":     conformance.Operation.Path,
	"title":    title,
	"lower":    strings.ToLower,
	"ordinal":  ordinal,
	"glyph":    func(o conformance.Outcome) string { return glyphs[o] },
}).Parse(pageTemplate))

// glyphs stand beside colours, so that nothing is told by colour alone.
var glyphs = map[conformance.Outcome]string{conformance.Pass: "✓", conformance.Fail: "✗", conformance.Warn: "!", conformance.Flaky: "~", conformance.Seen: "◦", conformance.NotVerified: "–", conformance.Broken: "?"}

// page is what the template is given.
type page struct {
	*conformance.RunFile
	Style    template.CSS
	Script   template.JS
	Policy   string // what a browser may run and fetch
	Good     bool
	Tone     string // "pass", "warn" or "fail"
	Part     string // of what the run is not one of all; "": it is
	Sentence string
	Levels   []levelRow
	Table    []operationRow
	Clauses  []clauseRow
	Verdicts []verdict
	Causes   []causeCard // what is wrong
	Urgent   []verdict   // what else to look at
	Untested []untestedLine
	NotTried []string // of what happens on certain days
	Spec     []specSection
	Open     []openRow
	Boards   []board
	Spoken   []spoken
	Shown    []shownCall
	When     string
	Left     int // calls whose bodies are left to the run file
	rules    map[string]conformance.Check
	Took     time.Duration
}

type levelRow struct {
	Level conformance.Level
	conformance.Score
	All int
}

// operationRow is a row of the table of operations by level.
type operationRow struct {
	Operation conformance.Operation
	Title     string
	Cells     []cellScore
}

type cellScore struct {
	conformance.Score
	Seen, All int
}

type clauseRow struct {
	Clause string
	conformance.Score
	Seen int
	IDs  []conformance.Result
}

// verdict is a result with what is needed to read it.
type verdict struct {
	conformance.Result
	Rule   conformance.Check
	Anchor string
	Cases  []evidence
	Script string    // the probe as curl
	Others []verdict // that say the same of other operations
	Gist   string    // what was found, in a line
	First  string    // the anchor of the card with the evidence; "": it is here
	IDs    string    // of the verdict and of those that say the same
}

// Asked says what is asked; of several checks what was found in all of them.
func (v verdict) Asked() string {
	for _, other := range v.Others {
		if other.ID != v.ID {
			return gistOf(v.Findings[0])
		}
	}
	return v.Rule.Requirement
}

// On lists the operations of a verdict and of those that say the same.
func (v verdict) On() string {
	ops := []string{string(v.Operation)}
	for _, other := range v.Others {
		if op := string(other.Operation); !slices.Contains(ops, op) {
			ops = append(ops, op)
		}
	}
	return strings.Join(ops, " ")
}

// evidence is a finding with the call that it points into.
type evidence struct {
	conformance.Finding
	Call  *conformance.Exchange
	Heard []conformance.Observation
	Sent  template.HTML
	Reply template.HTML
}

// spoken is a probe in words.
type spoken struct {
	Probe conformance.ProbeName
	Lines []conformance.Line
}

// WriteHTML writes the run as one HTML page that needs nothing else.
func WriteHTML(w io.Writer, f *conformance.RunFile) error {
	if err := pageForm.Execute(w, newPage(f)); err != nil {
		return fmt.Errorf("write HTML: %w", err)
	}
	return nil
}

func newPage(f *conformance.RunFile) *page {
	verdicts := f.VerdictsByCall()
	worst := worstByCall(verdicts)
	p := &page{
		RunFile: f, Part: f.Scope(), Good: f.ExitCode() == conformance.ExitPass, Sentence: sentence(f.Verdict()),
		When: f.Started.UTC().Format("Monday 2 January 2006, 15:04 UTC"), Took: f.Duration.Round(time.Millisecond),
		Boards: boardsOf(f, worst),
	}
	p.Tone = map[bool]string{true: "pass", false: "fail"}[p.Good]
	if must := f.Summary.Levels[conformance.Must]; f.Interrupted || p.Good && (must.NotVerified-f.Omitted()+must.Known > 0 || p.Part != "") {
		p.Tone = "warn"
	}
	p.rules = p.ChecksByID()
	p.score()
	p.dress()
	p.judge()
	p.specify()
	p.speak()
	p.showCalls(verdicts, worst)
	return p
}

// score fills in the tables of the summary.
func (p *page) score() {
	levels := []conformance.Level{conformance.Must, conformance.Should, conformance.Robustness}
	for _, l := range levels {
		s := p.Summary.Levels[l]
		p.Levels = append(p.Levels, levelRow{l, s, s.Pass + s.Fail + s.Warn + s.NotVerified + s.Known})
	}
	clauses := map[string]int{}
	checks := p.ChecksByID()
	for _, op := range p.Suite.Subjects() {
		row := operationRow{Operation: op, Title: subjectTitle(p.Suite, op), Cells: make([]cellScore, 4)}
		for _, r := range p.Checks {
			if r.Operation == op {
				row.Cells[slices.Index(append(levels, conformance.Observed), r.Level)].add(r)
			}
		}
		p.Table = append(p.Table, row)
	}
	for _, r := range p.Checks {
		c := checks[r.ID]
		at, known := clauses[c.Clause]
		if !known {
			at = len(p.Clauses)
			clauses[c.Clause] = at
			p.Clauses = append(p.Clauses, clauseRow{Clause: c.Clause})
		}
		row := &p.Clauses[at]
		row.Count(r)
		row.IDs = append(row.IDs, r)
		if r.Outcome == conformance.Seen {
			row.Seen++
		}
	}
}

// subjectTitle names what verdicts are about: an operation by its path, and what
// spans several in the plural.
func subjectTitle(suite *conformance.Suite, op conformance.Operation) string {
	if slices.Contains(suite.Spanning, op) {
		return string(op) + "s"
	}
	return op.Path()
}

func (c *cellScore) add(r conformance.Result) {
	c.Count(r)
	c.All++
	if r.Outcome == conformance.Seen {
		c.Seen++
	}
}

// judge prepares the cards of the causes and of what else to look at first, and all
// verdicts, folded by operation and the worst first.
func (p *page) judge() {
	calls, scripts, cards := p.CallsByID(), map[string]string{}, map[string]string{}
	for i := range p.RunFile.Causes {
		card := p.cardOf(i, calls, scripts)
		if len(card.Results) > 0 {
			cards[anchor(card.Results[0].ID, string(card.Results[0].Operation))] = card.Anchor()
		}
		p.Causes = append(p.Causes, card)
	}
	for _, alike := range faultsOf(&p.Report) {
		v := p.verdictOf(alike, calls)
		v.Script = p.scriptFor(alike[0], calls, scripts)
		if v.Cases = v.Cases[:min(len(v.Cases), mostCases)]; len(alike[0].Findings) > 0 {
			v.Gist = gistOf(alike[0].Findings[0])
		}
		cards[v.Anchor] = "first-" + v.Anchor
		p.Urgent = append(p.Urgent, v)
	}
	order := []conformance.Outcome{conformance.Fail, conformance.Broken, conformance.Flaky, conformance.Warn, conformance.Seen, conformance.NotVerified, conformance.Pass}
	for _, outcome := range order {
		for _, alike := range rowsWith(p.Checks, outcome) {
			v := p.verdictOf(alike, calls)
			if first := cards[v.Anchor]; first != "" {
				v.First, v.Cases = first, nil
			}
			p.Verdicts = append(p.Verdicts, v)
		}
	}
	if len(p.Preflight) > 0 && len(p.Only) == 0 && !p.Interrupted {
		p.Untested = untestedMusts(&p.Report)
	}
	p.NotTried = notTried(&p.Report)
}

// rowsWith groups the verdicts of an outcome that say the same, of what is not as it
// should be also those of several checks.
func rowsWith(results []conformance.Result, outcome conformance.Outcome) [][]conformance.Result {
	some := slices.DeleteFunc(conformance.ByWeight(results), func(r conformance.Result) bool { return r.Outcome != outcome })
	if outcome == conformance.Fail || outcome == conformance.Warn {
		return alikeAcross(folded(some))
	}
	return folded(some)
}

// mostCases are shown of one check at the top of the page.
const mostCases = 2

// verdictOf prepares verdicts that say the same of several operations.
func (p *page) verdictOf(alike []conformance.Result, calls map[int]*conformance.Exchange) verdict {
	first := alike[0]
	v := verdict{Result: first, Rule: p.rules[first.ID], Anchor: anchor(first.ID, string(first.Operation)), IDs: idsOf(alike)}
	for _, f := range first.Findings {
		v.Cases = append(v.Cases, evidenceOf(p.RunFile, f, calls))
	}
	for _, r := range alike[1:] {
		v.Others = append(v.Others, verdict{Result: r, Anchor: anchor(r.ID, string(r.Operation))})
	}
	return v
}

func evidenceOf(run *conformance.RunFile, f conformance.Finding, calls map[int]*conformance.Exchange) evidence {
	e := evidence{Finding: f, Heard: run.Observed(f)}
	if len(f.Exchanges) == 0 {
		return e
	}
	e.Call = calls[f.Exchanges[len(f.Exchanges)-1]]
	if e.Call == nil {
		return e
	}
	e.Sent = shownBody(e.Call.Request.Body, e.Call.Request.Cut, true)
	if e.Call.Response != nil {
		e.Reply = shownBody(e.Call.Response.Body, e.Call.Response.Cut, true, pin{f.Pointer, f.Outcome, "← here"}) // what is wrong with it stands above
	}
	return e
}

func pinOf(f conformance.Finding, id string) pin {
	label := strings.TrimSpace(id + " " + string(f.Outcome))
	if f.Expected != "" {
		label = strings.TrimSpace(id + " expected " + f.Expected)
		if f.Got != "" && f.Got[0] != '{' && f.Got[0] != '[' { // a container is seen beside it
			label += " · got " + jsonvalue.Clip(f.Got, 80)
		}
	}
	return pin{f.Pointer, f.Outcome, label}
}

// scriptFor writes the probe that shows a verdict as curl, up to the call that
// shows it.
func (p *page) scriptFor(r conformance.Result, calls map[int]*conformance.Exchange, done map[string]string) string {
	if len(r.ShownBy) == 0 {
		return ""
	}
	at := calls[r.ShownBy[len(r.ShownBy)-1]]
	if at == nil {
		return ""
	}
	key := fmt.Sprint(at.ID)
	if done[key] == "" {
		const most = 30
		calls := p.CallsUpTo(at)
		done[key] = curlScript(p.Suite, p.Target, calls[max(0, len(calls)-most):])
	}
	return done[key]
}

// recorded stands for the name of a probe where somebody else made the calls.
const recorded = "recorded traffic"

// speak chooses the probes that are put into words.
func (p *page) speak() {
	if p.Suite.Transcript == nil {
		return
	}
	for _, calls := range p.CallsByProbe() {
		name := calls[0].Probe
		if name != "" && !slices.Contains(p.Suite.Shown, name) {
			continue
		}
		if name == "" {
			const most = 60
			name, calls = recorded, calls[:min(len(calls), most)]
		}
		if lines := p.Suite.Transcript.Lines(calls); len(lines) > 0 {
			p.Spoken = append(p.Spoken, spoken{name, lines})
		}
	}
	slices.SortStableFunc(p.Spoken, func(a, b spoken) int {
		return slices.Index(p.Suite.Shown, a.Probe) - slices.Index(p.Suite.Shown, b.Probe)
	})
}
