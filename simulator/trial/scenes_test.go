package trial_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/trial"
	"github.com/cabrank/cabrank/store"
)

// office is a dispatch system for one scene: its cars are moved by hand.
type office struct {
	*testing.T
	records *shaky
	service *dispatch.Service
	handler http.Handler
}

// shaky records can be held up, and can break.
type shaky struct {
	*store.Store
	held   chan struct{} // closed when somebody is in; nil: nobody is held up
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
	return s.Store.Apply(fn)
}

func open(t *testing.T, serving dispatch.HTTPOptions) *office {
	t.Helper()
	records := &shaky{Store: store.Memory()}
	o := &office{T: t, records: records}
	w, err := simulator.New(t.Context(), records, simulator.Options{Seed: 1, Cars: 3})
	require.NoError(t, err)
	o.service = w.Service()
	o.handler = o.service.Handler(func() time.Time { return simulator.Epoch }, serving)
	return o
}

// post sends a body and returns the code of the refusal, if it is one.
func (o *office) post(path string, body io.Reader, header ...string) taxi.Code {
	o.Helper()
	return o.send(http.MethodPost, path, body, header...)
}

func (o *office) send(method, path string, body io.Reader, header ...string) taxi.Code {
	o.Helper()
	r := httptest.NewRequestWithContext(o.Context(), method, path, body)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer := httptest.NewRecorder()
	o.handler.ServeHTTP(answer, r)
	var p taxi.Problem
	if answer.Code != http.StatusOK {
		require.NoError(o, json.Unmarshal(answer.Body.Bytes(), &p))
	}
	return p.Code
}

const ada = `{"name":"Ada","phoneNumber":"+442079460001","pickup":{"address":"Station","location":{"longitude":2.1,"latitude":54.7}},` +
	`"dropoffs":[{"address":"Hospital","location":{"longitude":2.12,"latitude":54.71}}],"pickupTime":"2026-06-01T08:00:00Z"}`

// directedCodes plays the scenes in which a request is refused for what no
// platform in its right mind does, or for what no day brings.
func directedCodes(t *testing.T) map[taxi.Code]int {
	t.Helper()
	locked := taxi.Credentials{Style: taxi.AuthBearer, Secret: "s3cret"}
	reached := map[taxi.Code]int{}
	for want, scene := range map[taxi.Code]func(*office) taxi.Code{
		taxi.CodeUnauthenticated: func(o *office) taxi.Code {
			o.handler = o.service.Handler(func() time.Time { return simulator.Epoch }, dispatch.HTTPOptions{Credentials: locked})
			return o.post(taxi.PathConfig, strings.NewReader("{}"))
		},
		taxi.CodeRateLimited: func(o *office) (code taxi.Code) {
			for range 4 {
				code = o.post(taxi.PathConfig, strings.NewReader("{}"))
			}
			return code
		},
		taxi.CodeNotFound:         func(o *office) taxi.Code { return o.post("/elsewhere", nil) },
		taxi.CodeMethodNotAllowed: func(o *office) taxi.Code { return o.send(http.MethodGet, taxi.PathBook, nil) },
		taxi.CodeNotAcceptable: func(o *office) taxi.Code {
			return o.post(taxi.PathConfig, strings.NewReader("{}"), "Accept", "text/html")
		},
		taxi.CodeUnsupportedMediaType: func(o *office) taxi.Code {
			return o.post(taxi.PathConfig, strings.NewReader("{}"), "Content-Type", "text/plain")
		},
		taxi.CodeTooLarge: func(o *office) taxi.Code {
			return o.post(taxi.PathBook, strings.NewReader(`{"name":"`+strings.Repeat("x", 70<<10)+`"}`))
		},
		taxi.CodeRequestTimeout: func(o *office) taxi.Code {
			return o.post(taxi.PathBook, iotest.ErrReader(os.ErrDeadlineExceeded))
		},
		taxi.CodeIdempotencyKeyReused: func(o *office) taxi.Code {
			require.Empty(o, o.post(taxi.PathBook, strings.NewReader(ada), taxi.IdempotencyHeader, "k"))
			return o.post(taxi.PathBook, strings.NewReader(ada+" "), taxi.IdempotencyHeader, "k")
		},
		taxi.CodeRequestInFlight: inFlight,
		taxi.CodeTooManyBookings: func(o *office) taxi.Code {
			var r taxi.BookRequest
			require.NoError(o, json.Unmarshal([]byte(ada), &r))
			for range o.service.Policy().MaxLive {
				_, _, err := o.service.BookNoWait(r)
				require.NoError(o, err)
			}
			return o.post(taxi.PathBook, strings.NewReader(ada))
		},
		taxi.CodeInternal: func(o *office) taxi.Code {
			o.records.broken = true
			return o.post(taxi.PathBook, strings.NewReader(ada))
		},
	} {
		require.Equal(t, want, scene(open(t, dispatch.HTTPOptions{RatePerSecond: 1})))
		reached[want]++
	}
	return reached
}

