package platform_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/hooks"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/rest"
	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/store"
)

// ends are a dispatch system with its world, and the platform that books with it,
// over real HTTP and real databases. Their clocks are moved together.
type ends struct {
	t      *testing.T
	chance *rand.Rand

	disk  *weakDisk
	world *simulator.World
	wire  *faultyWire

	line     voice.Clock
	byWall   bool // line runs by itself: callers may lose patience while the third party answers
	platform *platform.Platform
	handler  http.Handler
	account  string
	folder   string // of recordings
	hook     *eventHook

	logs safeText
}

// safeText is text that several goroutines write.
type safeText struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *safeText) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *safeText) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// newEnds returns both ends, with some taxis on their way. line makes the clock of
// the calls, which begins when the world has come so far.
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
	ctx := e.t.Context()
	kept, err := records.Open(ctx, "")
	require.NoError(e.t, err)
	e.t.Cleanup(func() { require.NoError(e.t, kept.Close()) })
	var random [32]byte
	random[0] = byte(seed)
	e.platform, err = platform.New(ctx, platform.Options{
		Records: kept, Now: e.line.Now, Line: e.line, Work: e.line, PrivateHooks: true, Log: log,
		Random: rand.NewChaCha8(random), Schedule: hooks.Fast, Recordings: e.folder,
		BaseURL: func() string { return "http://platform.example" }, Limits: rest.Limits{LiveCalls: 1000},
	})
	require.NoError(e.t, err)
	e.t.Cleanup(func() { require.NoError(e.t, e.platform.Close(context.Background())) })
	require.NoError(e.t, e.platform.Seed(ctx))
	require.NoError(e.t, e.platform.UseThirdParty(ctx, platform.ThirdParty{URL: e.wire.url}))
	e.account = kept.Accounts(kept.Organisations()[0].ID)[0].ID
	e.handler = e.platform.Handler()
	e.hook = newEventHook(e.t, seed)
	require.NoError(e.t, kept.Write(ctx, func(tx *records.Tx) error {
		return kept.Hooks.Put(ctx, tx, e.account, "h", records.Hook{Hook: api.Hook{
			ID: "h", App: api.AppEvent, URL: e.hook.url, AuthType: api.AuthDisabled, Method: http.MethodPost,
		}})
	}))
}

// ask calls the control API.
func (e *ends) ask(method, path, body string) []byte {
	e.t.Helper()
	req := httptest.NewRequest(method, path, strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	e.handler.ServeHTTP(answer, req)
	require.Less(e.t, answer.Code, 300, "%s %s: %s", method, path, answer.Body)
	return answer.Body.Bytes()
}

// pass lets time go by on both sides; a line that runs by itself is waited for.
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

// eventHook takes an account's events, some of them only when they come again.
type eventHook struct {
	url string

	mu     sync.Mutex
	chance *rand.Rand
	refuse int               // how often it did
	taken  map[string]string // bodies by webhook-id
	order  []string
}

func newEventHook(t *testing.T, seed uint64) *eventHook {
	h := &eventHook{chance: rand.New(rand.NewPCG(seed, 3)), taken: map[string]string{}}
	refused := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		judgeHook(t, body)
		id := r.Header.Get("webhook-id")
		h.mu.Lock()
		defer h.mu.Unlock()
		if !refused[id] && h.chance.IntN(8) == 0 {
			refused[id] = true
			h.refuse++
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		if h.taken[id] == "" {
			h.order = append(h.order, string(body))
		}
		h.taken[id] = string(body)
	}))
	t.Cleanup(server.Close)
	h.url = server.URL
	return h
}

// taxiEvent is an event of the taxi plugin as the hook has it.
type taxiEvent struct {
	Type string
	Data struct{ CallID, JourneyID, Status, State string }
}

// of lists the events of a kind, by call.
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

// recorded is the names and contents of the recordings.
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

// journeys is what dispatch has, by the caller's number.
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
