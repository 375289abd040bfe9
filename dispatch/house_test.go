package dispatch_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// morning is when the tests' world starts: a Tuesday in November, 10:00 in
// London.
var morning = time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)

// house is a dispatch system with a clock that a test sets, behind real HTTP.
type house struct {
	t       *testing.T
	now     time.Time
	turn    sync.Mutex
	records *store.Store
	service *dispatch.Service
	fleet   *cab
	url     string
	client  *taxi.Client
}

func newHouse(t *testing.T, change ...func(*dispatch.Policy, *dispatch.HTTPOptions)) *house {
	t.Helper()
	policy, serving := dispatch.DefaultPolicy(), dispatch.HTTPOptions{Version: "test"}
	for _, c := range change {
		c(&policy, &serving)
	}
	h := &house{t: t, now: morning, records: store.Memory(), fleet: &cab{}}
	t.Cleanup(func() { require.NoError(t, h.records.Close()) })
	h.service = dispatch.New(h.records, dispatch.Options{
		Policy: &policy, Enter: h.enter, Fleet: h.fleet, Seed: 1,
	})
	server := httptest.NewServer(h.service.Handler(func() time.Time { return h.now }, serving))
	t.Cleanup(server.Close)
	h.url = server.URL
	var err error
	h.client, err = taxi.NewClient(h.url, taxi.ClientOptions{})
	require.NoError(t, err)
	return h
}

// enter begins a turn; one at a time, as in a world.
func (h *house) enter() (time.Time, func()) {
	h.turn.Lock()
	return h.now, h.turn.Unlock
}

// cab is a fleet of one car that stands where it is told.
type cab struct {
	changes []dispatch.Change
	broken  bool
}

func (c *cab) Quote(time.Time, *store.Journey) (*taxi.Price, *taxi.ETA) {
	if c.broken {
		panic("the meter is broken")
	}
	return &taxi.Price{Value: 7.4, Currency: "GBP", Type: taxi.Fixed}, minutes(6)
}

func (*cab) Track(_ time.Time, j *store.Journey) (*taxi.Point, *taxi.ETA) {
	if j.Status == taxi.Arrived {
		return &taxi.Point{Longitude: 2.1, Latitude: 54.7}, minutes(0)
	}
	return &taxi.Point{Longitude: 2.1, Latitude: 54.7}, minutes(3)
}

func (*cab) Pickup(time.Time) *taxi.ETA { return minutes(5) }

// FlagFall is dearer at night.
func (*cab) FlagFall(now time.Time) *taxi.Price {
	if now.UTC().Hour() < 6 {
		return &taxi.Price{Value: 4.8, Currency: "GBP", Type: taxi.Fixed}
	}
	return &taxi.Price{Value: 3.6, Currency: "GBP", Type: taxi.Fixed}
}

func (c *cab) Changed(change dispatch.Change) { c.changes = append(c.changes, change) }

func minutes(n float64) *taxi.ETA { return &taxi.ETA{Value: n, Unit: taxi.UnitMinutes} }

// station and hospital are two places, 2.0 km apart.
var (
	station  = taxi.Address{Address: "Otterbridge Station, Station Road, ZT1 1AA", Location: &taxi.Point{Longitude: 2.1, Latitude: 54.7}}
	hospital = taxi.Address{Address: "Otterbridge Hospital, Ring Road, ZT3 4BD", Location: &taxi.Point{Longitude: 2.12, Latitude: 54.714}}
)

// request is a booking for now from the station to the hospital.
func (h *house) request() taxi.BookRequest {
	pickup := station
	return taxi.BookRequest{
		Name: "Ada", PhoneNumber: "+442079460001", Pickup: &pickup, Dropoffs: []taxi.Address{hospital},
		PickupTime: taxi.At(h.now),
	}
}

// book books and returns the journey with its user.
func (h *house) book(r taxi.BookRequest) (taxi.Journey, taxi.JourneyRef) {
	h.t.Helper()
	j, err := h.client.Book(h.t.Context(), r)
	require.NoError(h.t, err)
	return j, h.ref(j, r.PhoneNumber)
}

