package conformance

import (
	_ "embed" // the page's template, style and script
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"
)

// The page: one file, with nothing fetched from anywhere.
var (
	//go:embed page/report.gohtml
	pageTemplate string
	//go:embed page/report.css
	pageStyle string
	//go:embed page/report.js
	pageScript string
)

var pageForm = template.Must(template.New("report").Funcs(template.FuncMap{
	"anchor":   anchor,
	"words":    wordList,
	"message":  messageOf,
	"cure":     cureOf,
	"stepCure": stepCure,
	"path":     Operation.Path,
	"title":    title,
	"lower":    strings.ToLower,
	"glyph":    func(o Outcome) string { return glyphs[o] },
}).Parse(pageTemplate))

// glyphs stand beside colours, so that nothing is told by colour alone.
var glyphs = map[Outcome]string{Pass: "✓", Fail: "✗", Warn: "!", Seen: "◦", NotVerified: "–", Broken: "?"}

// page is what the template is given.
type page struct {
	*RunFile
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
	Urgent   []verdict // what to look at first
	Spec     []specSection
	Open     []openRow
	Boards   []board
	Told     []told
	Shown    []shownCall
	When     string
	Took     time.Duration
}

type levelRow struct {
	Level Level
	Score
	All int
}

// operationRow is a row of the table of operations by level.
type operationRow struct {
	Operation Operation
	Title     string
	Cells     []cellScore
}

type cellScore struct {
	Score
	Seen, All int
}

type clauseRow struct {
	Clause string
	Score
	Seen int
	IDs  []Result
}

// verdict is a result with what is needed to read it.
type verdict struct {
	Result
	Rule   Check
	Anchor string
	Cases  []evidence
	Script string // the probe as curl
}

// evidence is a finding with the call that it points into.
type evidence struct {
	Finding
	Call  *Exchange
	Heard []Observation
	Sent  template.HTML
	Reply template.HTML
}

type told struct {
	Story string
	Lines []Line
}

// shownCall is a call with the verdicts for which it is evidence.
type shownCall struct {
	*Exchange
	At       time.Duration // since the run began
	Worst    Outcome
	Verdicts []Result
	Sent     template.HTML
	Reply    template.HTML
}

// WriteHTML writes the run as one HTML page that needs nothing else.
func WriteHTML(w io.Writer, f *RunFile) error {
	if err := pageForm.Execute(w, newPage(f)); err != nil {
		return fmt.Errorf("write HTML: %w", err)
	}
	return nil
}

func newPage(f *RunFile) *page {
	verdicts := f.verdictsByCall()
	worst := worstByCall(verdicts)
	p := &page{
		RunFile: f, Part: f.scope(), Good: f.ExitCode() == ExitPass, Sentence: sentence(f.Verdict()),
		When: f.Started.UTC().Format("Monday 2 January 2006, 15:04 UTC"), Took: f.Duration.Round(time.Millisecond),
		Boards: boardsOf(f, worst),
	}
	p.Tone = map[bool]string{true: "pass", false: "fail"}[p.Good]
	if must := f.Summary.Levels[Must]; f.Interrupted || p.Good && (must.NotVerified+must.Known > 0 || p.Part != "") {
		p.Tone = "warn"
	}
	p.score()
	p.dress()
	p.judge()
	p.specify()
	p.tellCalls()
	for _, x := range f.Calls {
		p.Shown = append(p.Shown, showCall(f, x, verdicts[x.ID], worst[x.ID]))
	}
	return p
}

