package host

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// Replay makes the world of a recording again, in memory, gives it the same
// commands at the same moments of its clock and compares what it records with
// what was recorded, byte for byte, up to the first difference; nil means that
// there is none. What it records also goes to out, unless that is nil.
func Replay(ctx context.Context, rec *simulator.Recording, out io.Writer) (_ *simulator.Difference, err error) {
	c, err := ReadRecipe(rec.Recipe)
	if err != nil {
		return nil, err
	}
	o, err := c.options()
	if err != nil {
		return nil, err
	}
	if o.Town, err = Streets(c.Town, c.Seed); err != nil {
		return nil, err
	}
	records, err := store.Open(ctx, "", store.Options{RecentWindow: c.byTheWall(max(time.Duration(c.DuplicateWindow), time.Second))})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, records.Close()) }()
	return rec.Replay(ctx, records, o, out)
}
