package simulator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// Difference is the first line in which a repeated run differs from its recording.
type Difference struct {
	Line int    // counted from 1
	Was  string // in the recording; "" after its end
	Is   string // in the repeated run; "" after its end
}

// ErrOptions means that a world's options differ from those of the recorded world, for
// example in the cars, the tariff or the town.
var ErrOptions = errors.New("this world is not made like the one that wrote the recording")

// Replay creates a world from empty records, executes the recording's commands at their
// times, and compares the new recording with the old one, byte for byte, up to the first
// difference; it returns nil if there is none. Seed, start, number of cars and recording
// are set in o, and the clock is moved by hand; all other options must be those of the
// recorded run. The new recording is also written to out, unless that is nil.
func (rec *Recording) Replay(ctx context.Context, records Records, o Options, out io.Writer) (*Difference, error) {
	if rec.header.Resumed {
		return nil, ErrResumed
	}
	repeated := &comparison{want: rec.lines, out: out}
	var clientShown time.Time // by the client's clock
	o.Seed, o.Start, o.Cars, o.Sweep, o.Recipe = rec.Seed, rec.Start, rec.Cars, rec.header.Sweep, rec.Recipe
	o.Wall, o.Speed, o.Record, o.repetition = nil, 0, repeated, &repetition{
		clientNow: func() time.Time { return clientShown },
		refused:   rec.refused,
	}
	w, err := New(ctx, records, o)
	if err != nil {
		return nil, err
	}
	if repeated.difference != nil {
		return repeated.difference, ErrOptions
	}
	for _, c := range rec.commands {
		if err := w.runUntil(ctx, momentOf(c.At), repeated.done); err != nil || repeated.differs() {
			return repeated.difference, err
		}
		clientShown = time.Time{}
		if c.wall != 0 {
			clientShown = c.wall.time()
		}
		if err := w.execute(ctx, c); err != nil {
			return repeated.difference, fmt.Errorf("replay: %w", err)
		}
	}
	if err := w.runUntil(ctx, rec.until, repeated.done); err != nil {
		return repeated.difference, err
	}
	return repeated.end(), w.recorder.err
}

// runUntil moves the clock to a moment, or until over reports true.
func (w *World) runUntil(ctx context.Context, to moment, over func() bool) error {
	_, err := w.Clock().until(ctx, to, over)
	return err
}

// execute runs a recorded command again.
func (w *World) execute(ctx context.Context, c command) error {
	if c.order != nil {
		return w.repeat(ctx, c.order)
	}
	if c.Op != opPeople {
		return w.service.Execute(ctx, c.Command)
	}
	ticket, err := w.addUsers(c.people)
	if err != nil {
		return err
	}
	return ticket.Wait(ctx)
}

// comparison compares the recording of a repeated run line by line.
type comparison struct {
	want       [][]byte
	lines      int
	difference *Difference // the first
	out        io.Writer   // nil: the lines are not written anywhere
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

func (c *comparison) differs() bool { return c.difference != nil }

// done reports whether all lines have been compared. The recorded run may have stopped in
// the middle of a moment.
func (c *comparison) done() bool { return c.differs() || c.lines == len(c.want) }

// end compares the lengths.
func (c *comparison) end() *Difference {
	if c.difference == nil && c.lines < len(c.want) {
		c.difference = &Difference{Line: c.lines + 1, Was: text(c.want[c.lines])}
	}
	return c.difference
}
