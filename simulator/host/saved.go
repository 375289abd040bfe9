package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// Saved is the saved state of a world: its records, its clock and the /config settings.
// The positions of cars without a job are not saved: they are at their ranks after
// restoring, as after a restart.
type Saved struct {
	Config Config
	Clock  simulator.Reading
	Live   int // journeys that had not ended

	system taxi.ConfigResponse
	image  *store.Image // of records in memory; nil: they are in a place
	place  store.Place  // that place
}

// Save saves the current state of the world. Records in a database are copied to a
// new place of the same kind; records in memory are copied in memory, and the place is not
// used. All other requests wait meanwhile.
func (h *Host) Save(ctx context.Context, to store.Place) (*Saved, error) {
	l := h.live.Load()
	s := &Saved{Config: l.config, Clock: l.world.Clock().Read(), system: l.world.Service().System()}
	now, leave := l.world.Enter()
	defer leave()
	s.Clock.Now, s.Live = now, len(l.records.AllLive())
	if _, err := l.records.QueueMeta(metaClock, milliseconds(now)); err != nil {
		return nil, fmt.Errorf("save the world: %w", err)
	}
	if s.image = l.records.Image(); s.image != nil {
		return s, nil
	}
	s.place = to
	if err := l.records.CopyTo(ctx, to); err != nil {
		return nil, fmt.Errorf("save the world: %w", errors.Join(err, s.Remove(ctx)))
	}
	return s, nil
}

// savedForm is the JSON form of a saved world, without its records.
type savedForm struct {
	Config Config              `json:"config"`
	Clock  simulator.Reading   `json:"clock"`
	Live   int                 `json:"live"`
	System taxi.ConfigResponse `json:"system"`
}

// MarshalJSON implements [json.Marshaler]. The records, which are in a place, are left
// out.
func (s *Saved) MarshalJSON() ([]byte, error) {
	return json.Marshal(savedForm{s.Config, s.Clock, s.Live, s.system})
}

// UnmarshalJSON implements [json.Unmarshaler]. [Saved.At] names the place of the records.
func (s *Saved) UnmarshalJSON(text []byte) error {
	var f savedForm
	err := json.Unmarshal(text, &f)
	*s = Saved{Config: f.Config, Clock: f.Clock, Live: f.Live, system: f.System}
	return err
}

// At sets the place of the records of a saved world that was decoded from JSON.
func (s *Saved) At(place store.Place) { s.place = place }

// CopyTo writes the records to a new database file, for "serve --db".
func (s *Saved) CopyTo(ctx context.Context, path string) error {
	if s.image != nil {
		return s.image.CopyTo(ctx, path)
	}
	return s.place.Export(ctx, path)
}

// Remove removes the copy of the records of a saved world, if there is one.
func (s *Saved) Remove(ctx context.Context) error {
	if s.place == nil {
		return nil
	}
	return s.place.Remove(ctx)
}

// fetch copies the records of a saved world beside those of a host. put replaces these,
// once they are closed.
func (s *Saved) fetch(ctx context.Context, h *Host) (put func(context.Context) error, err error) {
	switch {
	case s.image != nil && h.deps.Place == nil:
		return func(context.Context) error {
			h.records = store.FromImage(s.image, h.storeOptions())
			return nil
		}, nil
	case s.image == nil && h.deps.Place != nil:
		return h.deps.Place.Fetch(ctx, s.place)
	}
	return nil, errors.New("the world was saved by a host that keeps its records otherwise")
}

// continuedConfig returns the Config, and changes the options, with which a world continues from the saved state.
func (s *Saved) continuedConfig(c Config, o *simulator.Options) Config {
	c.Seed, c.Town = s.Config.Seed, s.Config.Town
	at := s.Clock.Now.Truncate(time.Millisecond)
	c.Start = &at
	o.Seed, o.Speed, o.Callers, o.System = c.Seed, s.Clock.Speed, s.Clock.Callers, s.system
	return c
}
