package control_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/store"
)

// answers returns the answers of a world about some journeys, itself, a user and its clock.
func (r *rig) answers(refs []taxi.JourneyRef) string {
	r.Helper()
	var all []any
	for _, ref := range refs {
		j, err := r.desk.Status(r.Context(), ref)
		require.NoError(r, err)
		all = append(all, j)
	}
	config, err := r.desk.Config(r.Context(), taxi.ConfigRequest{})
	require.NoError(r, err)
	user, err := r.desk.User(r.Context(), taxi.UserRequest{PhoneNumber: "442079460000"})
	require.NoError(r, err)
	text, err := json.Marshal(append(all, config, user, do[control.Clock](r, "GET", "/clock", "")))
	require.NoError(r, err)
	return string(text)
}

// bookAt books for the person of the fixtures.
func (r *rig) bookAt(at time.Time) taxi.JourneyRef {
	r.Helper()
	u, err := r.desk.User(r.Context(), taxi.UserRequest{PhoneNumber: "442079460000"})
	require.NoError(r, err)
	request := r.request(at)
	request.UserID = u.UserID
	j, err := r.desk.Book(r.Context(), request)
	require.NoError(r, err)
	return taxi.JourneyRef{UserID: u.UserID, JourneyID: j.JourneyID}
}

// TestSnapshotRestoresTheWorld checks that a world that is restored gives the answers from
// when it was saved, with journeys in many statuses, in memory and in a file, and continues
// from there.
func TestSnapshotRestoresTheWorld(t *testing.T) {
	for name, file := range map[string]string{"in memory": "", "in a file": filepath.Join(t.TempDir(), "cabs.db")} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, still(), host.Deps{Place: store.File(file)})
			var refs []taxi.JourneyRef
			for i, status := range []taxi.Status{taxi.Complete, taxi.POB, taxi.EnRoute} {
				refs = append(refs, r.bookAt(do[control.Clock](r, "GET", "/clock", "").Now.Add(time.Duration(i)*time.Second)))
				do[control.Outcome](r, "POST", "/advance", order(refs[i].JourneyID, status))
			}
			refs = append(refs, r.bookAt(monday.Add(5*time.Hour)))
			do[control.Clock](r, "PUT", "/clock", `{"callers":"wall"}`)
			was := r.answers(refs)
			taken := do[control.Snapshot](r, "PUT", "/snapshots/before-retry", "")
			require.Equal(t, "before-retry", taken.Name)
			require.Equal(t, was, r.answers(refs), "saving changes nothing")

			for range 2 { // twice from the same
				do[control.Clock](r, "PUT", "/clock", `{"callers":"world"}`)
				do[control.Advanced](r, "POST", "/clock/advance", `{"by":"10h"}`)
				require.NotEqual(t, was, r.answers(refs))
				is := do[control.Overview](r, "POST", "/snapshots/before-retry/restore", "")
				require.Equal(t, taken.Clock, is.Clock)
				require.Equal(t, was, r.answers(refs))
			}
			do[control.Advanced](r, "POST", "/clock/advance", `{"by":"10h"}`)
			do[control.Overview](r, "POST", "/reset", `{"to":"before-retry"}`)
			require.Equal(t, was, r.answers(refs))
			end := do[control.Advanced](r, "POST", "/clock/advance", `{"until":{"journey":"`+string(refs[3].JourneyID)+`","status":"COMPLETE"}}`)
			require.Equal(t, taxi.Complete, end.Events[len(end.Events)-1].To)
		})
	}
}

func TestSnapshotsAreListedAndRemoved(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	for n := range 20 {
		do[control.Snapshot](r, "PUT", fmt.Sprintf("/snapshots/s%02d", n), "")
	}
	require.Equal(t, taxi.Code("too-many-snapshots"), r.refused("PUT", "/snapshots/s20", "", 409).Code)
	status, _ := r.send("PUT", "/snapshots/s07", "")
	require.Equal(t, http.StatusOK, status, "in the place of the other")
	status, _ = r.send("DELETE", "/snapshots/s08", "")
	require.Equal(t, http.StatusNoContent, status)
	all := do[control.Snapshots](r, "GET", "/snapshots", "").Snapshots
	require.Len(t, all, 19)
	require.Equal(t, all[7], do[control.Snapshot](r, "GET", "/snapshots/s07", ""))
	for _, gone := range [][2]string{{"GET", ""}, {"DELETE", ""}, {"POST", "/restore"}, {"GET", "/download"}} {
		require.Equal(t, taxi.Code("snapshot-not-found"), r.refused(gone[0], "/snapshots/s08"+gone[1], "", 404).Code)
	}
	for _, name := range []string{"empty", "fixtures", "A", "a.db"} {
		r.refused("PUT", "/snapshots/"+name, "", 422)
	}
	require.Equal(t, "/seed", r.refused("POST", "/reset", `{"to":"s07","seed":1}`, 422).Errors[0].Pointer)
	require.Equal(t, "/now", r.refused("POST", "/reset", `{"to":"s07","now":"2030-01-01T00:00:00Z"}`, 422).Errors[0].Pointer)
}

