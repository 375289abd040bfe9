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

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// desk is a dispatch system that is asked for what it refuses.
type desk struct {
	*testing.T
	records *shaky
	handler http.Handler
}

// shaky records can be held up, and can fail.
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
		require.NoError(d, contract()(taxi.PathBook, answer.Code, answer.Body.Bytes()))
		require.NoError(d, json.Unmarshal(answer.Body.Bytes(), &p))
	}
	return p.Code
}

const ada = `{"name":"Ada","phoneNumber":"+442079460001","pickup":{"address":"Station","location":{"longitude":2.1,"latitude":54.7}},` +
	`"dropoffs":[{"address":"Hospital","location":{"longitude":2.12,"latitude":54.71}}],"pickupTime":"2026-06-01T08:00:00Z"}`

// inFlight sends a booking while the same one is being made.
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

// TestRefusalsOfTheDiskAndTheNetwork has the codes answered for which a change must wait or be
// lost, or a body must come too slowly. Package dispatch has the others answered.
func TestRefusalsOfTheDiskAndTheNetwork(t *testing.T) {
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
