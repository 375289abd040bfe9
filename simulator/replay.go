package simulator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// Difference is where a repeated run first parts from its recording.
type Difference struct {
	Line int    // counted from 1
	Was  string // as the recording has it; "" where it has ended
	Is   string // as the repeated run wrote it; "" where that ended
}

// ErrOptions means that a world was not made as the one that wrote the recording
// was: other cars, another tariff, another town.
var ErrOptions = errors.New("this world is not made like the one that wrote the recording")

// Replay makes a world over empty records, gives it the recording's commands at
// their times, and holds what it writes against the recording, byte for byte, up
// to the first difference; nil means that there is none. The seed, the start,
// the number of cars and the recording of o are the run's own, the clock is moved
// by hand; all else must be as it was then. What the repeated run writes also
// goes to out, unless that is nil.
func (rec *Recording) Replay(ctx context.Context, records Records, o Options, out io.Writer) (*Difference, error) {
	if rec.header.Resumed {
		return nil, ErrResumed
	}
	again := &comparison{want: rec.lines, out: out}
	var shown time.Time // by the callers' clock
	o.Seed, o.Start, o.Cars, o.Sweep, o.Recipe = rec.Seed, rec.Start, rec.Cars, rec.header.Sweep, rec.Recipe
	o.Wall, o.Speed, o.Record, o.again = nil, 0, again, &repetition{
		callers: func() time.Time { return shown },
		refused: rec.refused,
	}
	w, err := New(ctx, records, o)
	if err != nil {
		return nil, err
	}
	if again.difference != nil {
		return again.difference, ErrOptions
	}
	for _, c := range rec.commands {
		if err := w.lead(ctx, momentOf(c.At), again.over); err != nil || again.parted() {
			return again.difference, err
		}
		shown = time.Time{}
		if c.wall != 0 {
			shown = c.wall.time()
		}
		if err := w.obey(ctx, c); err != nil {
			return again.difference, fmt.Errorf("replay: %w", err)
		}
	}
	if err := w.lead(ctx, rec.until, again.over); err != nil {
		return again.difference, err
	}
	return again.end(), w.recorder.err
}

// repetition is what a world that repeats another's run is told beforehand.
type repetition struct {
	callers func() time.Time
	refused map[uint64]bool // writes that the other's store did not take
}

// lead moves the clock to a moment, or until it is over.
func (w *World) lead(ctx context.Context, to moment, over func() bool) error {
	_, err := w.Clock().until(ctx, to, over)
	return err
}

// obey gives a world a command that it or its like had before.
func (w *World) obey(ctx context.Context, c command) error {
	if c.Op != opPeople {
		return w.service.Execute(ctx, c.Command)
	}
	ticket, err := w.addUsers(c.people)
	if err != nil {
		return err
	}
	return ticket.Wait(ctx)
}

// comparison is what a repeated run writes its recording to, a line at a time.
type comparison struct {
	want       [][]byte
	lines      int
	difference *Difference // the first
	out        io.Writer   // nil: nobody wants to see it
}

// Write implements [io.Writer].
func (c *comparison) Write(line []byte) (int, error) {
	c.lines++
	switch {
	case c.difference != nil:
	case c.lines > len(c.want):
		c.difference = &Difference{Line: c.lines, Is: text(line)}
	case !bytes.Equal(line, c.want[c.lines-1]):
		c.difference = &Difference{c.lines, text(c.want[c.lines-1]), text(line)}
	}
	if c.out == nil {
		return len(line), nil
	}
	return c.out.Write(line)
}

func text(line []byte) string { return string(bytes.TrimSuffix(line, []byte("\n"))) }

func (c *comparison) parted() bool { return c.difference != nil }

// over reports whether nothing is left to compare: the run that wrote the recording
// may have been stopped in the middle of a moment.
func (c *comparison) over() bool { return c.parted() || c.lines == len(c.want) }

// end compares the lengths.
func (c *comparison) end() *Difference {
	if c.difference == nil && c.lines < len(c.want) {
		c.difference = &Difference{Line: c.lines + 1, Was: text(c.want[c.lines])}
	}
	return c.difference
}
