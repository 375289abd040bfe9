package control

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/store"
)

// Calls of a [Server].
var (
	ResetWorld  = Call[ResetOrder, Overview]{post("reset", "/reset", "Reset the world", reset).free().refuses(http.StatusNotFound)}
	ReseedWorld = Call[SeedOrder, Overview]{post("reseed", "/seed", "Reset the world with another seed", reseed).free()}
)

// Initial users of a world after a reset.
const (
	toEmpty    = "empty"    // no users
	toFixtures = "fixtures" // the users of a new world
)

// Kept is a part that a reset may keep.
type Kept string

// The parts that can be kept.
const (
	KeepJournal Kept = "journal"
	KeepFaults  Kept = "faults"
)

// ResetOrder describes a reset.
type ResetOrder struct {
	To   string     `json:"to,omitempty"`   // empty, fixtures (the default), or the name of a snapshot
	Keep []Kept     `json:"keep,omitempty"` // parts to keep; other parts are cleared
	Seed *uint64    `json:"seed,omitempty"` // left out: the same seed, so that ids are the same again
	Now  *time.Time `json:"now,omitempty"`  // start of the clock; left out: its previous start, or the real time if it runs
}

func reset(c *call, o ResetOrder) (out Overview, err error) {
	if i := slices.IndexFunc(o.Keep, func(k Kept) bool { return k != KeepJournal && k != KeepFaults }); i >= 0 {
		return out, taxi.InvalidField(pointerTo("keep", i), "range", "is %q, want journal or faults", o.Keep[i])
	}
	from, leave, err := c.from(o.To)
	if err != nil {
		return out, err
	}
	defer leave()
	switch {
	case from != nil && o.Seed != nil:
		return out, taxi.InvalidField("/seed", "range", "is the snapshot's own")
	case from != nil && o.Now != nil:
		return out, taxi.InvalidField("/now", "range", "is the snapshot's own")
	}
	return c.begin(host.Reset{Seed: o.Seed, Start: o.Now, Nobody: o.To == toEmpty, From: from}, o.Keep)
}

// SeedOrder is a seed.
type SeedOrder struct {
	Seed *uint64 `json:"seed"`
}

// reseed resets the world with another seed. Everything random depends on the seed,
// including ids, so that a world cannot change it otherwise.
func reseed(c *call, o SeedOrder) (Overview, error) {
	if o.Seed == nil {
		return Overview{}, taxi.InvalidField("/seed", "required", "is missing")
	}
	return c.begin(host.Reset{Seed: o.Seed}, nil)
}

// begin resets the sandbox's world. It continues even if the client disconnects, since a
// partial reset would leave no usable world.
func (c *call) begin(r host.Reset, keep []Kept) (out Overview, err error) {
	c.takeLong()
	ctx := context.WithoutCancel(c.Context)
	var kept error // the gate opens again: the new world continues
	err = c.box.Gate.Change(func(h *host.Host) error {
		if err := h.Reset(ctx, r); err != nil {
			return err
		}
		c.box.clear(keep)
		kept = c.box.memory.wait(ctx)
		return nil
	})
	if wrong, ok := errors.AsType[*host.ConfigError](err); ok && wrong.Field == "start" {
		return out, taxi.InvalidField("/now", "range", "%s", strings.TrimSpace(wrong.Says()))
	}
	switch {
	case errors.Is(err, host.ErrUnchanged) && errors.Is(err, store.ErrUnavailable):
		return out, err // nothing was changed
	case errors.Is(err, host.ErrUnchanged):
		c.server.log.Error("a snapshot cannot be restored", "sandbox", c.box.Name, "error", err)
		return out, taxi.NewProblem(http.StatusInternalServerError, taxi.CodeInternal, "the snapshot cannot be read, and nothing was changed; the log says more")
	case errors.Is(err, store.ErrUnavailable):
		c.server.worlds.Reopen(c.box.World)
		return out, fmt.Errorf("%w: %w", store.ErrUnknown, err)
	case err != nil:
		return out, err
	}
	return c.server.overviewOf(c.box), kept
}

// clear removes the contents of a sandbox beside its world, except for the parts to keep.
func (b *sandbox) clear(keep []Kept) {
	b.scenarios.leave(b.Now(), "the world began anew", b.faults)
	b.setAnswers(AnswersAll)
	if !slices.Contains(keep, KeepFaults) {
		b.faults.Clear()
	}
	b.faults.Begin(b.Gate.Latest().Config().Seed)
	if b.journal != nil && !slices.Contains(keep, KeepJournal) {
		b.journal.Clear()
	}
}
