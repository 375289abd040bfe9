package main

import (
	"context"
	"strings"

	"github.com/cabrank/cabrank/conformance"
)

// repeatStory repeats the calls of an earlier run that show a verdict.
func repeatStory(ctx context.Context, what string, target conformance.Target, scoring conformance.Scoring, terminal *conformance.Terminal) (*conformance.Report, error) {
	path, id, ok := strings.Cut(what, "#")
	if !ok || id == "" {
		return nil, usageError("--replay is %q, want RUN#ID, such as run.json#BOK-16 or run.json#12", what)
	}
	earlier, err := readRun(path)
	if err != nil {
		return nil, err
	}
	target.Preflight = terminal.Step
	report, err := conformance.Repeat(ctx, target, earlier, id)
	if err != nil {
		return nil, runError(ctx, err)
	}
	report.Score(scoring, now())
	report.Follow(earlier, id)
	terminal.Report(report)
	return report, nil
}
