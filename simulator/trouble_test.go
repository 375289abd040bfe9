package simulator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// troubled is a store whose disk may be full in the middle of a change.
type troubled struct {
	*store.Store
	midway bool
}

func (s *troubled) Apply(fn func(*store.Tx) error) (store.Ticket, error) {
	return s.Store.Apply(func(tx *store.Tx) error {
		if err := fn(tx); err != nil || !s.midway {
			return err
		}
		return store.ErrUnavailable
	})
}

// TestNoShowAfterACallThatWasNotStored has room on the disk again just before the driver may
// leave.
func TestNoShowAfterACallThatWasNotStored(t *testing.T) {
	records := &fullDisk{Store: store.Memory()}
	w, err := simulator.New(t.Context(), records, simulator.Options{Seed: 1, Behaviour: simulator.Behaviour{NoShow: 10_000}})
	require.NoError(t, err)
	tn := &town{t, records.Store, w, w.Clock(), w.Service()}
	ref := tn.asap(1, station, hospital)
	tn.until(ref, taxi.Arrived)
	records.full = true
	tn.advance(w.Service().Policy().WaitASAP - time.Millisecond)
	records.full = false
	require.Equal(t, taxi.ReasonNoShow, tn.until(ref, taxi.Cancelled).Data.Reason)
}

func TestABookingThatWasNotKeptIsForgotten(t *testing.T) {
	records := &troubled{Store: store.Memory(), midway: true}
	w, err := simulator.New(t.Context(), records, simulator.Options{Seed: 1, Cars: 1})
	require.NoError(t, err)
	_, err = w.Service().Book(t.Context(), request(1, w.Clock().Now(), station, hospital))
	require.ErrorIs(t, err, store.ErrUnavailable)
	records.midway = false
	require.NoError(t, w.Clock().UntilIdle(t.Context(), time.Hour))
	tn := &town{t, records.Store, w, w.Clock(), w.Service()}
	require.Equal(t, 1, tn.cars()[simulator.CarFree])
	tn.until(tn.asap(1, station, hospital), taxi.Complete)
}

// choosy is a store that refuses every change once, when its rule has run already: a
// record that cannot be kept goes with it.
type choosy struct {
	*store.Store
	choosing, again bool
}

func (s *choosy) Apply(fn func(*store.Tx) error) (store.Ticket, error) {
	s.again = s.choosing && !s.again
	return s.Store.Apply(func(tx *store.Tx) error {
		if s.again {
			tx.PutJourney(&store.Journey{}) // it has no id
		}
		return fn(tx)
	})
}

// A step that is tried again is driven, and paid for, once.
func TestATriedStepCountsOnce(t *testing.T) {
	drive := func(choosing bool) (price *taxi.Price, stops int) {
		records := &choosy{Store: store.Memory()}
		w, err := simulator.New(t.Context(), records, simulator.Options{Seed: 1})
		require.NoError(t, err)
		tn := &town{t, records.Store, w, w.Clock(), w.Service()}
		ref := tn.asap(1, station, hospital, harbour, station)
		records.choosing = choosing
		changes, cancel := w.Subscribe(100)
		price = tn.until(ref, taxi.Complete).Price
		cancel()
		for c := range changes {
			if c.Event == dispatch.EventStop {
				stops++
			}
		}
		return price, stops
	}
	smooth, stops := drive(false)
	require.Equal(t, 2, stops)
	rough, stops := drive(true)
	require.Equal(t, 2, stops)
	require.Equal(t, smooth, rough)
}
