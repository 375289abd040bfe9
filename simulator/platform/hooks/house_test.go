package hooks_test

import (
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/hooks"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

var morning = time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)

// received is a request that the hook received.
type received struct {
	at     time.Time
	header http.Header
	body   string
}

// house is a deliverer with its records and an HTTP server for its hooks.
type house struct {
	t         *testing.T
	path      string
	clock     *voice.Virtual
	records   *records.Records
	chance    *access.Chance
	deliverer *hooks.Deliverer
	schedule  []time.Duration
	disabled  []string

	mu     sync.Mutex
	got    []received
	answer func(r received, w http.ResponseWriter)
	url    string
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{
		t: t, path: filepath.Join(t.TempDir(), "p.db"), clock: voice.NewVirtual(morning),
		chance: access.NewChance(rand.NewChaCha8([32]byte{7})), schedule: hooks.Normal,
		answer: func(received, http.ResponseWriter) {},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got := received{h.clock.Now(), r.Header.Clone(), string(body)}
		h.mu.Lock()
		defer h.mu.Unlock()
		h.got = append(h.got, got)
		h.answer(got, w)
	}))
	t.Cleanup(server.Close)
	h.url = server.URL
	h.open()
	require.NoError(t, h.records.Write(t.Context(), func(tx *records.Tx) error {
		return h.records.AddOrganisation(t.Context(), tx, api.Organisation{ID: "o"})
	}))
	h.account("a")
	t.Cleanup(func() { h.close() })
	return h
}

// open starts a deliverer, as a new process does.
func (h *house) open() { h.openOn(h.clock, h.schedule) }

func (h *house) openOn(clock voice.Clock, schedule []time.Duration) {
	var err error
	h.records, err = records.Open(h.t.Context(), h.path)
	require.NoError(h.t, err)
	h.deliverer = hooks.NewDeliverer(hooks.DeliveryOptions{
		Records: h.records, Client: hooks.NewClient(clock.Now, true), Clock: clock, Chance: h.chance, Schedule: schedule,
		Disabled: func(_, hook, _ string) { h.disabled = append(h.disabled, hook) },
	})
	require.NoError(h.t, h.deliverer.Start(h.t.Context()))
}

func (h *house) close() {
	require.NoError(h.t, h.deliverer.Close())
	require.NoError(h.t, h.records.Close())
}

func (h *house) account(id string) {
	h.t.Helper()
	require.NoError(h.t, h.records.Write(h.t.Context(), func(tx *records.Tx) error {
		return h.records.PutAccount(h.t.Context(), tx, records.Account{Account: api.Account{ID: id}, Organisation: "o"})
	}))
}

// hook adds an event hook to account a.
func (h *house) hook(id string, change ...func(*api.Hook)) {
	h.t.Helper()
	h.hookOf("a", id, change...)
}

func (h *house) hookOf(account, id string, change ...func(*api.Hook)) {
	h.t.Helper()
	hook := api.Hook{ID: id, App: api.AppEvent, URL: h.url, AuthType: api.AuthDisabled, Method: http.MethodPost}
	for _, c := range change {
		c(&hook)
	}
	require.NoError(h.t, h.records.Write(h.t.Context(), func(tx *records.Tx) error {
		return h.records.Hooks.Put(h.t.Context(), tx, account, id, records.Hook{Hook: hook})
	}))
}

func (h *house) publish(call string, bodies ...string) {
	for _, body := range bodies {
		h.deliverer.Publish(hooks.Event{Account: "a", Call: call, Type: "call.test", Body: []byte(body)})
	}
}

// bodies returns the bodies of all received requests.
func (h *house) bodies() (list []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.got {
		list = append(list, r.body)
	}
	return list
}

// states returns the number of deliveries in each state.
func (h *house) states() map[records.State]int {
	all, err := h.records.Deliveries(h.t.Context(), records.DeliveryFilter{Most: 1000})
	require.NoError(h.t, err)
	count := map[records.State]int{}
	for _, d := range all {
		count[d.State]++
	}
	return count
}
