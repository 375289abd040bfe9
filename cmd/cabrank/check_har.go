package main

import (
	"strings"

	"github.com/cabrank/cabrank/conformance"
)

// isHAR reports an argument that names recorded traffic and no server.
func isHAR(arg string) bool { return strings.HasSuffix(strings.ToLower(arg), ".har") }

// judgeHAR judges recorded traffic.
func judgeHAR(path string, scoring conformance.Scoring, terminal *conformance.Terminal) (*conformance.Report, error) {
	file, err := openFile("har", path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	history, base, err := conformance.ReadHAR(file)
	if err != nil {
		return nil, usageError("%s: %w", path, err)
	}
	report := conformance.ReportOn(base, history)
	tellReport(report, scoring, terminal)
	return report, nil
}

// tellReport tells a report on traffic that is over: what it had no bearing on
// is left out of the list and counted in the summary.
func tellReport(report *conformance.Report, scoring conformance.Scoring, terminal *conformance.Terminal) {
	report.Score(scoring, now())
	for _, r := range report.Checks {
		if r.Outcome != conformance.NotVerified {
			terminal.Check(r)
		}
	}
	terminal.Summary(report)
}
