package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
)

// WriteCall writes one call of the run as text: the request and the answer, the verdicts
// that it is evidence for, and a curl command that repeats it.
func WriteCall(w io.Writer, f *conformance.RunFile, id int) error {
	x := f.CallsByID()[id]
	if x == nil {
		return fmt.Errorf("the run has no call %d; it has %d", id, len(f.Calls))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "call %d, of %q, answered after %v\n\n", x.ID, x.Probe, x.Took)
	fmt.Fprintf(&b, "> %s %s\n", printable(x.Request.Method), printable(x.Request.URL))
	message(&b, "> ", x.Request.Header, string(x.Request.Body), x.Request.Cut)
	if x.Response == nil {
		fmt.Fprintf(&b, "\nno answer: %s\n", printable(x.Err))
	} else {
		fmt.Fprintf(&b, "\n< %s %d\n", printable(x.Response.Proto), x.Response.Status)
		message(&b, "< ", x.Response.Header, string(x.Response.Body), x.Response.Cut)
	}
	b.WriteString("\n")
	for _, r := range conformance.ByWeight(f.Checks) {
		for _, finding := range r.Findings {
			if slices.Contains(finding.Exchanges, id) {
				fmt.Fprintf(&b, "%-12s %s %s %s: %s\n", finding.Outcome, r.ID, r.Level, r.Operation, printable(finding.Message))
			}
		}
	}
	b.WriteString("\n")
	if x.Direction == conformance.Received { // the target made the call
		if err := WriteCurl(&b, x); err != nil {
			return fmt.Errorf("write call %d: %w", id, err)
		}
	} else {
		b.WriteString(curlScript(f.Suite, f.Target, []*conformance.Exchange{x}))
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write call %d: %w", id, err)
	}
	return nil
}

// WriteStory writes the last four calls of a probe up to the one that shows a verdict, such as "BOK-16" or
// "W-07@user": one line for each request and one for its answer.
func WriteStory(w io.Writer, f *conformance.RunFile, what string) error {
	const last, widest, narrow = 4, 600, 400 // calls, bytes of the last one, of those before
	calls, err := f.CallsLeadingTo(what)
	if err != nil {
		return err
	}
	var b strings.Builder
	if more := len(calls) - last; more > 0 {
		fmt.Fprintf(&b, "… after %s of the same probe\n", conformance.Count(more, "call"))
		calls = calls[more:]
	}
	for i, x := range calls {
		most := narrow
		if i == len(calls)-1 {
			most = widest
		}
		answered := "no answer: " + printable(x.Err)
		if x.Response != nil {
			answered = fmt.Sprintf("%d %s", x.Response.Status, oneLine(x.Response.Body, most))
		}
		fmt.Fprintf(&b, "%s %s %s\n  → %s\n", printable(x.Request.Method), printable(strings.TrimPrefix(x.Request.URL, f.Target)), oneLine(x.Request.Body, most), answered)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write the calls of %s: %w", what, err)
	}
	return nil
}

// message writes the headers and the body of a request or an answer. Every line starts with mark, so that a
// body cannot imitate the text after it.
func message(b *strings.Builder, mark string, header map[string][]string, body string, cut int) {
	for _, name := range slices.Sorted(maps.Keys(header)) {
		fmt.Fprintf(b, "%s%s: %s\n", mark, printable(name), printable(strings.Join(header[name], ", ")))
	}
	if body != "" {
		fmt.Fprintf(b, "%s\n", strings.TrimSpace(mark))
		for line := range strings.SplitSeq(body, "\n") {
			fmt.Fprintf(b, "%s%s\n", mark, printable(strings.TrimSuffix(line, "\r")))
		}
	}
	if cut > 0 {
		fmt.Fprintf(b, "%s… and %s that are not in the run file\n", mark, conformance.Count(cut, "byte"))
	}
}
