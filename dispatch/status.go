package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// Status answers /status: a journey of this user as it is now. A finished journey
// can be read for Policy.Retention.
func (s *Service) Status(ctx context.Context, r taxi.JourneyRef) (taxi.Journey, error) {
	snap, j, err := s.status(ctx, r, &fieldErrors{})
	if err != nil || j != nil {
		return deref(j), err
	}
	return s.shown(snap.Journey), nil
}

// statusJSON is [Service.Status] as JSON: a journey whose car does not move is written from
// its stored encoding.
func (s *Service) statusJSON(ctx context.Context, r taxi.JourneyRef, f *fieldErrors) (json.RawMessage, error) {
	snap, j, err := s.status(ctx, r, f)
	if err != nil {
		return nil, err
	}
	if j != nil {
		return json.Marshal(j)
	}
	return snap.JSON(), nil
}

// status returns a user's journey. The second result is the journey with its car's position,
// nil if the stored journey can be sent unchanged.
func (s *Service) status(ctx context.Context, r taxi.JourneyRef, f *fieldErrors) (*store.Snapshot, *taxi.Journey, error) {
	f.ref(r)
	if err := f.err(); err != nil {
		return nil, nil, err
	}
	now, leave := s.enter()
	defer leave()
	snap, err := s.ownedJourney(ctx, r)
	if err != nil || s.shownAsStored(snap.Journey) {
		return snap, nil, err
	}
	j := s.withPosition(now, snap.Journey)
	return snap, &j, nil
}

// ownedJourney returns a journey of a user; otherwise the error says that there is none.
func (s *Service) ownedJourney(ctx context.Context, r taxi.JourneyRef) (*store.Snapshot, error) {
	snap, err := s.records.Journey(ctx, r.JourneyID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, journeyNotFound()
	case err != nil:
		return nil, fmt.Errorf("journey %s: %w", r.JourneyID, err)
	case snap.UserID != r.UserID, s.forgetsJourney(snap.Journey):
		return nil, journeyNotFound()
	}
	return snap, nil
}

// withPosition returns a journey with its car's position and ETA. These come from the fleet
// and are not stored, since they change every second.
func (s *Service) withPosition(now time.Time, j *store.Journey) taxi.Journey {
	shown := s.shown(j)
	if presence[j.Status].Location {
		shown.Location, shown.ETA = s.fleet.Track(now, j)
	}
	return shown
}

// shownAsStored reports whether the stored encoding of a journey can be sent unchanged.
func (s *Service) shownAsStored(j *store.Journey) bool {
	return !presence[j.Status].Location && j.AskedAt.IsZero()
}

// shown returns a journey as it is sent. Date is the requested time on the client's clock,
// which may differ from the service's.
func (s *Service) shown(j *store.Journey) taxi.Journey {
	shown := j.Journey
	if !j.AskedAt.IsZero() {
		shown.Date = taxi.At(j.AskedAt.In(s.policy.PickupLocation))
	}
	return shown
}

func deref(j *taxi.Journey) taxi.Journey {
	if j == nil {
		return taxi.Journey{}
	}
	return *j
}

// Gazetteer lists the well-known places of the service area, as /places returns them: their
// names, and addresses for /book.
type Gazetteer struct {
	Town   string  `json:"town"` // "" on an open plane
	Places []Place `json:"places"`
}

// Place is a common pickup or destination.
type Place struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // "station", "hospital", "pub", …
	taxi.Address
}

// listPlaces answers /places.
func (s *web) listPlaces(c *gin.Context) { c.JSON(200, s.places) }
