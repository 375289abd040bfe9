package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// Replay makes the world of a recording again, in memory, gives it the same
// commands at the same moments of its clock and compares what it records with
// what was recorded, byte for byte, up to the first difference; nil means that
// there is none. What it records also goes to out, unless that is nil. A recording may come
// from anybody, so that it opens no file: where its world had the streets of one, town is
// that file, as whoever repeats it names it; "": none is opened.
func Replay(ctx context.Context, rec *simulator.Recording, town string, out io.Writer) (_ *simulator.Difference, err error) {
	c, err := ReadRecipe(rec.Recipe)
	if err != nil {
		return nil, err
	}
	o, err := c.options()
	if err != nil {
		return nil, err
	}
	o.IDs = c.ids()
	if c.Town, err = townOf(c.Town, town); err != nil {
		return nil, err
	}
	if o.Town, err = Streets(c.Town, c.GrowsFrom()); err != nil {
		return nil, err
	}
	records, err := store.Open(ctx, "", store.Options{RecentWindow: c.byTheWall(max(time.Duration(c.DuplicateWindow), time.Second))})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, records.Close()) }()
	return rec.Replay(ctx, records, o, out)
}

// ErrTown means that a recording's world had the streets of a file, which was not named.
var ErrTown = errors.New("its world had the streets of a file, and a recording opens none by itself")

// townOf returns the town that a recorded world is made with: its own if that is no file,
// and otherwise the file that whoever repeats the run has named.
func townOf(recorded, named string) (string, error) {
	_, err := strconv.Atoi(recorded)
	own := err == nil || recorded == "none"
	switch {
	case own && named != "":
		return "", fmt.Errorf("its world has streets of its own (%s): no file belongs to it", recorded)
	case own:
		return recorded, nil
	case named == "":
		return "", fmt.Errorf("%w: name the file that %.100q was", ErrTown, recorded)
	}
	return named, nil
}
