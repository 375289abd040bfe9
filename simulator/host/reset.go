package host

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cabrank/cabrank/fixtures"
)

// ErrUnchanged means that a request failed and nothing was changed.
var ErrUnchanged = errors.New("nothing was changed")

// Reset describes a reset. The zero value gives the world that [Open] creates with new
// records: the same seed, the same people, the same ids.
type Reset struct {
	Seed   *uint64    // new seed; nil: the current one
	Start  *time.Time // start of the clock; nil: that of [Config], or else its first start if it is moved by hand
	Nobody bool       // start without users

	From *Saved // the world to restore, which ignores the members above; nil: a new world
}

// Reset ends the world and removes its records, and begins again with new ones in the
// same place. Those of a saved world replace the old ones, which stay until then. The caller must keep
// requests out meanwhile. After a [ConfigError] or an [ErrUnchanged] nothing has changed;
// after any other error the host must be closed.
func (h *Host) Reset(ctx context.Context, r Reset) error {
	config := h.Config()
	if r.Seed != nil {
		config.Seed = *r.Seed
	}
	config.Start = h.given
	if r.Start != nil {
		config.Start = r.Start
	}
	options, err := config.options()
	if err != nil {
		return err
	}
	if config.Start == nil && config.Speed == 0 {
		config.Start = &h.began
	}
	put := h.removeRecords
	if r.From != nil {
		config = r.From.continuedConfig(config, &options)
		if put, err = r.From.fetch(ctx, h); err != nil {
			return fmt.Errorf("restore: %w: %w", ErrUnchanged, err)
		}
	}
	if err := h.end(); err != nil {
		return fmt.Errorf("reset: %w", err)
	}
	people := h.deps.People
	if r.Nobody {
		people = []fixtures.Person{}
	}
	h.config, h.options = config, options
	if err := put(ctx); err != nil {
		return fmt.Errorf("replace the records: %w", err)
	}
	err = h.start(ctx, people)
	if err == nil && r.From != nil {
		err = errors.Join(h.endPast(ctx), h.rememberAll(ctx))
	}
	if err != nil {
		return fmt.Errorf("reset: %w", err)
	}
	return nil
}

// end stops the clock and closes the records.
func (h *Host) end() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stopClock()
	records := h.records
	h.records = nil
	if records == nil {
		return errors.New("the host has no records")
	}
	return records.Close()
}

// removeRecords removes the records in the database, so that the next world begins with none.
func (h *Host) removeRecords(ctx context.Context) error {
	if h.deps.Place == nil {
		return nil
	}
	return h.deps.Place.Remove(ctx)
}
