package report

import (
	_ "embed" // the form of a file
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"sync"
	"text/template"
	"time"

	"github.com/cabrank/cabrank/conformance"
)

//go:embed page/junit.xml.tmpl
var junitForm string

// junitTemplate is the template of the XML file, for a value of type junit.
var junitTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("junit.xml").Funcs(template.FuncMap{"xml": func(text any) (string, error) {
		var b strings.Builder
		err := xml.EscapeText(&b, []byte(strings.Map(shown, fmt.Sprint(text))))
		return b.String(), err
	}}).Parse(junitForm))
})

// junit is a run with the test suites of its JUnit file.
type junit struct {
	*conformance.RunFile
	Suites []junitSuite
}

type junitSuite struct {
	Name  string
	Cases []junitCase
	Out   string // "": there is none
}

// junitCase is a verdict, or a reason for which a run can fail.
type junitCase struct {
	Class, Name         string
	Kind                string // "failure", "error", "skipped"; "": it passed
	Message, Type, Text string // of its kind
	Out                 string // "": there is none
}

// Count counts the cases of a kind; "": all cases.
func (s junitSuite) Count(kind string) (n int) {
	for _, c := range s.Cases {
		if kind == "" || c.Kind == kind {
			n++
		}
	}
	return n
}

// Count counts the cases of a kind in all suites; "": all cases.
func (j junit) Count(kind string) (n int) {
	for _, s := range j.Suites {
		n += s.Count(kind)
	}
	return n
}

// WriteJUnit writes the run as JUnit XML: a suite for each operation, and one for the run as
// a whole. Failures and errors are exactly the reasons for an exit code other than 0. Other
// failed checks, unverified and unscored ones, and known failures are skipped with their
// findings, so that they do not look green.
func WriteJUnit(w io.Writer, f *conformance.RunFile) error {
	all := junit{RunFile: f}
	checks, red := f.ChecksByID(), map[conformance.VerdictKey]bool{}
	for _, why := range f.Reasons() {
		red[why.Verdict] = true
	}
	for _, op := range f.Suite.Subjects() {
		s := junitSuite{Name: string(op)}
		for _, r := range f.Checks {
			if r.Operation == op {
				s.Cases = append(s.Cases, junitCaseOf(f, r, checks[r.ID], red[conformance.VerdictKey{Check: r.ID, Op: r.Operation}]))
			}
		}
		all.add(s)
	}
	all.add(junitRun(f))
	if len(all.Suites) > 0 {
		all.Suites[0].Out = junitCauses(f)
	}
	if err := junitTemplate().Execute(w, all); err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	return nil
}

func (j *junit) add(s junitSuite) {
	if len(s.Cases) > 0 {
		j.Suites = append(j.Suites, s)
	}
}

// junitRun returns the test suite of the reasons, besides checks, for which the run failed. A run that was
// stopped is an error there.
func junitRun(f *conformance.RunFile) junitSuite {
	s := junitSuite{Name: "run"}
	for _, why := range f.Reasons() {
		if !why.OfRun() {
			continue
		}
		one := junitCase{Class: "cabrank.run", Name: why.Name, Message: why.Message}
		if unshown := strings.HasSuffix(why.Name, " is shown"); unshown && f.Summary.Levels[conformance.Must].Fail > 0 {
			one.Kind = "skipped" // a consequence of the failed requirements, which the verdict counts
		} else if why.Code == conformance.ExitInterrupted {
			one.Kind, one.Type = "error", "stopped"
		} else {
			one.Kind, one.Type, one.Text = "failure", string(conformance.Must), stepsText(f, why)
		}
		s.Cases = append(s.Cases, one)
	}
	return s
}

// junitCauses lists the causes with their cures as text.
func junitCauses(f *conformance.RunFile) string {
	var b strings.Builder
	for i, c := range f.Causes {
		fmt.Fprintf(&b, "%d. %s\n   fix: %s\n", i+1, c.Message, cureOf(c))
		if reach := c.Reach(); reach != "" {
			fmt.Fprintf(&b, "   %s\n", reach)
		}
	}
	return b.String()
}

