package serving

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/trial"
)

// simulatedWith returns what the days of a recording were made from. ok is false
// if it is a server's.
func simulatedWith(recording []byte) (o trial.Options, ok bool, err error) {
	var first struct{ Recipe json.RawMessage }
	line, _, _ := bytes.Cut(recording, []byte("\n"))
	if json.Unmarshal(line, &first) != nil {
		return o, false, nil
	}
	return trial.ReadRecipe(first.Recipe)
}

// repeatTrial lives the days of a recording again, and says how that went.
func repeatTrial(ctx context.Context, text []byte, o trial.Options, copied io.Writer) (said string, err error) {
	worlds, err := trial.ReadRecording(bytes.NewReader(text))
	if err != nil {
		return "", err
	}
	if o.Scratch, err = os.MkdirTemp("", "cabrank-replay-"); err != nil {
		return "", fmt.Errorf("temporary databases: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(o.Scratch)) }()
	again := &comparison{want: text, out: copied}
	o.Record = again
	if _, err := trial.Run(ctx, o); err != nil {
		return "", err
	}
	if d := again.end(); d != nil {
		return differenceText(d), cli.Exit(cli.ExitFindings, nil)
	}
	commands, transitions := 0, 0
	for _, w := range worlds {
		commands, transitions = commands+w.Commands, transitions+w.Transitions
	}
	return fmt.Sprintf("identical: %d commands, %d transitions, %d starts of the process\n", commands, transitions, len(worlds)), nil
}

// comparison compares what is written, a line at a time, with what it should be.
type comparison struct {
	want  []byte // what is left of it
	lines int
	parts *simulator.Difference
	out   io.Writer // nil: no copy is kept
}

// Write implements [io.Writer]. What comes after the end is no difference: the run
// may have been stopped anywhere.
func (l *comparison) Write(line []byte) (int, error) {
	l.lines++
	was, rest, _ := bytes.Cut(l.want, []byte("\n"))
	if is := bytes.TrimSuffix(line, []byte("\n")); l.parts == nil && len(l.want) > 0 && !bytes.Equal(was, is) {
		l.parts = &simulator.Difference{Line: l.lines, Was: string(was), Is: string(is)}
	}
	l.want = rest
	if l.out == nil {
		return len(line), nil
	}
	return l.out.Write(line)
}

// end returns the first difference.
func (l *comparison) end() *simulator.Difference {
	if was, _, _ := bytes.Cut(l.want, []byte("\n")); l.parts == nil && len(was) > 0 {
		l.parts = &simulator.Difference{Line: l.lines + 1, Was: string(was)}
	}
	return l.parts
}
