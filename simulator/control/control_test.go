package control_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/store"
)

var monday = time.Date(2026, time.June, 1, 8, 0, 0, 0, time.UTC)

// serve serves a calm world with its control calls.
func serve(t *testing.T) (url string, c *taxi.Client) {
	t.Helper()
	config := host.Default()
	config.Speed, config.Cars = 0, 5
	server := httptest.NewServer(newServer(t, config, host.Deps{}, nil))
	t.Cleanup(server.Close)
	c, err := taxi.NewClient(server.URL, taxi.ClientOptions{})
	require.NoError(t, err)
	return server.URL, c
}

func post(t *testing.T, url, contentType, body string) (status int, answer string) {
	t.Helper()
	resp, err := http.Post(url+control.PathAdvance, contentType, strings.NewReader(body))
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	if resp.StatusCode != http.StatusOK {
		require.Equal(t, taxi.ProblemContentType, resp.Header.Get("Content-Type"))
	}
	return resp.StatusCode, string(text)
}

func order(id taxi.JourneyID, status taxi.Status) string {
	text, err := json.Marshal(control.Order{JourneyID: id, Status: status})
	if err != nil {
		panic(err) // two strings
	}
	return string(text)
}

func TestAJourneyIsBroughtToAStatus(t *testing.T) {
	url, c := serve(t)
	places := fixtures.Places()
	u, err := c.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460000"})
	require.NoError(t, err)
	j, err := c.Book(t.Context(), taxi.BookRequest{
		UserID: u.UserID, Name: "Ann Other", PhoneNumber: "+442079460000",
		Pickup: &places[0].Address, Dropoffs: []taxi.Address{places[1].Address}, PickupTime: taxi.At(monday.Add(90 * 24 * time.Hour)),
	})
	require.NoError(t, err)
	require.Equal(t, taxi.Held, j.Status)
	for _, want := range []taxi.Status{taxi.Held, taxi.Waiting, taxi.Arrived, taxi.POB, taxi.Complete, taxi.Complete} {
		status, answer := post(t, url, "application/json; charset=utf-8", order(j.JourneyID, want))
		require.Equal(t, http.StatusOK, status, answer)
		require.Contains(t, answer, `"status":"`+string(want)+`","now":"2026-`)
		is, err := c.Status(t.Context(), taxi.JourneyRef{UserID: u.UserID, JourneyID: j.JourneyID})
		require.NoError(t, err)
		require.Equal(t, want, is.Status)
	}
	status, answer := post(t, url, "application/json", order(j.JourneyID, taxi.Arrived))
	require.Equal(t, http.StatusConflict, status)
	require.Contains(t, answer, "the journey is COMPLETE, and will not be ARRIVED")
	require.Contains(t, answer, `"journeyStatus":"COMPLETE"`)
}

func TestOrdersThatAreNone(t *testing.T) {
	url, _ := serve(t)
	for body, want := range map[string]int{
		"":                    http.StatusUnprocessableEntity,
		`{"journeyId":7}`:     http.StatusUnprocessableEntity,
		`{"journey":"J0"}`:    http.StatusUnprocessableEntity,
		`{"status":"POB"}`:    http.StatusUnprocessableEntity,
		order("J0", "SOON"):   http.StatusUnprocessableEntity,
		order("J0", taxi.POB): http.StatusNotFound,
		`{"journeyId":"` + strings.Repeat("J", 9000): http.StatusBadRequest,
	} {
		status, answer := post(t, url, "application/json", body)
		require.Equal(t, want, status, answer)
	}
	status, _ := post(t, url, "text/plain", order("J0", taxi.POB))
	require.Equal(t, http.StatusUnsupportedMediaType, status, "which a page in a browser can send")
	resp, err := http.Get(url + "//readyz")
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusNotFound, resp.StatusCode, "and no redirect")
	resp, err = http.Get(url + "/readyz")
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusOK, resp.StatusCode)
}

