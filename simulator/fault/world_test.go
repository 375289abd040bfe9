package fault_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
)

var monday = time.Date(2026, time.June, 1, 8, 0, 0, 0, time.UTC)

// world is a dispatch system with faults, served on a port.
type world struct {
	t      *testing.T
	host   *host.Host
	set    *fault.Set
	url    string
	client *http.Client

	mu     sync.Mutex
	paused time.Duration // that faults had go by, in no time
	told   []fault.Event
}

// begin serves a calm world whose clock stands still.
func begin(t *testing.T, change ...func(*fault.Options)) *world {
	t.Helper()
	c := host.Default()
	c.Speed, c.Cars = 0, 5
	h, err := host.Open(t.Context(), c, host.Deps{Now: func() time.Time { return monday }})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	w := &world{t: t, host: h}
	o := fault.Options{
		Now: w.now, Seed: 1, World: w,
		PhoneOf: func(ctx context.Context, id taxi.UserID) taxi.E164 {
			u, err := h.Records().User(ctx, id)
			if err != nil {
				return ""
			}
			return u.PhoneNumber
		},
		Pause: func(ctx context.Context, d time.Duration) bool {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.paused += d
			return ctx.Err() == nil
		},
		Told: func(e fault.Event) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.told = append(w.told, e)
		},
	}
	for _, f := range change {
		f(&o)
	}
	w.set = fault.New(o)
	server := httptest.NewServer(fault.Handler(w.set, h))
	t.Cleanup(server.Close)
	w.url, w.client = server.URL, server.Client()
	return w
}

func (w *world) now() time.Time { return w.host.World().Clock().Now() }

// Visit implements [fault.World].
func (w *world) Visit(_ context.Context, do func(*host.Host) error) error { return do(w.host) }

// Restart implements [fault.World].
func (w *world) Restart(ctx context.Context, keep bool) error {
	if keep {
		return w.host.Restart(ctx)
	}
	return w.host.Reset(ctx, host.Reset{})
}

// add adds a rule as JSON.
func (w *world) add(rule string) fault.Listed {
	w.t.Helper()
	r, err := fault.Read([]byte(rule))
	require.NoError(w.t, err, rule)
	l, err := w.set.Add(r)
	require.NoError(w.t, err, rule)
	return l
}

// reply is a response as the client sees it.
type reply struct {
	status int
	header http.Header
	body   []byte
	err    error // of the call, or of reading the body
}

func (r reply) journey(t *testing.T) (j taxi.Journey) {
	t.Helper()
	require.NoError(t, r.err)
	require.Equal(t, http.StatusOK, r.status, "%s", r.body)
	require.NoError(t, json.Unmarshal(r.body, &j), "%s", r.body)
	return j
}

func (r reply) tree(t *testing.T) (v map[string]any) {
	t.Helper()
	require.NoError(t, r.err)
	require.NoError(t, json.Unmarshal(r.body, &v), "%s", r.body)
	return v
}

// post calls an operation.
func (w *world) post(op fault.Op, body any) reply {
	w.t.Helper()
	text, err := json.Marshal(body)
	require.NoError(w.t, err)
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.url+"/"+string(op), bytes.NewReader(text))
	require.NoError(w.t, err)
	req.Header.Set("Content-Type", "application/json")
	resp, err := w.client.Transport.RoundTrip(req) // no redirect is followed
	if err != nil {
		return reply{err: err}
	}
	defer resp.Body.Close()
	read, err := io.ReadAll(resp.Body)
	return reply{resp.StatusCode, resp.Header, read, err}
}

const caller taxi.E164 = "442079460020"

// booking is a booking of a caller for now.
func booking(phone taxi.E164) taxi.BookRequest {
	places := fixtures.Places()
	return taxi.BookRequest{
		Name: "Ann Other", PhoneNumber: phone.International(), PickupTime: taxi.At(monday),
		Pickup: &places[0].Address, Dropoffs: []taxi.Address{places[1].Address},
	}
}

// booked lists the live journeys of a caller from the records of dispatch, which no fault
// changes.
func (w *world) booked(phone taxi.E164) []taxi.Journey {
	w.t.Helper()
	user, err := w.host.Records().UserByPhone(w.t.Context(), phone)
	if err != nil {
		return nil
	}
	list := []taxi.Journey{}
	for _, j := range w.host.Records().Live(w.t.Context(), user.UserID) {
		list = append(list, j.Journey.Journey)
	}
	return list
}

// ref names a journey that a caller has booked.
func (w *world) ref(phone taxi.E164, id taxi.JourneyID) taxi.JourneyRef {
	w.t.Helper()
	user, err := w.host.Records().UserByPhone(w.t.Context(), phone)
	require.NoError(w.t, err)
	return taxi.JourneyRef{UserID: user.UserID, JourneyID: id}
}
