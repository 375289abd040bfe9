package live_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance/journal/live"
)

// saving returns a journal of a handler that answers what it is asked.
func saving(t testing.TB, change func(*live.Options)) *live.Journal {
	t.Helper()
	opts := bothSuites
	change(&opts)
	l := live.New(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body bytes.Buffer
		_, err := body.ReadFrom(r.Body)
		if err != nil || r.URL.Query().Has("hang-up") {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Set-Cookie", "id=s3cret")
		_, _ = w.Write(body.Bytes())
	}), opts)
	t.Cleanup(l.Close)
	return l
}

// usual leaves the options as they are.
func usual(*live.Options) {}

// call sends a request to a journal.
func call(t testing.TB, l *live.Journal, path, body string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer s3cret")
	r.Header.Set("Content-Type", "application/json")
	defer func() { _ = recover() }() // as a server would
	l.ServeHTTP(httptest.NewRecorder(), r)
}

// store is where a test stores entries.
type store struct{ entries []live.Entry }

// take stores everything that a saver has to store.
func (s *store) take(saver *live.Saver) {
	for {
		entries, from := saver.Next()
		if len(entries) == 0 {
			return
		}
		for len(s.entries) > 0 && s.entries[len(s.entries)-1].ID >= entries[0].ID {
			s.entries = s.entries[:len(s.entries)-1]
		}
		s.entries = append(s.entries, entries...)
		for len(s.entries) > 0 && s.entries[0].ID < from {
			s.entries = s.entries[1:]
		}
		saver.Stored()
	}
}

// documents returns all calls of a journal, judged, as JSON.
func documents(t testing.TB, l *live.Journal) (all []string) {
	t.Helper()
	l.Settle(true)
	calls, _ := l.After(0)
	for _, k := range calls {
		text, err := live.Marshal(l.Copy(k).Document(false))
		require.NoError(t, err)
		all = append(all, string(text))
	}
	return all
}

// TestASavedJournalIsRestored checks that a journal is restored from its entries with every kind of body and
// the same verdicts, and that further calls continue its ids.
func TestASavedJournalIsRestored(t *testing.T) {
	t.Parallel()
	l := saving(t, usual)
	for _, body := range []string{`{}`, "", "\xff\x00", `{"phoneNumber": "+442079460020"}`, "{\"name\":\"\u2028<&\ufffd\"}", strings.Repeat("[", 70<<10)} {
		for _, path := range []string{"/config?key=s3cret", "/user", "/book", "/elsewhere", "/status?hang-up"} {
			call(t, l, path, body)
		}
	}
	var s store
	saver := l.Saver(false)
	s.take(saver)
	for _, e := range s.entries {
		require.NotContains(t, string(e.Body), "s3cret")
	}
	again := saving(t, usual)
	require.NoError(t, again.Restore(s.entries))
	require.Equal(t, documents(t, l), documents(t, again))
	require.Equal(t, l.Range(), again.Range())
	require.Equal(t, l.Summary(), again.Summary())

	saver = again.Saver(true)
	entries, _ := saver.Next()
	require.Empty(t, entries, "all of them are stored")
	call(t, again, "/config", "{}")
	entries, _ = saver.Next()
	require.Len(t, entries, 1)
	require.Equal(t, l.Range().Last+1, entries[0].ID)
	calls, _ := again.After(l.Range().Last)
	require.NotContains(t, strings.Join(documents(t, l), ""), `"request":"`+calls[0].Token+`"`)
}

// TestStoredEntriesAreBounded checks that not many more entries are stored than the journal holds calls.
func TestStoredEntriesAreBounded(t *testing.T) {
	t.Parallel()
	changed := 0
	l := saving(t, func(o *live.Options) { o.Most, o.Changed = 10, func() { changed++ } })
	saver := l.Saver(false)
	var s store
	for range 300 {
		call(t, l, "/config", "{}")
		s.take(saver)
		require.Less(t, len(s.entries), 10+64+1)
	}
	require.Equal(t, 300, changed)
	again := saving(t, func(o *live.Options) { o.Most = 10 })
	require.NoError(t, again.Restore(s.entries))
	require.Equal(t, l.Range(), again.Range())

	for range 30 {
		call(t, l, "/config", "{}")
	}
	entries, from := saver.Next()
	require.Len(t, entries, 10, "the others are gone")
	require.Equal(t, 321, entries[0].ID)
	require.Equal(t, 321, from)
	entries, _ = saver.Next()
	require.Len(t, entries, 10, "they could not be stored")
}

// TestClearedJournalIsRestoredAsCleared checks that a journal that was cleared is stored and restored as
// cleared, with the calls that came after that.
func TestClearedJournalIsRestoredAsCleared(t *testing.T) {
	t.Parallel()
	l := saving(t, usual)
	saver := l.Saver(false)
	var s store
	for round := range 3 {
		call(t, l, "/config", "{}")
		s.take(saver)
		l.Clear()
		if round == 1 {
			call(t, l, "/user", "{}")
		}
		s.take(saver)
		require.Len(t, s.entries, 1)
		again := saving(t, usual)
		require.NoError(t, again.Restore(s.entries))
		require.Equal(t, l.Range(), again.Range())
		require.Equal(t, documents(t, l), documents(t, again))
		entries, _ := again.Saver(true).Next()
		require.Empty(t, entries)
	}
	other := store{entries: []live.Entry{{ID: 1, Body: []byte(`{}`)}}}
	other.take(l.Saver(false))
	require.Equal(t, s.entries, other.entries, "in another place")
}
