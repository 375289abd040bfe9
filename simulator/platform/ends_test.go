package platform_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/hooks"
	"github.com/cabrank/cabrank/simulator/platform/rest"
	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/store"
)

// ends are a dispatch system with its simulated world, and a platform that books with it, over real HTTP and with
// real databases. Their clocks are advanced together.
type ends struct {
	t      *testing.T
	chance *rand.Rand

	disk  *weakDisk
	world *simulator.World
	wire  *faultyWire

	line    voice.Clock
	byWall  bool // line runs by itself: callers may lose patience while the third party answers
	handler http.Handler
	folder  string // of recordings
	hook    *eventHook

	logs clitest.Buffer
}

// newEnds returns both ends, with some taxis on their way. line returns the clock of the calls; it starts at the time
// that the world has reached.
func newEnds(t *testing.T, seed uint64, people []fixtures.Person, line func(time.Time) voice.Clock) *ends {
	t.Helper()
	e := &ends{t: t, chance: rand.New(rand.NewPCG(seed, 1)), folder: t.TempDir()}
	log := slog.New(slog.NewTextHandler(&e.logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	e.openDispatch(seed, people, log)
	e.stage()
	e.line = line(e.world.Clock().Now())
	e.openPlatform(seed, log)
	return e
}

func (e *ends) openDispatch(seed uint64, people []fixtures.Person, log *slog.Logger) {
	bookings, err := store.Open(e.t.Context(), filepath.Join(e.t.TempDir(), "taxis.db"), store.Options{Logger: log})
	require.NoError(e.t, err)
	e.t.Cleanup(func() { require.NoError(e.t, bookings.Close()) })
	e.disk = &weakDisk{Store: bookings}
	policy := dispatch.DefaultPolicy()
	e.world, err = simulator.New(e.t.Context(), e.disk, simulator.Options{Seed: seed, Start: morning, Cars: 60, Policy: &policy, Log: log})
	require.NoError(e.t, err)
	require.NoError(e.t, e.world.Populate(e.t.Context(), people))
	e.wire = &faultyWire{ends: e, chance: rand.New(rand.NewPCG(seed, 2)), next: e.world.Service().Handler(func() time.Time { return e.line.Now() }, dispatch.HTTPOptions{})}
	server := httptest.NewUnstartedServer(e.wire)
	server.Config.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelWarn)
	server.Start()
	e.t.Cleanup(server.Close)
	e.wire.url = server.URL
}

func (e *ends) openPlatform(seed uint64, log *slog.Logger) {
	h, _ := seeded(e.t, "", func(o *platform.Options) {
		o.Now, o.Line, o.Work, o.Log, o.Schedule, o.Recordings = e.line.Now, e.line, e.line, log, hooks.Fast, e.folder
		o.Random = rand.NewChaCha8([32]byte{byte(seed)})
		o.BaseURL, o.Limits = func() string { return "http://platform.example" }, rest.Limits{LiveCalls: 1000}
	})
	require.NoError(e.t, h.platform.UseThirdParty(e.t.Context(), platform.ThirdParty{URL: e.wire.url}))
	e.handler = h.handler
	e.hook = newEventHook(h, seed)
}

// ask sends a request to the control API and returns the body of the answer.
func (e *ends) ask(method, path, body string) []byte {
	e.t.Helper()
	req := httptest.NewRequest(method, path, strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	e.handler.ServeHTTP(answer, req)
	require.Less(e.t, answer.Code, 300, "%s %s: %s", method, path, answer.Body)
	return answer.Body.Bytes()
}

// pass advances the clocks of both ends; if the clock of the calls runs by itself, it waits.
func (e *ends) pass(d time.Duration) {
	if line, ok := e.line.(*voice.Virtual); ok {
		line.Advance(d)
	} else {
		due := make(chan struct{})
		e.line.AfterFunc(d, func() { close(due) })
		<-due
	}
	require.NoError(e.t, e.world.Clock().AdvanceTo(e.t.Context(), e.line.Now()))
}

func (e *ends) calls() (list []calls.View) {
	require.NoError(e.t, json.Unmarshal(e.ask(http.MethodGet, "/sim/v1/calls?limit=1000", ""), &list))
	return list
}

// eventHook receives an account's events, and refuses some of them the first time.
type eventHook struct {
	*thirdParty

	chance *rand.Rand
	refuse int               // how often it did
	sent   map[string]string // bodies by webhook-id
	taken  map[string]bool   // by webhook-id
	order  []string
}

func newEventHook(of *house, seed uint64) *eventHook {
	h := &eventHook{thirdParty: of.events(), chance: rand.New(rand.NewPCG(seed, 3)), sent: map[string]string{}, taken: map[string]bool{}}
	h.answer = func(body string) (int, string) {
		id := h.ids[len(h.ids)-1]
		first, again := h.sent[id]
		if again && first != body {
			of.t.Errorf("%s is of %s and of %s", id, first, body)
		}
		h.sent[id] = body
		if !again && h.chance.IntN(8) == 0 {
			h.refuse++
			return http.StatusBadGateway, ""
		}
		if !h.taken[id] {
			h.order = append(h.order, body)
		}
		h.taken[id] = true
		return http.StatusOK, ""
	}
	return h
}

// taxiEvent is an event of the taxi plugin as the hook receives it.
type taxiEvent struct {
	Type string
	Data struct{ CallID, JourneyID, Status, State string }
}

// of returns the events of a type by call.
func (h *eventHook) of(t *testing.T, kind string) map[string][]taxiEvent {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := map[string][]taxiEvent{}
	for _, body := range h.order {
		var e taxiEvent
		require.NoError(t, json.Unmarshal([]byte(body), &e))
		if e.Type == kind {
			all[e.Data.CallID] = append(all[e.Data.CallID], e)
		}
	}
	return all
}

// recorded returns the names and contents of the recordings.
func (e *ends) recorded() string {
	var all strings.Builder
	files, err := os.ReadDir(e.folder)
	require.NoError(e.t, err)
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(e.folder, f.Name()))
		require.NoError(e.t, err)
		fmt.Fprintf(&all, "%s %s\n", f.Name(), text)
	}
	return all.String()
}

// journeys returns dispatch's journeys by the customer's number.
func (e *ends) journeys() map[taxi.E164][]*store.Snapshot {
	users, err := e.disk.Users(e.t.Context())
	require.NoError(e.t, err)
	number := map[taxi.UserID]taxi.E164{}
	for _, u := range users {
		number[u.UserID] = u.PhoneNumber.Digits()
	}
	list, err := e.disk.Journeys(e.t.Context(), 0)
	require.NoError(e.t, err)
	all := map[taxi.E164][]*store.Snapshot{}
	for _, j := range list {
		require.NotEmpty(e.t, number[j.UserID])
		all[number[j.UserID]] = append(all[number[j.UserID]], j)
	}
	return all
}
