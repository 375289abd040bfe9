package control

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/host"
)

func resetCalls() calls {
	return calls{
		post("reset", "/reset", "Begin the world anew", reset).free().more(`A recording that is being made begins anew, too: what was
			recorded is gone. While there is one no snapshot is restored (409, code `+"`recording`).").
			refuses(http.StatusNotFound, http.StatusConflict),
		post("reseed", "/seed", "Begin the world anew with another seed", reseed).free().
			more("A recording that is being made begins anew, too: what was recorded is gone."),
	}.tagged("World")
}

// What a world may begin anew with.
const (
	toEmpty    = "empty"    // nobody is known
	toFixtures = "fixtures" // the people that every world knows at first
)

// Kept is what a reset may leave as it is.
type Kept string

// What can be kept.
const (
	KeepJournal Kept = "journal"
	KeepFaults  Kept = "faults"
)

// ResetOrder says how a world is to begin anew.
type ResetOrder struct {
	To   string     `json:"to,omitempty"`   // empty, the name of a snapshot, or fixtures, which is meant if it is left out
	Keep []Kept     `json:"keep,omitempty"` // what is left out is cleared
	Seed *uint64    `json:"seed,omitempty"` // left out: the same, so that ids are the same again
	Now  *time.Time `json:"now,omitempty"`  // where the clock begins; left out: where it began, or at the wall's time if it runs
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

// SeedOrder names a seed.
type SeedOrder struct {
	Seed *uint64 `json:"seed"`
}

// reseed begins the world anew with another seed: everything left to chance follows from
// it, ids too, so that no world can change it on the way.
func reseed(c *call, o SeedOrder) (Overview, error) {
	if o.Seed == nil {
		return Overview{}, taxi.InvalidField("/seed", "required", "is missing")
	}
	return c.begin(host.Reset{Seed: o.Seed}, nil)
}

// begin makes the sandbox's world begin anew. Whoever has asked may go meanwhile: half a
// reset is none.
func (c *call) begin(r host.Reset, keep []Kept) (out Overview, err error) {
	c.takeLong()
	ctx := context.WithoutCancel(c.Context)
	err = c.box.Gate.Change(func(h *host.Host) error {
		if err := h.Reset(ctx, r); err != nil {
			return err
		}
		c.box.clear(keep)
		return nil
	})
	if wrong, ok := errors.AsType[*host.ConfigError](err); ok && wrong.Field == "start" {
		return out, taxi.InvalidField("/now", "range", "%s", strings.TrimSpace(wrong.Says()))
	}
	switch {
	case errors.Is(err, host.ErrRecording):
		return out, taxi.NewProblem(http.StatusConflict, codeRecording,
			"a recording is being made, and would be lost: serve without --record to restore a snapshot; nothing was changed")
	case errors.Is(err, host.ErrUnchanged):
		c.server.log.Error("a snapshot cannot be restored", "sandbox", c.box.Name, "error", err)
		return out, taxi.NewProblem(http.StatusInternalServerError, taxi.CodeInternal, "the snapshot cannot be read, and nothing was changed; the log says more")
	case err != nil:
		return out, err
	}
	return c.server.overviewOf(c.box), nil
}

// clear forgets what a sandbox has beside its world.
func (b *sandbox) clear(keep []Kept) {
	b.stage.leave(b.Now(), "the world began anew", b.faults)
	b.answers.Store(AnswersAll)
	if !slices.Contains(keep, KeepFaults) {
		b.faults.Clear()
	}
	b.faults.Begin(b.Gate.Latest().Config().Seed)
	if b.journal != nil && !slices.Contains(keep, KeepJournal) {
		b.journal.Clear()
	}
}
