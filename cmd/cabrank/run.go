package main

import (
	"context"
	"errors"

	"github.com/cabrank/cabrank/conformance"
)

// judge runs the suite and prints its verdicts.
func judge(ctx context.Context, target conformance.Target, scoring conformance.Scoring, terminal *conformance.Terminal) (*conformance.Report, error) {
	target.Preflight, target.Progress = terminal.Step, terminal.Progress
	report, err := conformance.Run(ctx, target)
	if err != nil {
		return nil, runError(ctx, err)
	}
	report.Score(scoring, now())
	terminal.Report(report)
	return report, nil
}

// runError gives an error of the suite its exit code.
func runError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &exitError{exitInterrupted, errors.New("interrupted before the run began; no journey was booked")}
	}
	if unreachable, ok := errors.AsType[*conformance.Unreachable](err); ok {
		return &exitError{exitUnreachable, unreachable}
	}
	if errors.Is(err, conformance.ErrHost) {
		return usageError("%w; --allow-host allows it", err)
	}
	return &exitError{exitUsage, err}
}