// meanwhile is an answer that calls a function before its first byte.
type meanwhile struct {
	*httptest.ResponseRecorder
	once sync.Once
	do   func()
}

func (m *meanwhile) Write(b []byte) (int, error) {
	m.once.Do(m.do)
	return m.ResponseRecorder.Write(b)
}

// TestSandboxNamedMainHasItsOwnFiles checks that a sandbox called main shares no file with the main world.
func TestSandboxNamedMainHasItsOwnFiles(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	do[control.Sandbox](r, "POST", "/sandboxes", `{"name":"main","empty":true}`)
	const box = "/s/main"
	download := func(world string, w http.ResponseWriter) {
		req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost"+world+control.Prefix+"/snapshots/a/download", nil)
		r.ServeHTTP(w, req)
	}
	for _, world := range []string{"", box} {
		w, req := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodPut, "http://localhost"+world+control.Prefix+"/snapshots/a", nil)
		r.ServeHTTP(w, req)
		require.Equal(t, http.StatusCreated, w.Code, w.Body)
	}
	inner := httptest.NewRecorder()
	outer := &meanwhile{ResponseRecorder: httptest.NewRecorder(), do: func() { download(box, inner) }}
	download("", outer)
	require.Equal(t, []int{200, 200}, []int{outer.Code, inner.Code})
	require.Less(t, inner.Body.Len(), outer.Body.Len(), "nobody is known there")
}

// TestASnapshotThatCannotBeReadChangesNothing checks that a restore is refused, and the world
// stays as it is, if the file of the snapshot is lost.
func TestASnapshotThatCannotBeReadChangesNothing(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	t.Setenv("TMP", folder) // as Windows has it
	r := newRig(t, still(), host.Deps{Place: store.File(filepath.Join(t.TempDir(), "cabs.db"))})
	do[control.Snapshot](r, "PUT", "/snapshots/a", "")
	ref := r.bookAt(monday)
	files, err := filepath.Glob(filepath.Join(folder, "*", "_main-snapshot-1.db"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.NoError(t, os.Remove(files[0]))
	was := r.answers([]taxi.JourneyRef{ref})
	require.Contains(t, r.refused("POST", "/snapshots/a/restore", "", 500).Detail, "nothing was changed")
	require.Equal(t, was, r.answers([]taxi.JourneyRef{ref}), "the world goes on")
	require.Equal(t, taxi.Code("snapshot-not-found"), r.refused("GET", "/snapshots/a/download", "", 404).Code)
}

func TestSnapshotDownloadLeavesNoFiles(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	t.Setenv("TMP", folder) // as Windows has it
	r := newRig(t, still(), host.Deps{})
	do[control.Snapshot](r, "PUT", "/snapshots/a", "")
	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost"+control.Prefix+"/snapshots/a/download", nil))
	require.Equal(t, http.StatusOK, w.Code)
	files, err := filepath.Glob(filepath.Join(folder, "*", "*"))
	require.NoError(t, err)
	require.Empty(t, files)
}

// unread is an answer whose client does not read.
type unread struct {
	*httptest.ResponseRecorder
	late chan struct{}
}

func (u *unread) Write([]byte) (int, error) {
	<-u.late
	return 0, os.ErrDeadlineExceeded
}

func (u *unread) SetWriteDeadline(at time.Time) error {
	if !at.IsZero() {
		close(u.late)
	}
	return nil
}

// TestSnapshotDownloadsAreLimited checks that at most four downloads run at the same time, and that one
// whose client does not read is aborted.
func TestSnapshotDownloadsAreLimited(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	do[control.Snapshot](r, "PUT", "/snapshots/a", "")
	download := func(w http.ResponseWriter) {
		r.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost"+control.Prefix+"/snapshots/a/download", nil))
	}
	codes := []int{}
	var next func()
	next = func() {
		w := &meanwhile{ResponseRecorder: httptest.NewRecorder(), do: func() {}}
		if len(codes) < 6 {
			codes = append(codes, 0)
			w.do = next
		}
		at := len(codes) - 1
		download(w)
		codes[at] = w.Code
	}
	next()
	require.Equal(t, []int{200, 200, 200, 200, 503}, codes[:5], "four at a time")

	synctest.Test(t, func(t *testing.T) {
		began, w := time.Now(), &unread{httptest.NewRecorder(), make(chan struct{})}
		download(w)
		require.Equal(t, 10*time.Second, time.Since(began))
	})
	w := httptest.NewRecorder()
	download(w)
	require.Equal(t, http.StatusOK, w.Code, "there is room again")
}

// TestResetAfterRestoreUsesTheOriginalStart checks that a reset after a restore begins where the world began, not
// where the snapshot was taken.
func TestResetAfterRestoreUsesTheOriginalStart(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	do[control.Advanced](r, "POST", "/clock/advance", `{"by":"1h"}`)
	do[control.Snapshot](r, "PUT", "/snapshots/a", "")
	require.Equal(t, monday.Add(time.Hour), do[control.Overview](r, "POST", "/snapshots/a/restore", "").Clock.Now)
	require.Equal(t, monday, do[control.Overview](r, "POST", "/reset", "").Clock.Now)
}
