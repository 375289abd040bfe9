package platform_test

import (
	"database/sql"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/rest"
)

// breaks makes all statements fail that begin like this, such as "INSERT ON repeats", until mend is called.
func breaks(t *testing.T, path, statement string) (mend func()) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	_, err = db.ExecContext(t.Context(), "CREATE TRIGGER broken BEFORE "+statement+" BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END")
	require.NoError(t, err)
	return func() {
		_, err := db.ExecContext(t.Context(), "DROP TRIGGER broken")
		require.NoError(t, err)
	}
}

// TestIdempotencyKeyIsStoredBeforeTheCall checks that no call is placed if its Idempotency-Key cannot be stored, and that the
// same request, repeated after the disk is repaired, places one call only.
func TestIdempotencyKeyIsStoredBeforeTheCall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "platform.db")
	h, _ := seeded(t, path)
	mend := breaks(t, path, "INSERT ON repeats")
	for range 3 {
		h.refused(h.place(minimal, rest.IdempotencyHeader, "k"), api.CodeStorage)
	}
	h.pass(time.Minute)
	require.JSONEq(t, "[]", string(h.send(http.MethodGet, "/sim/v1/calls", "").body), "calls were placed")

	mend()
	var ids []string
	for range 3 {
		a := h.place(minimal, rest.IdempotencyHeader, "k")
		require.Equal(t, http.StatusCreated, a.status, "%s", a.body)
		ids = append(ids, decoded[api.Created](t, a).ID)
	}
	require.Equal(t, []string{ids[0], ids[0], ids[0]}, ids)
	require.Len(t, decoded[[]calls.View](t, h.send(http.MethodGet, "/sim/v1/calls", "")), 1)
}

// lastOf is the last event of a call that its account received.
type lastOf struct {
	Type string
	Data struct {
		CallID, Status, Outcome, HangupParty, HangupReason, From, To string
		Seq, SIPStatus, Q850Cause                                    int
	}
}

func (p *thirdParty) lastOf(t *testing.T, call string) (e lastOf, events int) {
	t.Helper()
	for _, body := range p.bodies() {
		var next lastOf
		require.NoError(t, json.Unmarshal([]byte(body), &next))
		if next.Data.CallID == call {
			events++
			e = next
			require.Equal(t, events, e.Data.Seq, "without gaps")
		}
	}
	return e, events
}

// TestInterruptedCallsEndAfterARestart checks that calls that were up when the platform was killed are reported as
// over after the restart: one that was just requested, one that was ringing and one that was answered.
func TestInterruptedCallsEndAfterARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "platform.db")
	h, _ := seeded(t, path)
	third := h.events()
	long := strings.Replace(minimal, `{"say":{"text":["Hello."]}}`, `{"say":{"text":["Hello, and hello again."],"loop":500}}`, 1)
	over := h.placed(minimal)
	h.pass(time.Minute)
	answered := h.placed(long)
	h.pass(time.Minute)
	rings := h.placed(strings.Replace(long, "0001", "0480", 1))
	h.pass(time.Second)
	first := h.place(long, rest.IdempotencyHeader, "k")
	asked := decoded[api.Created](t, first).ID

	killed := clitest.Killed(t, path)
	_, before := third.lastOf(t, over)
	again, _ := seeded(t, killed)
	again.credentials = h.credentials
	again.pass(time.Minute)

	for id, want := range map[string]string{answered: "completed", rings: "failed", asked: "failed"} {
		e, n := third.lastOf(t, id)
		require.Equal(t, "call.completed", e.Type, id)
		require.Equal(t, want, e.Data.Status)
		require.Equal(t, "fail", e.Data.Outcome)
		require.Equal(t, "the platform was restarted while the call was up", e.Data.HangupReason)
		require.Equal(t, 41, e.Data.Q850Cause)
		require.NotEmpty(t, e.Data.To)
		require.Positive(t, n)
	}
	_, after := third.lastOf(t, over)
	require.Equal(t, before, after, "a call that was over hears nothing more")

	repeated := again.place(long, rest.IdempotencyHeader, "k")
	require.Equal(t, http.StatusCreated, repeated.status)
	require.Empty(t, repeated.header.Get(rest.ReplayedHeader), "its call is gone")
	again.call(decoded[api.Created](t, repeated).ID)
}

// TestReadyzFailsWhileStorageFails checks that /readyz fails while the database cannot be written, while events cannot be stored,
// and while its file is missing or replaced, and that it succeeds again afterwards.
func TestReadyzFailsWhileStorageFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "platform.db")
	h, _ := seeded(t, path)
	h.made(h.path("/hook"), goodHook)
	ready := func() answer { return h.send(http.MethodGet, "/readyz", "") }
	require.Equal(t, http.StatusOK, ready().status)
	mend := breaks(t, path, "INSERT ON health")
	h.refused(ready(), api.CodeStorage)
	mend()
	require.Equal(t, http.StatusOK, ready().status)

	mend = breaks(t, path, "INSERT ON deliveries")
	h.placed(minimal)
	h.pass(time.Second)
	require.Contains(t, h.refused(ready(), api.CodeStorage).Detail, "events wait to be kept")
	mend()
	h.pass(2 * time.Second)
	require.Equal(t, http.StatusOK, ready().status)

	moved := path + ".moved"
	require.NoError(t, os.Rename(path, moved))
	h.refused(ready(), api.CodeStorage)
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	h.refused(ready(), api.CodeStorage)
	require.NoError(t, os.Rename(moved, path))
	require.Equal(t, http.StatusOK, ready().status)
}