// stepsText lists the steps of a preflight that ended a run; "": the reason is another one.
func stepsText(f *conformance.RunFile, why conformance.ExitReason) string {
	if why.Code != conformance.ExitUnreachable {
		return ""
	}
	var b strings.Builder
	for _, s := range f.Preflight {
		fmt.Fprintf(&b, "%s: %s\n", map[bool]string{true: "ok", false: "failed"}[s.OK], s.Trouble())
	}
	return b.String()
}

// junitCaseOf makes a case of a verdict. red: the exit code is not 0 because of it.
func junitCaseOf(f *conformance.RunFile, r conformance.Result, c conformance.Check, red bool) junitCase {
	one := junitCase{
		Class: classOf(r), Name: r.ID + " " + c.Requirement, Kind: "skipped",
		Message: causedLine(f, r, c), Type: string(r.Level), Text: evidenceText(f, r, c),
	}
	switch {
	case red && r.Outcome == conformance.Broken:
		one.Kind = "error"
	case red:
		one.Kind = "failure"
		one.Text += curlOf(f, r)
	case r.Known != nil:
		one.Message = fmt.Sprintf("known failure, owner %s until %s: %s", r.Known.Owner, r.Known.Until.Format(time.DateOnly), one.Message)
	case r.Unscored:
		one.Message = "not scored: " + one.Message
	case r.Outcome == conformance.Fail, r.Outcome == conformance.Broken:
		one.Message = fmt.Sprintf("%s, and does not fail the run (%s): %s", map[conformance.Outcome]string{conformance.Fail: "failed", conformance.Broken: "no verdict"}[r.Outcome], r.Level, one.Message)
	case r.Outcome == conformance.NotVerified:
		one.Type = ""
	case r.Outcome == conformance.Pass:
		one.Kind = ""
	default:
		one.Kind, one.Out = "", string(r.Outcome)+": "+one.Message+"\n"+one.Text
	}
	return one
}

// classOf returns the class of a case, by which many programs group: its operation, and whom a failure
// hurts.
func classOf(r conformance.Result) string {
	class := "cabrank." + string(r.Operation)
	if r.Harm != "" {
		class += "." + string(r.Harm)
	}
	return class
}

// curlOf returns the last three calls of a probe up to the one that shows a verdict, as a curl script; "":
// no call shows it.
func curlOf(f *conformance.RunFile, r conformance.Result) string {
	const most = 3
	if len(r.ShownBy) == 0 {
		return ""
	}
	at := f.CallsByID()[r.ShownBy[len(r.ShownBy)-1]]
	if at == nil {
		return ""
	}
	story := f.CallsUpTo(at)
	return "\n" + curlScript(f.Suite, f.Target, story[max(0, len(story)-most):])
}

// evidenceText returns the findings of a verdict, its cause and its check as plain text.
func evidenceText(run *conformance.RunFile, r conformance.Result, c conformance.Check) string {
	var b strings.Builder
	row := func(label, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%s: %s\n", label, text)
		}
	}
	for _, f := range r.Findings {
		row("finding", messageOf(f))
		row("expected", f.Expected)
		row("got", f.Got)
		row("at", f.Pointer)
		if len(f.Exchanges) > 0 {
			row("calls", strings.Trim(fmt.Sprint(f.Exchanges), "[]"))
		}
		for _, o := range run.Observed(f) {
			row("observed", o.String())
		}
	}
	if cause, caused := causeOf(run, r); caused {
		if cause.Failed[0] != r.Name() {
			row("cause", cause.Message)
		}
		row("cure", cureOf(cause))
	}
	row("clause", c.Clause)
	row("why", c.Why)
	row("fix", c.Hint)
	return b.String()
}