// score fills in the tables of the summary.
func (p *page) score() {
	levels := []Level{Must, Should, Robustness}
	for _, l := range levels {
		s := p.Summary.Levels[l]
		p.Levels = append(p.Levels, levelRow{l, s, s.Pass + s.Fail + s.Warn + s.NotVerified + s.Known})
	}
	clauses := map[string]int{}
	checks := p.checksByID()
	for _, op := range p.Suite.Subjects() {
		row := operationRow{Operation: op, Title: subjectTitle(p.Suite, op), Cells: make([]cellScore, 4)}
		for _, r := range p.Checks {
			if r.Operation == op {
				row.Cells[slices.Index(append(levels, Observed), r.Level)].add(r)
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
		row.count(r)
		row.IDs = append(row.IDs, r)
		if r.Outcome == Seen {
			row.Seen++
		}
	}
}

// subjectTitle names what verdicts are about: an operation by its path, and what
// spans several in the plural.
func subjectTitle(suite *Suite, op Operation) string {
	if slices.Contains(suite.Spanning, op) {
		return string(op) + "s"
	}
	return op.Path()
}

func (c *cellScore) add(r Result) {
	c.count(r)
	c.All++
	if r.Outcome == Seen {
		c.Seen++
	}
}

// judge prepares the verdicts, and those to look at first.
func (p *page) judge() {
	checks, calls := p.checksByID(), p.callsByID()
	scripts := map[string]string{}
	for _, r := range p.Checks {
		v := verdict{Result: r, Rule: checks[r.ID], Anchor: anchor(r.ID, string(r.Operation))}
		for _, f := range r.Findings {
			v.Cases = append(v.Cases, evidenceOf(p.RunFile, f, calls))
		}
		urgent := r.Outcome == Fail || r.Outcome == Warn || r.Outcome == Broken
		if urgent {
			v.Script = p.scriptFor(r, calls, scripts)
			p.Urgent = append(p.Urgent, v)
		}
		p.Verdicts = append(p.Verdicts, v)
	}
	weight := map[Level]int{Must: 0, Should: 1, Robustness: 2, Observed: 3}
	rank := func(v verdict) int {
		n := weight[v.Level]
		if v.Outcome != Fail {
			n += 10
		}
		if v.Known != nil {
			n += 20
		}
		return n
	}
	slices.SortStableFunc(p.Urgent, func(a, b verdict) int { return rank(a) - rank(b) })
}

func evidenceOf(run *RunFile, f Finding, calls map[int]*Exchange) evidence {
	e := evidence{Finding: f, Heard: run.observed(f)}
	if len(f.Exchanges) == 0 {
		return e
	}
	e.Call = calls[f.Exchanges[len(f.Exchanges)-1]]
	if e.Call == nil {
		return e
	}
	e.Sent = shownBody(e.Call.Request.Body, e.Call.Request.Cut, true)
	if e.Call.Response != nil {
		e.Reply = shownBody(e.Call.Response.Body, e.Call.Response.Cut, true, pinOf(f, ""))
	}
	return e
}

func pinOf(f Finding, id string) pin {
	label := strings.TrimSpace(id + " " + string(f.Outcome))
	if f.Expected != "" {
		label = strings.TrimSpace(id + " expected " + f.Expected)
		if f.Got != "" && f.Got[0] != '{' && f.Got[0] != '[' { // a container is seen beside it
			label += " · got " + clip(f.Got, 80)
		}
	}
	return pin{f.Pointer, f.Outcome, label}
}

// scriptFor writes the probe that shows a verdict as curl, up to the call that
// shows it.
func (p *page) scriptFor(r Result, calls map[int]*Exchange, done map[string]string) string {
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
		story := p.callsUpTo(at)
		done[key] = curlScript(p.Suite.IDs, p.Target, story[max(0, len(story)-most):])
	}
	return done[key]
}

// tellCalls chooses the probes that are told as the passenger would hear them.
func (p *page) tellCalls() {
	if p.Suite.Tell == nil {
		return
	}
	for _, story := range p.callsByProbe() {
		name := story[0].Probe
		if name != "" && !slices.Contains(p.Suite.Stories, name) {
			continue
		}
		if name == "" {
			name, story = "recorded traffic", story[:min(len(story), 60)]
		}
		if lines := p.Suite.Tell(story); len(lines) > 0 {
			p.Told = append(p.Told, told{string(name), lines})
		}
	}
	slices.SortStableFunc(p.Told, func(a, b told) int {
		return slices.Index(p.Suite.Stories, ProbeName(a.Story)) - slices.Index(p.Suite.Stories, ProbeName(b.Story))
	})
}

func showCall(f *RunFile, x *Exchange, verdicts []Result, worst Outcome) shownCall {
	s := shownCall{Exchange: x, At: x.Started.Sub(f.Started).Round(10 * time.Microsecond), Worst: worst, Verdicts: verdicts}
	slices.SortStableFunc(s.Verdicts, func(a, b Result) int { return severity[b.Outcome] - severity[a.Outcome] })
	var pins []pin
	for _, r := range verdicts {
		for _, finding := range r.Findings {
			last := len(finding.Exchanges) - 1
			if last >= 0 && finding.Exchanges[last] == x.ID && finding.Pointer != "" {
				pins = append(pins, pinOf(finding, r.ID))
			}
		}
	}
	s.Sent = shownBody(x.Request.Body, x.Request.Cut, false)
	if x.Response != nil {
		s.Reply = shownBody(x.Response.Body, x.Response.Cut, false, pins...)
	}
	return s
}

// Code returns the HTTP status of the answer, 0 when there was none.
func (s shownCall) Code() int { return s.code() }

// Ms returns how long the call took, in milliseconds.
func (s shownCall) Ms() string { return fmt.Sprintf("%.1f", float64(s.Took.Microseconds())/1000) }
