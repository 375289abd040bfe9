package simulator_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"
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

// TestNoShowIsStoredAfterAnUnstoredCall checks that a no-show is stored although the driver's
// call to the passenger could not be: the disk is full from the arrival until just before the
// driver may leave.
func TestNoShowIsStoredAfterAnUnstoredCall(t *testing.T) {
	records := &fullDisk{Store: store.Memory()}
	tn := openOn(t, records, records.Store, simulator.Options{Seed: 1, Behaviour: simulator.Behaviour{NoShow: 10_000}})
	ref := tn.asap(1, station, hospital)
	tn.until(ref, taxi.Arrived)
	records.full = true
	tn.advance(tn.desk.Policy().WaitASAP - time.Millisecond)
	records.full = false
	require.Equal(t, taxi.ReasonNoShow, tn.until(ref, taxi.Cancelled).Data.Reason)
}

func TestUnstoredBookingIsDiscarded(t *testing.T) {
	records := &troubled{Store: store.Memory(), midway: true}
	tn := openOn(t, records, records.Store, simulator.Options{Seed: 1, Cars: 1})
	_, err := tn.desk.Book(t.Context(), request(1, tn.clock.Now(), station, hospital))
	require.ErrorIs(t, err, store.ErrUnavailable)
	records.midway = false
	require.NoError(t, tn.clock.UntilIdle(t.Context(), time.Hour))
	require.Equal(t, 1, tn.cars()[simulator.CarFree])
	tn.until(tn.asap(1, station, hospital), taxi.Complete)
}

// choosy is a store that fails the first attempt of every change, after its function has run:
// it adds a record that cannot be stored.
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

// TestRetriedEventIsChargedOnce checks that an event whose change is stored only at the second
// attempt is driven, and charged, once.
func TestRetriedEventIsChargedOnce(t *testing.T) {
	drive := func(choosing bool) (price *taxi.Price, stops int) {
		records := &choosy{Store: store.Memory()}
		tn := openOn(t, records, records.Store, simulator.Options{Seed: 1})
		ref := tn.asap(1, station, hospital, harbour, station)
		records.choosing = choosing
		changes, cancel := tn.world.Subscribe(100)
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

// desk is a dispatch system that is sent requests which it refuses.
type desk struct {
	*testing.T
	records *shaky
	handler http.Handler
}

// shaky is a store whose changes can be delayed, and can fail.
type shaky struct {
	*fullDisk
	held   chan struct{} // closed when a change begins; nil: nothing is held up
	letGo  chan struct{}
	broken bool
}

func (s *shaky) Apply(fn func(*store.Tx) error) (store.Ticket, error) {
	if s.held != nil {
		close(s.held)
		s.held = nil
		<-s.letGo
	}
	if s.broken {
		return store.Ticket{}, errors.New("it fell to pieces")
	}
	return s.fullDisk.Apply(fn)
}

func openDesk(t *testing.T, unwritten store.Ticket) *desk {
	t.Helper()
	records := &shaky{fullDisk: &fullDisk{Store: store.Memory(), unwritten: unwritten}}
	w, err := simulator.New(t.Context(), records, simulator.Options{Seed: 1, Cars: 3})
	require.NoError(t, err)
	return &desk{t, records, w.Service().Handler(w.Clock().Now, dispatch.HTTPOptions{})}
}

// book sends a booking and returns the code of the refusal, if it is one.
func (d *desk) book(body io.Reader, header ...string) taxi.Code {
	d.Helper()
	r := httptest.NewRequestWithContext(d.Context(), http.MethodPost, taxi.PathBook, body)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer := httptest.NewRecorder()
	d.handler.ServeHTTP(answer, r)
	var p taxi.Problem
	if answer.Code != http.StatusOK {
		require.NoError(d, asPublished(taxi.PathBook, answer.Code, answer.Body.Bytes()))
		require.NoError(d, json.Unmarshal(answer.Body.Bytes(), &p))
	}
	return p.Code
}

const ada = `{"name":"Ada","phoneNumber":"+442079460001","pickup":{"address":"Station","location":{"longitude":2.1,"latitude":54.7}},` +
	`"dropoffs":[{"address":"Hospital","location":{"longitude":2.12,"latitude":54.71}}],"pickupTime":"2026-06-01T08:00:00Z"}`

// inFlight sends a booking while a request with the same idempotency key is being executed.
func inFlight(d *desk) taxi.Code {
	held, first := make(chan struct{}), make(chan taxi.Code)
	d.records.held, d.records.letGo = held, make(chan struct{})
	go func() { first <- d.book(strings.NewReader(ada), taxi.IdempotencyHeader, "k") }()
	<-held
	second := d.book(strings.NewReader(ada), taxi.IdempotencyHeader, "k")
	close(d.records.letGo)
	require.Empty(d, <-first)
	return second
}

// TestStorageAndTimeoutProblemCodes checks the codes of the problems that occur if a change
// must wait, fails or is lost, or if a body arrives too slowly. Package dispatch tests the
// others.
func TestStorageAndTimeoutProblemCodes(t *testing.T) {
	unwritten := lostTicket(t)
	for code, ask := range map[taxi.Code]func(*desk) taxi.Code{
		taxi.CodeRequestTimeout:  func(d *desk) taxi.Code { return d.book(iotest.ErrReader(os.ErrDeadlineExceeded)) },
		taxi.CodeRequestInFlight: inFlight,
		taxi.CodeInternal: func(d *desk) taxi.Code {
			d.records.broken = true
			return d.book(strings.NewReader(ada))
		},
		taxi.CodeStorageUnavailable: func(d *desk) taxi.Code {
			d.records.full = true
			return d.book(strings.NewReader(ada))
		},
		taxi.CodeOutcomeUnknown: func(d *desk) taxi.Code {
			d.records.full, d.records.accepts = true, 1
			return d.book(strings.NewReader(ada))
		},
	} {
		t.Run(string(code), func(t *testing.T) { require.Equal(t, code, ask(openDesk(t, unwritten))) })
	}
}
