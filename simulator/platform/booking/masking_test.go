package booking_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
)

// arrived are answers of a third party whose driver waits.
func arrived() map[string][]reply {
	journey := `{"journeyId":"J-1","status":"ARRIVED","pickup":{"address":"Mill Lane","location":{"longitude":2,"latitude":54}},` +
		`"driver":{"name":"Agnes","phoneNumber":"+441134960007","badgeNumber":"B1"}}`
	return map[string][]reply{
		"/config": {{Body: []byte(`{"status":"OK"}`)}},
		"/user":   {{Body: []byte(`{"userId":"u","name":"Rosalind","phoneNumber":"442079460001","activeBookings":[` + journey + `]}`)}},
		"/status": {{Body: []byte(journey)}},
	}
}

// TestNeitherSeesTheOther has a caller tell the driver and talk to them, with the
// driver's telephone, the account's event hooks, the log and the calls looked
// through for the numbers.
func TestNeitherSeesTheOther(t *testing.T) {
	var mu sync.Mutex
	var all strings.Builder
	note := func(text string) {
		mu.Lock()
		defer mu.Unlock()
		all.WriteString(text + "\n")
	}
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		note(string(body))
	}))
	t.Cleanup(hook.Close)
	var store *records.Records
	w := newTown(t, newParty(t, arrived()).url, func(o *platform.Options) { store, o.Log = o.Records, testLog(note) })
	require.NoError(t, store.Write(t.Context(), func(tx *records.Tx) error {
		return store.Hooks.Put(t.Context(), tx, w.account, "h", records.Hook{Hook: api.Hook{ID: "h", App: api.AppEvent, URL: hook.URL, AuthType: api.AuthDisabled, Method: "POST"}})
	}))
	status, body := w.ask(http.MethodPost, "/sim/v1/phones", `{"number":"+441134960007","script":[{"expect":"is coming now"},{"expect":"is coming now"}]}`)
	require.Equal(t, http.StatusCreated, status, "%s", body)
	first := decoded[simapi.PhoneView](t, body).ID
	caller := w.dial("442079460001", `[{"expect":"coming now, press 1"},{"press":"1"},{"expect":"i have told the driver"},{"expect":"call the driver, press 2"},
		{"press":"2"},{"expect":"connecting you now"},{"wait":"8s"},{"say":"I am at the back door"},{"wait":"5s"},{"hangup":true}]`)
	w.line.Run(25 * time.Second)
	_, body = w.ask(http.MethodPost, "/sim/v1/phones", `{"number":"+441134960007","script":[{"wait":"20s"}]}`)
	second := decoded[simapi.PhoneView](t, body).ID
	w.line.Run(time.Hour)
	view := func(id string) simapi.PhoneView {
		_, body := w.ask(http.MethodGet, "/sim/v1/phones/"+id, "")
		return decoded[simapi.PhoneView](t, body)
	}
	require.Equal(t, "done", view(caller.ID).Script)
	require.Equal(t, "done", view(first).Script)
	for _, id := range []string{first, second} {
		require.Equal(t, "+441632960100", view(id).From, "the account's main number, not the caller's")
	}
	for _, c := range w.calls() {
		if c.Parent != "" {
			require.Equal(t, "driver", c.To)
			require.NotContains(t, written(c), "442079460001")
		}
		note(written(c))
	}
	got := all.String()
	require.Contains(t, got, `"type":"taxi.coming-now"`)
	require.Contains(t, got, `"to":"driver"`)
	require.Contains(t, got, "Your passenger at Mill Lane is coming now.")
	for _, secret := range []string{"1134960007", "01134960007"} {
		require.NotContains(t, got, secret)
	}
}

// TestAJobIDIsNoNumber leaves out ids that read like a telephone number of the customer's country.
func TestAJobIDIsNoNumber(t *testing.T) {
	for _, row := range []struct {
		id   taxi.JourneyID
		told bool
	}{
		{"JQ99714P9", true},
		{"4471", true},
		{"", true},
		{"1234567890123456", true},
		{"3312345678", true},
		{"44AB123456", true},
		{"+15551234567", false},
		{"02079460001", false},
		{"442079460001", false},
		{"4412345678", false},
	} {
		want := row.id
		if !row.told {
			want = ""
		}
		require.Equal(t, want, booking.JobID("+442079460002", row.id))
	}
}

// testLog is a log whose lines go to a function.
func testLog(line func(string)) *slog.Logger {
	return slog.New(slog.NewTextHandler(lines(line), &slog.HandlerOptions{Level: slog.LevelDebug}))
}

type lines func(string)

func (l lines) Write(text []byte) (int, error) {
	l(string(text))
	return len(text), nil
}
