package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Timestamp  string          `xml:"timestamp,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
	Out        *junitWords     `xml:"system-out"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string      `xml:"classname,attr"`
	Name    string      `xml:"name,attr"`
	Failure *junitSaid  `xml:"failure"`
	Error   *junitSaid  `xml:"error"`
	Skipped *junitSaid  `xml:"skipped"`
	Out     *junitWords `xml:"system-out"`
}

type junitSaid struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

type junitWords struct {
	Text string `xml:",chardata"`
}

// WriteJUnit writes the run as JUnit XML: a suite for each operation, and one for the run as
// a whole. Failures and errors are exactly the reasons for an exit code other than 0. Other
// failed checks, unverified and unscored ones, and known failures are skipped with their
// findings, so that they do not look green.
func WriteJUnit(w io.Writer, f *conformance.RunFile) error {
	all := junitSuites{Name: "cabrank check " + f.Target, Time: fmt.Sprintf("%.3f", f.Duration.Seconds())}
	checks, red := f.ChecksByID(), map[conformance.VerdictKey]bool{}
	for _, why := range f.Reasons() {
		red[why.Verdict] = true
	}
	for _, op := range f.Suite.Subjects() {
		s := newJUnitSuite(f, string(op))
		for _, r := range f.Checks {
			if r.Operation == op {
				s.add(junitCaseOf(f, r, checks[r.ID], red[conformance.VerdictKey{Check: r.ID, Op: r.Operation}]))
			}
		}
		all.add(s)
	}
	all.add(junitRun(f))
	if len(all.Suites) > 0 {
		all.Suites[0].Out = junitCauses(f)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	return nil
}

func newJUnitSuite(f *conformance.RunFile, name string) junitSuite {
	return junitSuite{Name: name, Timestamp: f.Started.UTC().Format(time.RFC3339), Properties: []junitProperty{
		{"target", f.Target},
		{"seed", fmt.Sprint(f.Seed)},
		{"requirements", f.Requirements},
		{"failOn", string(f.FailOn)},
		{"suite", f.Judge.Version},
	}}
}

// junitRun is the suite of the reasons, besides checks, for which a run can fail. A stopped
// run is an error there.
func junitRun(f *conformance.RunFile) junitSuite {
	s := newJUnitSuite(f, "run")
	for _, why := range f.Reasons() {
		if !why.OfRun() {
			continue
		}
		one := junitCase{Class: "cabrank.run", Name: why.Name}
		if unshown := strings.HasSuffix(why.Name, " is shown"); unshown && f.Summary.Levels[conformance.Must].Fail > 0 {
			// A consequence of the failed requirements, which the verdict counts.
			one.Skipped = &junitSaid{Message: why.Message}
		} else if why.Code == conformance.ExitInterrupted {
			one.Error = &junitSaid{Message: why.Message, Type: "stopped"}
		} else {
			one.Failure = &junitSaid{Message: why.Message, Type: string(conformance.Must), Text: stepsText(f, why)}
		}
		s.add(one)
	}
	return s
}

// junitCauses lists the causes, before the cases.
func junitCauses(f *conformance.RunFile) *junitWords {
	var b strings.Builder
	for i, c := range f.Causes {
		fmt.Fprintf(&b, "%d. %s\n   fix: %s\n", i+1, c.Message, cureOf(c))
		if reach := c.Reach(); reach != "" {
			fmt.Fprintf(&b, "   %s\n", reach)
		}
	}
	if b.Len() == 0 {
		return nil
	}
	return &junitWords{b.String()}
}

// stepsText lists the steps of a preflight that ended a run.
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

func (all *junitSuites) add(s junitSuite) {
	if s.Tests == 0 {
		return
	}
	all.Tests += s.Tests
	all.Failures += s.Failures
	all.Errors += s.Errors
	all.Skipped += s.Skipped
	all.Suites = append(all.Suites, s)
}

// junitCaseOf makes a case of a verdict. red: the exit code is not 0 because of it.
func junitCaseOf(f *conformance.RunFile, r conformance.Result, c conformance.Check, red bool) junitCase {
	one := junitCase{Class: "cabrank." + string(r.Operation), Name: r.ID + " " + c.Requirement}
	said := &junitSaid{Message: causedLine(f, r, c), Type: string(r.Level), Text: evidenceText(f, r, c)}
	switch {
	case red && r.Outcome == conformance.Broken:
		one.Error = said
	case red:
		said.Text += curlOf(f, r)
		one.Failure = said
	case r.Known != nil:
		said.Message = fmt.Sprintf("known failure, owner %s until %s: %s", r.Known.Owner, r.Known.Until.Format(time.DateOnly), said.Message)
		one.Skipped = said
	case r.Unscored:
		said.Message = "not scored: " + said.Message
		one.Skipped = said
	case r.Outcome == conformance.Fail, r.Outcome == conformance.Broken:
		said.Message = fmt.Sprintf("%s, and does not fail the run (%s): %s", map[conformance.Outcome]string{conformance.Fail: "failed", conformance.Broken: "no verdict"}[r.Outcome], r.Level, said.Message)
		one.Skipped = said
	case r.Outcome == conformance.NotVerified:
		said.Type, one.Skipped = "", said
	case r.Outcome != conformance.Pass:
		one.Out = &junitWords{string(r.Outcome) + ": " + said.Message + "\n" + said.Text}
	}
	return one
}

func (s *junitSuite) add(one junitCase) {
	s.Tests++
	for counter, hit := range map[*int]bool{&s.Failures: one.Failure != nil, &s.Errors: one.Error != nil, &s.Skipped: one.Skipped != nil} {
		if hit {
			*counter++
		}
	}
	s.Cases = append(s.Cases, one)
}

// curlOf writes the last call that shows a verdict, and the few before it in its probe,
// as curl.
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

// evidenceText returns the evidence as plain text.
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
