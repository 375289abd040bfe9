package simulator_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// never says why a code is given by no server of ours.
var never = map[taxi.Code]string{
	taxi.CodeForbidden: "whoever shows the credentials may do everything; for vendors who tell callers apart",
}

// desk is a dispatch system that is asked for what it refuses.
type desk struct {
	*testing.T
	records *shaky
	world   *simulator.World
	service *dispatch.Service
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

func openDesk(t *testing.T, unwritten store.Ticket, o dispatch.HTTPOptions) *desk {
	t.Helper()
	policy := dispatch.DefaultPolicy()
	policy.RefuseLate, policy.AreaRadius = true, 60_000
	records := &shaky{fullDisk: &fullDisk{Store: store.Memory(), unwritten: unwritten}}
	w, err := simulator.New(t.Context(), records, simulator.Options{Seed: 1, Cars: 3, Policy: &policy})
	require.NoError(t, err)
	require.NoError(t, w.Populate(t.Context(), slices.DeleteFunc(fixtures.People(), func(p fixtures.Person) bool {
		return p.Kind != fixtures.PersonDisabled && p.Kind != fixtures.PersonBlacklisted
	})))
	d := &desk{T: t, records: records, world: w, service: w.Service()}
	d.handler = d.service.Handler(w.Clock().Now, o)
	return d
}

// post sends a body and returns the code of the refusal, if it is one.
func (d *desk) post(path string, body io.Reader, header ...string) taxi.Code {
	d.Helper()
	return d.send(http.MethodPost, path, body, header...)
}

func (d *desk) send(method, path string, body io.Reader, header ...string) taxi.Code {
	d.Helper()
	r := httptest.NewRequestWithContext(d.Context(), method, path, body)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer := httptest.NewRecorder()
	d.handler.ServeHTTP(answer, r)
	var p taxi.Problem
	if answer.Code != http.StatusOK {
		require.NoError(d, contract()(path, answer.Code, answer.Body.Bytes()))
		require.NoError(d, json.Unmarshal(answer.Body.Bytes(), &p))
	}
	return p.Code
}

// book sends a booking for now, changed by spoil.
func (d *desk) book(spoil func(*taxi.BookRequest)) taxi.Code {
	d.Helper()
	r := request(1, d.world.Clock().Now(), station, hospital)
	spoil(&r)
	body, err := json.Marshal(r)
	require.NoError(d, err)
	return d.post(taxi.PathBook, strings.NewReader(string(body)))
}

// at makes a booking, takes it to a status, and returns its reference as JSON.
func (d *desk) at(s taxi.Status) io.Reader {
	d.Helper()
	j, err := d.service.Book(d.Context(), request(1, d.world.Clock().Now(), station, hospital))
	require.NoError(d, err)
	require.NoError(d, d.world.Clock().UntilStatus(d.Context(), j.JourneyID, s, time.Hour))
	is, err := d.records.Journey(d.Context(), j.JourneyID)
	require.NoError(d, err)
	return strings.NewReader(fmt.Sprintf(`{"journeyId":%q,"userId":%q}`, j.JourneyID, is.UserID))
}

const ada = `{"name":"Ada","phoneNumber":"+442079460001","pickup":{"address":"Station","location":{"longitude":2.1,"latitude":54.7}},` +
	`"dropoffs":[{"address":"Hospital","location":{"longitude":2.12,"latitude":54.71}}],"pickupTime":"2026-06-01T08:00:00Z"}`

// spoiled are bookings with one mistake.
var spoiled = map[taxi.Code][]func(*taxi.BookRequest){
	taxi.CodeValidationFailed: {
		func(r *taxi.BookRequest) { r.Name = " " },
		func(r *taxi.BookRequest) { r.Data = json.RawMessage(`[1]`) },
	},
	taxi.CodePhoneInvalid:           {func(r *taxi.BookRequest) { r.PhoneNumber = "+12" }},
	taxi.CodeAddressUnknown:         {func(r *taxi.BookRequest) { r.Pickup = &taxi.Address{Address: "?", Location: &taxi.Point{}} }},
	taxi.CodeOutsideServiceArea:     {func(r *taxi.BookRequest) { r.Pickup = &york }},
	taxi.CodePickupInPast:           {func(r *taxi.BookRequest) { r.PickupTime = taxi.At(r.PickupTime.AddDate(0, 0, -1)) }},
	taxi.CodePickupTooFarAhead:      {func(r *taxi.BookRequest) { r.PickupTime = taxi.At(r.PickupTime.AddDate(1, 0, 0)) }},
	taxi.CodeTooManyDropoffs:        {func(r *taxi.BookRequest) { r.Dropoffs = slices.Repeat(r.Dropoffs, 11) }},
	taxi.CodeUnknownVehicleCategory: {func(r *taxi.BookRequest) { r.VehicleCategory = "rocket" }},
	taxi.CodeJourneyNotFound:        {func(r *taxi.BookRequest) { r.JourneyID = new(taxi.JourneyID("J0000000")) }},
	taxi.CodeUserNotFound:           {func(r *taxi.BookRequest) { r.UserID = "U0000000" }},
	taxi.CodeUserDisabled:           {func(r *taxi.BookRequest) { r.PhoneNumber = "+442079460101" }},
	taxi.CodeUserBlacklisted:        {func(r *taxi.BookRequest) { r.PhoneNumber = "+442079460102" }},
}

// scenes are requests that are refused for what has happened before, or for how they are sent.
var scenes = map[taxi.Code]func(*desk) taxi.Code{
	taxi.CodeUnauthenticated: func(d *desk) taxi.Code {
		d.handler = d.service.Handler(d.world.Clock().Now, dispatch.HTTPOptions{Credentials: taxi.Credentials{Style: taxi.AuthBearer, Secret: "s3cret"}})
		return d.post(taxi.PathConfig, strings.NewReader("{}"))
	},
	taxi.CodeRateLimited: func(d *desk) (code taxi.Code) {
		d.handler = d.service.Handler(d.world.Clock().Now, dispatch.HTTPOptions{RatePerSecond: 1})
		for range 4 {
			code = d.post(taxi.PathConfig, strings.NewReader("{}"))
		}
		return code
	},
	taxi.CodeNotFound:         func(d *desk) taxi.Code { return d.post("/elsewhere", nil) },
	taxi.CodeMethodNotAllowed: func(d *desk) taxi.Code { return d.send(http.MethodGet, taxi.PathBook, nil) },
	taxi.CodeNotAcceptable: func(d *desk) taxi.Code {
		return d.post(taxi.PathConfig, strings.NewReader("{}"), "Accept", "text/html")
	},
	taxi.CodeUnsupportedMediaType: func(d *desk) taxi.Code {
		return d.post(taxi.PathConfig, strings.NewReader("{}"), "Content-Type", "text/plain")
	},
	taxi.CodeMalformedJSON: func(d *desk) taxi.Code { return d.post(taxi.PathBook, strings.NewReader("{")) },
	taxi.CodeTooLarge: func(d *desk) taxi.Code {
		return d.post(taxi.PathBook, strings.NewReader(`{"name":"`+strings.Repeat("x", 70<<10)+`"}`))
	},
	taxi.CodeRequestTimeout: func(d *desk) taxi.Code {
		return d.post(taxi.PathBook, iotest.ErrReader(os.ErrDeadlineExceeded))
	},
	taxi.CodeIdempotencyKeyReused: func(d *desk) taxi.Code {
		require.Empty(d, d.post(taxi.PathBook, strings.NewReader(ada), taxi.IdempotencyHeader, "k"))
		return d.post(taxi.PathBook, strings.NewReader(ada+" "), taxi.IdempotencyHeader, "k")
	},
	taxi.CodeRequestInFlight: inFlight,
	taxi.CodeTooManyBookings: func(d *desk) taxi.Code {
		var r taxi.BookRequest
		require.NoError(d, json.Unmarshal([]byte(ada), &r))
		for range d.service.Policy().MaxLive {
			_, _, err := d.service.BookNoWait(r)
			require.NoError(d, err)
		}
		return d.post(taxi.PathBook, strings.NewReader(ada))
	},
	taxi.CodeInternal: func(d *desk) taxi.Code {
		d.records.broken = true
		return d.post(taxi.PathBook, strings.NewReader(ada))
	},
	taxi.CodeStorageUnavailable: func(d *desk) taxi.Code {
		d.records.full = true
		return d.post(taxi.PathBook, strings.NewReader(ada))
	},
	taxi.CodeOutcomeUnknown: func(d *desk) taxi.Code {
		d.records.full, d.records.accepts = true, 1
		return d.post(taxi.PathBook, strings.NewReader(ada))
	},
	taxi.CodeServiceClosed: func(d *desk) taxi.Code {
		d.service.SetSystem(taxi.ConfigResponse{Status: taxi.SystemClosed})
		return d.post(taxi.PathBook, strings.NewReader(ada))
	},
	taxi.CodeDispatchPaused: func(d *desk) taxi.Code {
		d.service.SetSystem(taxi.ConfigResponse{Status: taxi.SystemMaintenance})
		return d.post(taxi.PathBook, strings.NewReader(ada))
	},
	taxi.CodeCancelRefused:     func(d *desk) taxi.Code { return d.post(taxi.PathCancel, d.at(taxi.Arrived)) },
	taxi.CodeJourneyInProgress: func(d *desk) taxi.Code { return d.post(taxi.PathCancel, d.at(taxi.POB)) },
	taxi.CodeJourneyClosed:     func(d *desk) taxi.Code { return d.post(taxi.PathCancel, d.at(taxi.Complete)) },
	taxi.CodeEditNotAllowed: func(d *desk) taxi.Code {
		var ref taxi.JourneyRef
		require.NoError(d, json.NewDecoder(d.at(taxi.POB)).Decode(&ref))
		return d.book(func(r *taxi.BookRequest) { r.JourneyID, r.UserID, r.Pickup = &ref.JourneyID, ref.UserID, &harbour })
	},
}

// inFlight sends a booking while the same one is being made.
func inFlight(d *desk) taxi.Code {
	held, first := make(chan struct{}), make(chan taxi.Code)
	d.records.held, d.records.letGo = held, make(chan struct{})
	go func() { first <- d.post(taxi.PathBook, strings.NewReader(ada), taxi.IdempotencyHeader, "k") }()
	<-held
	second := d.post(taxi.PathBook, strings.NewReader(ada), taxi.IdempotencyHeader, "k")
	close(d.records.letGo)
	require.Empty(d, <-first)
	return second
}

// TestEveryCodeIsReached has each code of the service answered.
func TestEveryCodeIsReached(t *testing.T) {
	unwritten := lostTicket(t)
	for _, code := range dispatch.Codes() {
		t.Run(string(code), func(t *testing.T) {
			scene, known := scenes[code]
			if known {
				require.Equal(t, code, scene(openDesk(t, unwritten, dispatch.HTTPOptions{})))
			}
			for _, spoil := range spoiled[code] {
				require.Equal(t, code, openDesk(t, unwritten, dispatch.HTTPOptions{}).book(spoil))
			}
			require.True(t, known || spoiled[code] != nil || never[code] != "", "nothing reaches it")
		})
	}
}
