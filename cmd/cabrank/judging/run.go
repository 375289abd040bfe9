package judging

import (
	"context"
	"errors"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/report"
)

// Judge runs the suite and prints its verdicts.
func Judge(ctx context.Context, target dispatchside.Target, scoring conformance.Scoring, terminal *report.Terminal) (*conformance.Report, error) {
	target.Preflight = terminal.Step
	report, err := dispatchside.Run(ctx, target)
	if err != nil {
		return nil, runError(ctx, err)
	}
	report.Score(scoring, cli.Now())
	terminal.Report(report)
	return report, nil
}

// runError gives an error of the suite its exit code.
func runError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return cli.Exit(cli.ExitInterrupted, errors.New("interrupted before the run began; no journey was booked"))
	}
	if unreachable, ok := errors.AsType[*conformance.Unreachable](err); ok {
		return cli.Exit(cli.ExitUnreachable, unreachable)
	}
	if errors.Is(err, dispatchside.ErrHost) {
		return cli.UsageError("%w; --allow-host allows it", err)
	}
	return cli.Exit(cli.ExitUsage, err)
}
