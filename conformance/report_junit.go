package conformance

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
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

// WriteJUnit writes the run as JUnit XML: a suite for each operation. Every
// failure is one, its type the level of the requirement; what was not verified,
// is unscored or a known failure is skipped, so that nothing of it looks green.
func (f *RunFile) WriteJUnit(w io.Writer) error {
	all := junitSuites{Name: "cabrank check " + f.Target, Time: fmt.Sprintf("%.3f", f.Duration.Seconds())}
	checks := f.checks()
	for _, op := range append(Operations(), OpJourney) {
		s := junitSuite{Name: string(op), Timestamp: f.Started.UTC().Format(time.RFC3339), Properties: []junitProperty{
			{"target", f.Target},
			{"seed", fmt.Sprint(f.Seed)},
			{"requirements", f.Requirements},
			{"suite", f.Suite.Version},
		}}
		for _, r := range f.Checks {
			if r.Operation == op {
				s.add(r, checks[r.ID])
			}
		}
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
		all.Skipped += s.Skipped
		all.Suites = append(all.Suites, s)
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

func (s *junitSuite) add(r Result, c Check) {
	one := junitCase{Class: "cabrank." + string(r.Operation), Name: r.ID + " " + c.Requirement}
	said := &junitSaid{Message: headline(r, c), Type: string(r.Level), Text: evidenceText(r, c)}
	switch {
	case r.Known != nil:
		said.Message = fmt.Sprintf("known failure, owner %s until %s: %s", r.Known.Owner, r.Known.Until.Format(time.DateOnly), said.Message)
		one.Skipped = said
	case r.Unscored:
		said.Message = "unscored: " + said.Message
		one.Skipped = said
	case r.Outcome == Fail:
		one.Failure = said
	case r.Outcome == Broken:
		one.Error = said
	case r.Outcome == NotVerified:
		said.Type, one.Skipped = "", said
	case r.Outcome != Pass:
		one.Out = &junitWords{string(r.Outcome) + ": " + said.Message + "\n" + said.Text}
	}
	s.Tests++
	for counter, hit := range map[*int]bool{&s.Failures: one.Failure != nil, &s.Errors: one.Error != nil, &s.Skipped: one.Skipped != nil} {
		if hit {
			*counter++
		}
	}
	s.Cases = append(s.Cases, one)
}

// headline says in a sentence how a check came off.
func headline(r Result, c Check) string {
	if len(r.Findings) > 0 {
		return r.Findings[0].Message
	}
	return c.Requirement
}

// evidenceText tells the evidence as plain text, for formats that take any.
func evidenceText(r Result, c Check) string {
	var b strings.Builder
	row := func(label, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%s: %s\n", label, text)
		}
	}
	for _, f := range r.Findings {
		row("finding", f.Message)
		row("expected", f.Expected)
		row("got", f.Got)
		row("at", f.Pointer)
		if len(f.Exchanges) > 0 {
			row("calls", strings.Trim(fmt.Sprint(f.Exchanges), "[]"))
		}
	}
	row("clause", c.Clause)
	row("why", c.Why)
	row("fix", c.Hint)
	return b.String()
}
