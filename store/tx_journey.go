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
	slot, err := tx.slot(id)
	if err != nil {
		return nil, fmt.Errorf("journey %s: %w", id, err)
	}
	return tx.draft(slot.now), nil
}

// Peek returns a journey in its present state within the change, or [ErrNotFound]. It is not
// a copy and must not be modified.
func (tx *Tx) Peek(id taxi.JourneyID) (*Journey, error) {
	slot, err := tx.slot(id)
	if err != nil {
		return nil, fmt.Errorf("journey %s: %w", id, err)
	}
	return slot.now.Journey, nil
}

// slot returns a journey's slot, and remembers it for the next call, since a rule needs the
// same one several times.
func (tx *Tx) slot(id taxi.JourneyID) (*journeySlot, error) {
	if tx.found != nil && tx.found.key == id {
		return tx.found, nil
	}
	slot, err := tx.s.journeys.fetch(id)
	if err == nil {
		tx.found = slot
	}
	return slot, err
}

// draft returns a copy of a journey, in a spare snapshot if there is one.
func (tx *Tx) draft(from *Snapshot) *Journey {
	var d *Snapshot
	if last := len(tx.spare) - 1; last >= 0 {
		d, tx.spare = tx.spare[last], tx.spare[:last]
	} else {
		d = &Snapshot{Journey: new(Journey)}
	}
	*d.Journey = *from.Journey
	tx.drafts = append(tx.drafts, d)
	return d.Journey
}

// snapshot returns the snapshot to store a journey in: its draft, or a new one.
func (tx *Tx) snapshot(j *Journey) *Snapshot {
	for i, d := range tx.drafts {
		if d.Journey == j {
			tx.drafts = slices.Delete(tx.drafts, i, i+1)
			return d
		}
	}
	return &Snapshot{Journey: j}
}

// recycle saves a replaced snapshot for reuse, unless it was shared. In a store without a
// disk most are not, and allocating new ones would be half the cost of a simulated day.
func (tx *Tx) recycle(s *Snapshot) {
	if !s.shared.Load() {
		tx.spare = append(tx.spare, s)
	}
}

// end clears the state of the change.
func (tx *Tx) end() {
	clear(tx.created)
	clear(tx.drafts)
	tx.created, tx.drafts = tx.created[:0], tx.drafts[:0]
	tx.found, tx.err = nil, nil
}

// PutJourney creates or replaces a journey and increments Revision. The caller sets
// UpdatedAt. Apply fails if the journey has no id, if a number in it is not finite, or if
// its Serial is wrong: the Serial of a new journey must come from [Tx.NextSerial] in the
// same change, or be higher than any before; that of an existing one must not change.
func (tx *Tx) PutJourney(j *Journey) {
	slot, err := tx.slot(j.JourneyID)
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
	if old != nil && old.Journey == j { // put again
		return
	}
	tx.s.journeys.putAt(slot, j.JourneyID, tx.snapshot(j))
}

// checkJourney returns an error for a journey that the disk could not store. Here it fails one
// change; on the disk it would fail a whole group.
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
	if j.Drive != nil {
		ok = ok && finitePoint(&j.Drive.From) && finitePoint(&j.Drive.To)
	}
	return ok && !slices.ContainsFunc(j.Dropoffs, func(a taxi.Address) bool { return !finitePoint(a.Location) })
}

func finitePoint(p *taxi.Point) bool {
	return p == nil || isFinite(p.Longitude) && isFinite(p.Latitude)
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
