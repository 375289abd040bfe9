package main

import (
	"os"
	"strings"

	"github.com/cabrank/cabrank/conformance"
)

// isHAR reports an argument that names recorded traffic and no server.
func isHAR(arg string) bool { return strings.HasSuffix(strings.ToLower(arg), ".har") }

// judgeHAR judges recorded traffic.
func judgeHAR(path string, scoring conformance.Scoring, terminal *conformance.Terminal) (*conformance.Report, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, usageError("recorded traffic: %w", err)
	}
	defer file.Close()
	history, base, err := conformance.ReadHAR(file)
	if err != nil {
		return nil, usageError("%s: %w", path, err)
	}
	report := conformance.ReportOn(base, history)
	report.Score(scoring, now())
	terminal.Report(report)
	return report, nil
}
