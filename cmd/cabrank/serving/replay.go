package serving

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/host"
)

func newReplay(out cli.Outside) *cobra.Command {
	var save, town string
	cmd := &cobra.Command{
		Use:   "replay RECORDING",
		Short: "Repeat a recorded run and compare it byte for byte",
		Long: `Repeat a run that 'cabrank serve --record FILE' recorded: create the same town, execute the same commands at
the same times of its clock, and compare the result with the recording, byte for byte. The output is
"identical", or the first line that differs.

A recording from an unknown source is safe: it cannot make this command open a file. If the run used a file
with streets, pass it with --town.

A recording contains names and phone numbers, because the run cannot be repeated without them. Protect it
like the bookings. A run that started with an existing database cannot be repeated from its recording.

Exit codes: 0 identical, 1 different, 2 the file cannot be read or repeated.`,
		Example: `  cabrank serve --speed 60 --record day.jsonl
  cabrank replay day.jsonl
  cabrank replay day.jsonl --out again.jsonl`,
		Args: cli.ExactArgs("RECORDING"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if path, _, ok := strings.Cut(args[0], "#"); ok {
				return cli.UsageError("%s is part of the run file of a check; use 'cabrank repeat %s'. 'cabrank replay' needs a recording of 'cabrank serve --record', such as %s", args[0], args[0], path)
			}
			return repeatRun(cmd.Context(), args[0], town, save, out)
		},
	}
	cmd.Flags().StringVar(&town, "town", "", "the .geojson or .osm.pbf file of the recorded run (serve --town FILE)")
	cmd.Flags().StringVar(&save, "out", "", "write the recording of the repeated run to this file")
	return cmd
}

func repeatRun(ctx context.Context, path, town, save string, out cli.Outside) error {
	text, err := readRecording(path)
	if err != nil {
		return cli.Exit(cli.ExitUsage, err)
	}
	if _, err := conformance.ReadRunFile(bytes.NewReader(text), &dispatchside.Suite); err == nil {
		return cli.UsageError("%s is the run file of a check: 'cabrank repeat %s#ID' repeats the requests for the verdict on a check, '%s#N' those that led to a request", path, path, path)
	}
	copied, err := openEmptied("--out", save, out)
	if err != nil {
		return err
	}
	said, err := repeatServer(ctx, text, town, copied)
	fmt.Fprint(out.Stdout, said)
	if _, known := errors.AsType[*cli.ExitError](err); err != nil && !known {
		err = cli.Exit(cli.ExitUsage, fmt.Errorf("%s: %w", path, err))
	}
	if copied != nil {
		err = errors.Join(err, copied.Close())
	}
	return err
}

// readRecording reads a file, up to the largest size of a recording.
func readRecording(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	defer file.Close()
	text, err := simulator.RecordingText(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}

// repeatServer repeats the run of a server and returns the result as text.
func repeatServer(ctx context.Context, text []byte, town string, copied io.Writer) (said string, err error) {
	j, err := simulator.ReadRecording(bytes.NewReader(text))
	if err != nil {
		return "", err
	}
	different, err := host.Replay(ctx, j, town, copied)
	if errors.Is(err, host.ErrTown) {
		return "", fmt.Errorf("%w with --town FILE", err)
	}
	if different != nil {
		return differenceText(different), cli.Exit(cli.ExitFindings, err)
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("identical: %d commands, %d transitions, sha256 %x\n", j.Commands, j.Transitions, j.Sum), nil
}

// differenceText shows the first line at which two runs differ.
func differenceText(d *simulator.Difference) string {
	return fmt.Sprintf("different from line %d on\n  was  %s\n  is   %s\n", d.Line, lineOrEnd(d.Was), lineOrEnd(d.Is))
}

// lineOrEnd returns the line, or a mark for the end of the file.
func lineOrEnd(line string) string {
	if line == "" {
		return "(the end)"
	}
	return line
}