// inFlight sends a booking while the same one is being made.
func inFlight(o *office) taxi.Code {
	held, first := make(chan struct{}), make(chan taxi.Code)
	o.records.held, o.records.letGo = held, make(chan struct{})
	go func() { first <- o.post(taxi.PathBook, strings.NewReader(ada), taxi.IdempotencyHeader, "k") }()
	<-held
	second := o.post(taxi.PathBook, strings.NewReader(ada), taxi.IdempotencyHeader, "k")
	close(o.records.letGo)
	require.Empty(o, <-first)
	return second
}

// still is a fleet whose cars do not move by themselves; it notes what is told.
type still struct{ told []trial.Step }

func (*still) Quote(time.Time, *store.Journey) (*taxi.Price, *taxi.ETA) { return nil, nil }
func (*still) Track(time.Time, *store.Journey) (*taxi.Point, *taxi.ETA) { return nil, nil }
func (*still) Pickup(time.Time) *taxi.ETA                               { return nil }
func (*still) FlagFall(time.Time) *taxi.Price                           { return nil }

func (s *still) Changed(c dispatch.Change) {
	step := trial.Step{Event: c.Event, To: c.After.Status}
	if c.Before != nil {
		step.From = c.Before.Status
	}
	s.told = append(s.told, step)
}

// directedRows takes journeys along the rows of the table that are for the office
// and for drivers whom no day has.
func directedRows(t *testing.T) map[trial.Step]int {
	t.Helper()
	reached := map[trial.Step]int{}
	accept, setOff, arrive := dispatch.EventAccept, dispatch.EventSetOff, dispatch.EventArrive
	for last, way := range map[trial.Step][]dispatch.Event{
		{From: taxi.Arrived, Event: dispatch.EventDrop, To: taxi.Waiting}: {accept, setOff, arrive, dispatch.EventDrop},
		{From: taxi.Accepted, Event: arrive, To: taxi.Arrived}:            {accept, arrive},
		{From: taxi.EnRoute, Event: dispatch.EventBoard, To: taxi.POB}:    {accept, setOff, dispatch.EventBoard},
	} {
		fleet, records := &still{}, store.Memory()
		service := dispatch.New(records, dispatch.Options{Now: func() time.Time { return simulator.Epoch }, Fleet: fleet})
		var r taxi.BookRequest
		require.NoError(t, json.Unmarshal([]byte(ada), &r))
		j, err := service.Book(t.Context(), r)
		require.NoError(t, err)
		for _, ev := range way {
			now, err := records.Journey(t.Context(), j.JourneyID)
			require.NoError(t, err)
			_, err = service.Advance(simulator.Epoch, dispatch.Step{Journey: j.JourneyID, Event: ev, Offered: now.Revision})
			require.NoError(t, err, ev)
		}
		require.Equal(t, last, fleet.told[len(fleet.told)-1])
		reached[last]++
	}
	return reached
}
