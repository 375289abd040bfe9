package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

func newReplay(out outside) *cobra.Command {
	var save string
	cmd := &cobra.Command{
		Use:   "replay RECORDING",
		Short: "Repeat a recorded run of the fake and compare, byte for byte",
		Long: `Repeat a run that 'cabrank serve --record FILE' recorded: make the same town, give it the same
commands at the same moments of its clock, and compare what happens with the recording, byte for
byte. It says "identical", or shows the first line that differs. The days of 'cabrank simulate
--record FILE' follow from their seed, crashes included: they are run again and compared.

A recording holds the names and phone numbers that callers sent: without them no run can be
repeated. Keep it as you would keep the bookings. A run that went on from an earlier database
cannot be repeated from its recording alone.

Exit codes: 0 identical, 1 different, 2 the file cannot be read or repeated.`,
		Example: `  cabrank serve --speed 60 --record day.jsonl
  cabrank replay day.jsonl
  cabrank replay day.jsonl --out again.jsonl`,
		Args: exactArgs("RECORDING"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if path, _, ok := strings.Cut(args[0], "#"); ok {
				return usageError("%s names calls of a check; 'cabrank repeat %s' makes them again, 'cabrank replay' takes a recording of 'cabrank serve --record', such as %s", args[0], args[0], path)
			}
			return repeatRun(cmd.Context(), args[0], save, out)
		},
	}
	cmd.Flags().StringVar(&save, "out", "", "write the recording of the repeated run to this file")
	return cmd
}

func repeatRun(ctx context.Context, path, save string, out outside) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return &exitError{exitUsage, fmt.Errorf("recording: %w", err)}
	}
	if _, err := conformance.ReadRunFile(bytes.NewReader(text), &conformance.ThirdParty); err == nil {
		return usageError("%s is the run file of a check: 'cabrank repeat %s#ID' makes the calls again that show the verdict on a check, '%s#N' those that lead to a call", path, path, path)
	}
	copied, err := openRecording("--out", save, out)
	if err == nil {
		err = copied.empty()
	}
	if err != nil {
		return err
	}
	said := ""
	if flags := simulatedWith(text); flags != nil {
		said, err = repeatTrial(ctx, text, flags, copied.writer())
	} else {
		said, err = repeatServer(ctx, text, copied.writer())
	}
	fmt.Fprint(out.stdout, said)
	if _, known := errors.AsType[*exitError](err); err != nil && !known {
		err = &exitError{exitUsage, fmt.Errorf("%s: %w", path, err)}
	}
	return errors.Join(err, copied.close())
}

// repeatServer repeats the run of a server, and says how it went.
func repeatServer(ctx context.Context, text []byte, copied io.Writer) (said string, err error) {
	j, err := simulator.ReadRecording(bytes.NewReader(text))
	if err != nil {
		return "", err
	}
	opts, window, err := remake(j.Recipe)
	if err != nil {
		return "", err
	}
	records, forget, err := scratch(ctx, window)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, forget()) }()
	different, err := j.Replay(ctx, records, opts, copied)
	if different != nil {
		return apart(different), &exitError{exitFindings, err}
	}
	return fmt.Sprintf("identical: %d commands, %d transitions, sha256 %x\n", j.Commands, j.Transitions, j.Sum), err
}

// apart shows where two runs part.
func apart(d *simulator.Difference) string {
	return fmt.Sprintf("different from line %d on\n  was  %s\n  is   %s\n", d.Line, orEnd(d.Was), orEnd(d.Is))
}

// orEnd shows a line, or that there is none.
func orEnd(line string) string {
	if line == "" {
		return "(the end)"
	}
	return line
}

// notTheWorlds are the flags that say how a world is reached, kept and paced:
// none of them changes what happens in it.
var notTheWorlds = []string{
	"listen", "url-file", "db", "durability", "auth", "rate", "log", "record",
	"headless", "config", "color", "help",
}

// recipe writes down the flags that a world was made with, for its recording.
func recipe(cmd *cobra.Command) (json.RawMessage, error) {
	used := map[string]string{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(notTheWorlds, f.Name) {
			used[f.Name] = f.Value.String()
		}
	})
	return json.Marshal(used)
}

// remake makes the options of a world from a recipe, and says for how long equal
// bookings are one there.
func remake(recipe json.RawMessage) (simulator.Options, time.Duration, error) {
	var used map[string]string
	if err := json.Unmarshal(recipe, &used); err != nil {
		return simulator.Options{}, 0, fmt.Errorf("the recording does not say with which flags its world was made: %w", err)
	}
	var f systemFlags
	cmd := &cobra.Command{}
	f.add(cmd, 1, "off")
	for name, value := range used {
		if err := cmd.Flags().Set(name, value); err != nil {
			return simulator.Options{}, 0, fmt.Errorf("the recording's world was made with --%s=%s, which this cabrank does not take: %w", name, value, err)
		}
	}
	opts, _, err := f.options(cmd, outside{})
	if err == nil {
		err = f.lay(&opts)
	}
	return opts, f.duplicates * time.Duration(f.speed), err
}

// scratch opens records to be thrown away: in memory, or in a temporary file
// where bookings have to be known again for longer than memory knows them.
func scratch(ctx context.Context, window time.Duration) (records *store.Store, forget func() error, err error) {
	if window <= time.Minute {
		records = store.Memory()
		return records, records.Close, nil
	}
	dir, err := os.MkdirTemp("", "cabrank-replay-")
	if err != nil {
		return nil, nil, fmt.Errorf("temporary database: %w", err)
	}
	records, err = store.Open(ctx, filepath.Join(dir, "cabrank.db"), store.Options{RecentWindow: window, Durability: store.Normal})
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return records, func() error { return errors.Join(records.Close(), os.RemoveAll(dir)) }, nil
}