// TestWhatGoesWrongInsideIsLogged asks a host whose records are closed: the caller is
// not told of the file.
func TestWhatGoesWrongInsideIsLogged(t *testing.T) {
	config := host.Default()
	config.Speed, config.Cars = 0, 5
	deps := host.Deps{Place: store.File(filepath.Join(t.TempDir(), "own.db"))}
	require.NoError(t, newServer(t, config, deps, nil).Close())
	var log bytes.Buffer // records that were there before are looked for in the file
	handler := newServer(t, config, deps, slog.New(slog.NewTextHandler(&log, nil)))
	require.NoError(t, handler.Host().Close())
	ask := func(ctx context.Context) string {
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, control.PathAdvance, strings.NewReader(order("J0", taxi.POB)))
		r.Host = "localhost"
		r.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, r)
		return strconv.Itoa(answer.Code) + answer.Body.String()
	}
	answer := ask(t.Context())
	require.Contains(t, answer, `503{"type":"about:blank"`)
	require.Contains(t, answer, `"code":"storage-unavailable"`)
	require.NotContains(t, answer, "closed")
	require.Contains(t, log.String(), "closed")
	log.Reset()
	gone, leave := context.WithCancel(t.Context())
	leave()
	require.Contains(t, ask(gone), "the request or its world ended before it was done")
	require.Empty(t, log.String(), "nothing went wrong")
}

// FuzzOrders sends anything to every call that reads a body.
func FuzzOrders(f *testing.F) {
	var orders []string
	for _, r := range control.Routes() {
		if method, _, _ := strings.Cut(r, " "); method == "POST" || method == "PUT" || method == "PATCH" {
			orders = append(orders, strings.NewReplacer("{id}", "latest", "{key}", "442079460001", "{number}", "442079460201", "{name}", "ann").Replace(r))
		}
	}
	slices.Sort(orders)
	for _, body := range []string{
		`{}`, `null`, `[1]`, "{\"a\":\"\xff\"}", `{"now":"2030-01-01T00:00:00Z","mode":"manual","speed":1,"callers":"either"}`, `{"by":"1s"}`,
		`{"until":{"journey":"latest","status":"POB"},"within":"1m"}`, `{"seed":7,"to":"empty"}`, `{"name":"ann","town":"none","cars":2,"ttl":"1m","scenario":"no-cars"}`,
		`{"to":"ACCEPTED"}`, `{"steps":[{"after":"5s","to":"ACCEPTED"}]}`, `{"location":{"longitude":2,"latitude":54},"state":"off"}`, `{"status":"CLOSED","eta":{"value":-1}}`,
		`{"kind":"delay","for":"1s","match":{"op":"book","phone":"020"},"times":1}`, `{"kind":"any","of":[{"kind":"close","reset":true}],"probability":2}`,
		`{"zones":[{"at":{"longitude":0,"latitude":0},"radius":1e308,"cars":0}]}`, `{"status":"BLACKLISTED","data":{"features":["voice"]}}`,
	} {
		for i := range orders {
			f.Add(i, body)
		}
	}
	s := newServer(f, host.Config{
		Cars: 1, Town: "none", Demand: "none", Assign: "eta", Behaviour: "calm", System: taxi.ConfigResponse{Status: taxi.SystemOK}, UnknownUser: "404",
	}, host.Deps{People: []fixtures.Person{}}, nil)
	f.Fuzz(func(t *testing.T, order int, body string) {
		method, path, _ := strings.Cut(orders[uint(order)%uint(len(orders))], " ")
		r := httptest.NewRequestWithContext(t.Context(), method, control.Prefix+path, strings.NewReader(body))
		r.Host = "localhost"
		r.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		s.ServeHTTP(answer, r)
		require.Less(t, answer.Code, http.StatusInternalServerError, "%s %s %s: %s", method, path, body, answer.Body)
		for _, restore := range []struct{ method, path, body string }{{"DELETE", "/sandboxes/ann", ""}, {"PUT", "/clock", `{"mode":"manual"}`}} {
			r := httptest.NewRequestWithContext(t.Context(), restore.method, control.Prefix+restore.path, strings.NewReader(restore.body))
			r.Host = "localhost"
			r.Header.Set("Content-Type", "application/json")
			s.ServeHTTP(httptest.NewRecorder(), r)
		}
	})
}
