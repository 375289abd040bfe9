package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
)

// mostAnnotations is how many annotations of a kind GitHub shows for one step of a workflow.
const mostAnnotations = 10

// WriteAnnotations writes the main findings as workflow commands of GitHub Actions, at most
// ten lines: "::error" for those that fail the run, "::warning" for the others. file is the
// source file for the annotations; "": none.
func WriteAnnotations(w io.Writer, f *conformance.RunFile, file string) error {
	var b strings.Builder
	rows := rowsOf(&f.Report)
	if f.ExitCode() != conformance.ExitPass && !hasRed(rows) {
		rows = append([]row{{Name: "conformance", Text: f.Verdict(), Red: true}}, rows...)
	}
	for _, one := range rows[:min(len(rows), mostAnnotations)] {
		place := ""
		if file != "" {
			place = "file=" + propertyEscape(file) + ",line=1,"
		}
		lines := slices.DeleteFunc([]string{one.Text, one.Cure, one.Reach}, func(line string) bool { return line == "" })
		kind := map[bool]string{true: "error", false: "warning"}[one.Red]
		fmt.Fprintf(&b, "::%s %stitle=%s::%s\n", kind, place, propertyEscape(one.Name), dataEscape(strings.Join(lines, "\n")))
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write annotations: %w", err)
	}
	return nil
}

func hasRed(rows []row) bool {
	for _, one := range rows {
		if one.Red {
			return true
		}
	}
	return false
}

// dataEscape escapes a text for the message of a workflow command, so that text from a server cannot start
// another command.
func dataEscape(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(printable(line), "%", "%25")
	}
	return strings.Join(lines, "%0A")
}

// propertyEscape escapes a text for a property of a workflow command.
func propertyEscape(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(strings.ReplaceAll(printable(text), "%", "%25"))
}