func (h *house) ref(j taxi.Journey, phone taxi.E164) taxi.JourneyRef {
	h.t.Helper()
	u, err := h.client.User(h.t.Context(), taxi.UserRequest{PhoneNumber: phone.Digits()})
	require.NoError(h.t, err)
	return taxi.JourneyRef{UserID: u.UserID, JourneyID: j.JourneyID}
}

// advance takes a journey through events, as a fleet would.
func (h *house) advance(id taxi.JourneyID, events ...dispatch.Event) {
	h.t.Helper()
	for _, ev := range events {
		snap, err := h.records.Journey(h.t.Context(), id)
		require.NoError(h.t, err)
		_, err = h.service.Advance(h.now, dispatch.Step{Journey: id, Event: ev, Offered: snap.Revision, Set: crew(ev)})
		require.NoError(h.t, err)
	}
}

// crew gives an accepted journey its car.
func crew(ev dispatch.Event) func(*store.Journey) {
	if ev != dispatch.EventAccept {
		return nil
	}
	return func(j *store.Journey) {
		j.Vehicle = &taxi.Vehicle{Description: "White Toyota Prius", Registration: "ZT21 KBD"}
		j.Driver = &taxi.Driver{Name: "Grace", PhoneNumber: "+441134960001", BadgeNumber: "1001"}
	}
}

// drive is how a new journey for now reaches each status.
var drive = map[taxi.Status][]dispatch.Event{
	taxi.Held:      {dispatch.EventHold},
	taxi.Waiting:   nil,
	taxi.Accepted:  {dispatch.EventAccept},
	taxi.EnRoute:   {dispatch.EventAccept, dispatch.EventSetOff},
	taxi.Arrived:   {dispatch.EventAccept, dispatch.EventSetOff, dispatch.EventArrive},
	taxi.POB:       {dispatch.EventAccept, dispatch.EventSetOff, dispatch.EventArrive, dispatch.EventBoard},
	taxi.Complete:  {dispatch.EventAccept, dispatch.EventSetOff, dispatch.EventArrive, dispatch.EventBoard, dispatch.EventFinish},
	taxi.Cancelled: {dispatch.EventCancel},
}

// bookAt books and drives to a status.
func (h *house) bookAt(s taxi.Status) (taxi.Journey, taxi.JourneyRef) {
	h.t.Helper()
	j, ref := h.book(h.request())
	h.advance(j.JourneyID, drive[s]...)
	j, err := h.client.Status(h.t.Context(), ref)
	require.NoError(h.t, err)
	require.Equal(h.t, s, j.Status)
	return j, ref
}

// reply is the head of an answer whose body has been read.
type reply struct {
	StatusCode int
	Header     http.Header
}

// post sends raw bytes and returns the answer.
func (h *house) post(path, body string, headers ...string) (reply, []byte) {
	h.t.Helper()
	return h.send(http.MethodPost, path, body, headers...)
}

func (h *house) send(method, path, body string, headers ...string) (reply, []byte) {
	h.t.Helper()
	req, err := http.NewRequestWithContext(h.t.Context(), method, h.url+path, strings.NewReader(body))
	require.NoError(h.t, err)
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(h.t, err)
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	require.NoError(h.t, err)
	return reply{resp.StatusCode, resp.Header}, answer
}

// problem decodes a refusal and holds it to what every refusal promises.
func problem(t *testing.T, resp reply, body []byte) taxi.Problem {
	t.Helper()
	require.Equal(t, taxi.ProblemContentType, resp.Header.Get("Content-Type"), "%s", body)
	var p taxi.Problem
	require.NoError(t, json.Unmarshal(body, &p))
	require.Equal(t, resp.StatusCode, p.Status)
	require.Equal(t, "/problems/"+string(p.Code), p.Type)
	require.Equal(t, resp.Header.Get(dispatch.RequestHeader), p.Instance)
	require.NotEmpty(t, p.Title)
	return p
}

// refusal asserts that an error is a refusal with a code, and returns it.
func refusal(t *testing.T, err error, code taxi.Code) taxi.Problem {
	t.Helper()
	var p *taxi.Problem
	require.ErrorAs(t, err, &p)
	require.Equal(t, code, p.Code, "%s", p)
	return *p
}

func encode(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(bytes.TrimSpace(b))
}
