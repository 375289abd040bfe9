package store

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Journey returns a copy of a journey, or [ErrNotFound].
func (tx *Tx) Journey(id taxi.JourneyID) (*Journey, error) {
	slot, err := tx.s.journeys.fetch(id)
	if err != nil {
		return nil, fmt.Errorf("journey %s: %w", id, err)
	}
	return slot.now.copy(), nil
}

// PutJourney creates or replaces a journey and makes Revision one more than it
// was. The caller sets UpdatedAt. Apply fails if the journey has no id, if a
// number in it is not finite, or if its Serial is not its own: a new journey's
// comes from [Tx.NextSerial] in the same change, or is higher than any given
// before; an old one's stays.
func (tx *Tx) PutJourney(j *Journey) {
	slot, err := tx.s.journeys.fetch(j.JourneyID)
	var old *Snapshot
	switch {
	case err == nil:
		old = slot.now
	case !errors.Is(err, ErrNotFound):
		tx.refuse(fmt.Errorf("journey %s: %w", j.JourneyID, err))
		return
	}
	if err := tx.checkJourney(j, old); err != nil {
		tx.refuse(fmt.Errorf("journey %q: %w", j.JourneyID, err))
		return
	}
	if old == nil {
		tx.s.serial = max(tx.s.serial, j.Serial)
		tx.created = append(tx.created, j)
		j.Revision++
	} else {
		j.Revision = old.Revision + 1
	}
	j.stamp()
	if j.UpdatedAt.After(tx.s.latest) {
		tx.s.latest = j.UpdatedAt
	}
	tx.s.journeys.put(j.JourneyID, &Snapshot{Journey: j})
}

// checkJourney refuses what the disk could not keep: it must be found here,
// where it fails one change and not a whole group of them.
func (tx *Tx) checkJourney(j *Journey, old *Snapshot) error {
	switch {
	case j.JourneyID == "":
		return errors.New("it has no id")
	case old == nil && j.Serial <= tx.serial:
		return fmt.Errorf("serial %d is not a new one", j.Serial)
	case old != nil && j.Serial != old.Serial:
		return fmt.Errorf("its serial is %d, not %d", old.Serial, j.Serial)
	case !finite(j):
		return errors.New("a coordinate, price or ETA is not a finite number")
	}
	return nil
}

// finite reports whether every number of a journey can be written as JSON.
func finite(j *Journey) bool {
	ok := finitePoint(j.Location)
	if j.ETA != nil {
		ok = ok && isFinite(j.ETA.Value)
	}
	if j.Price != nil {
		ok = ok && isFinite(j.Price.Value)
	}
	if j.Data != nil && j.Data.Charge != nil {
		ok = ok && isFinite(j.Data.Charge.Value)
	}
	if j.Pickup != nil {
		ok = ok && finitePoint(j.Pickup.Location)
	}
	if j.Leg != nil {
		ok = ok && finitePoint(&j.Leg.From) && finitePoint(&j.Leg.To)
	}
	return ok && !slices.ContainsFunc(j.Dropoffs, func(a taxi.Address) bool { return !finitePoint(a.Location) })
}

func finitePoint(p *taxi.Point) bool {
	return p == nil || isFinite(p.Longitude) && isFinite(p.Latitude)
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
