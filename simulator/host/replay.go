package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// Replay creates the world of a recording again, in memory, executes the same commands at
// the same times of its clock, and compares the new recording with the old one, byte for
// byte, up to the first difference; it returns nil if there is none. The new recording is
// also written to out, unless that is nil. A recording may come from anybody, so it never
// decides which file is opened: if its world had the streets of a file, town is the path
// of that file; "": none.
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
	if o.Town, err = Streets(c.Town); err != nil {
		return nil, err
	}
	records, err := store.Open(ctx, "", store.Options{RecentWindow: c.byTheWall(max(time.Duration(c.DuplicateWindow), time.Second))})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, records.Close()) }()
	return rec.Replay(ctx, records, o, out)
}

// ErrTown means that a recording's world had the streets of a file, and that no file was
// given.
var ErrTown = errors.New("its world had the streets of a file, and a recording opens none by itself")

// townOf returns the town of a recorded world: its own if that is not a file, and
// otherwise the file that the user has named.
func townOf(recorded, named string) (string, error) {
	own := recorded == DefaultTown || recorded == "none"
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
