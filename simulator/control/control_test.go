package control_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/store"
)

var monday = time.Date(2026, time.June, 1, 8, 0, 0, 0, time.UTC)

func order(id taxi.JourneyID, status taxi.Status) string {
	text, err := json.Marshal(control.Order{JourneyID: id, Status: status})
	if err != nil {
		panic(err) // two strings
	}
	return string(text)
}

func TestAJourneyIsBroughtToAStatus(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	ref := r.bookAt(monday.Add(90 * 24 * time.Hour))
	for _, want := range []taxi.Status{taxi.Held, taxi.Waiting, taxi.Arrived, taxi.POB, taxi.Complete, taxi.Complete} {
		told := do[control.Outcome](r, "POST", "/advance", order(ref.JourneyID, want))
		require.Equal(t, control.Outcome{JourneyID: ref.JourneyID, Status: want, Now: do[control.Clock](r, "GET", "/clock", "").Now}, told)
		is, err := r.desk.Status(t.Context(), ref)
		require.NoError(t, err)
		require.Equal(t, want, is.Status)
	}
	p := r.refused("POST", "/advance", order(ref.JourneyID, taxi.Arrived), http.StatusConflict)
	require.Contains(t, p.Detail, "the journey is COMPLETE, and will not be ARRIVED")
	require.Equal(t, taxi.Complete, p.JourneyStatus)
}

func TestInvalidAdvanceOrdersAreRefused(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	for body, want := range map[string]int{
		"":                    http.StatusUnprocessableEntity,
		`{"journeyId":7}`:     http.StatusUnprocessableEntity,
		`{"journey":"J0"}`:    http.StatusUnprocessableEntity,
		`{"status":"POB"}`:    http.StatusUnprocessableEntity,
		order("J0", "SOON"):   http.StatusUnprocessableEntity,
		order("J0", taxi.POB): http.StatusNotFound,
		`{"journeyId":"` + strings.Repeat("J", 9000): http.StatusBadRequest,
	} {
		r.refused("POST", "/advance", body, want)
	}
	for path, want := range map[string]int{"//readyz": http.StatusNotFound, "/readyz": http.StatusOK} { // and no redirect
		status, _ := r.page(http.MethodGet, path, "", "")
		require.Equal(t, want, status, path)
	}
}

// TestInternalErrorsAreLoggedButNotRevealed checks that an error of the records is logged, and not
// described to the caller, and that a request that its client cancelled is not logged.
func TestInternalErrorsAreLoggedButNotRevealed(t *testing.T) {
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

// FuzzOrders sends arbitrary bodies to every call that reads one, and checks that no answer has
// a status of 500 or more.
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

// described is the OpenAPI document with which every answer of a [rig] is compared.
var described = sync.OnceValue(func() *golden.Document { return golden.ReadDocument(control.OpenAPI()) })

// anyCall is what every call may answer, as the document's head says.
var anyCall = []int{400, 401, 403, 404, 413, 415, 421, 429, 500, 503}

// judge compares a call with the document, if it is described: the status must be listed, and
// the answer, and a body that was accepted, must match their schemas.
func judge(t testing.TB, method, path, body string, status int, answer string) {
	t.Helper()
	d := described()
	pointer := d.Operation(method, cmp.Or(path, "/"))
	if pointer == "" {
		return
	}
	response, at := d.At(pointer, "responses", strconv.Itoa(status))
	if response == nil {
		require.Contains(t, anyCall, status, "%s %s is not described with this status", method, path)
		return
	}
	content := "application/json"
	if status >= 400 {
		content = "application/problem+json"
	}
	if bodies, _ := response["content"].(map[string]any); bodies["application/geo+json"] != nil {
		content = "application/geo+json"
	}
	if response["content"] == nil {
		require.Empty(t, answer)
	} else {
		_, schema := d.At(at, "content", content, "schema")
		require.NoError(t, d.Judge(schema, []byte(answer)), answer)
	}
	if status < 300 && body != "" {
		_, schema := d.At(pointer, "requestBody", "content", "application/json", "schema")
		require.NoError(t, d.Judge(schema, []byte(body)), body)
	}
}

func TestOpenAPIDocumentIsValid(t *testing.T) {
	loader := openapi3.NewLoader()
	loaded, err := loader.LoadFromData(control.OpenAPI())
	require.NoError(t, err)
	require.NoError(t, loaded.Validate(t.Context()))
}

// TestOpenAPIRequestBodiesAreRequired checks that the document requires each request body, and one of
// each POST: a generated client leaves out what is optional, and with it the Content-Type,
// without which a POST is refused.
func TestOpenAPIRequestBodiesAreRequired(t *testing.T) {
	paths, _ := described().At("#/paths")
	for path, item := range paths {
		for method := range item.(map[string]any) {
			body, _ := described().At("#/paths", path, method, "requestBody")
			if body != nil || method == "post" {
				require.Equal(t, true, body["required"], "%s %s", method, path)
			}
		}
	}
}

// TestOpenAPIPathsHaveRoutes checks that the server returns the document, and that there is a
// route for each of its paths: those of the journal are described by hand.
func TestOpenAPIPathsHaveRoutes(t *testing.T) {
	r := newEmptyRig(t)
	status, text := r.send("GET", "/openapi.json", "")
	require.Equal(t, 200, status)
	require.JSONEq(t, string(control.OpenAPI()), text)
	paths, _ := described().At("#/paths")
	for path, item := range paths {
		for method := range item.(map[string]any) {
			require.True(t, method == "parameters" || slices.ContainsFunc(control.Routes(), func(route string) bool {
				of, at, _ := strings.Cut(route, " ")
				below, open := strings.CutSuffix(at, "{below...}")
				return (of == "" || of == strings.ToUpper(method)) && (at == path || open && strings.HasPrefix(path+"/", below))
			}), "%s %s", method, path)
		}
	}
}

// TestRoutingOfPathsAndMethods checks the status and the Allow header for valid and invalid paths and
// methods.
func TestRoutingOfPathsAndMethods(t *testing.T) {
	r := newEmptyRig(t)
	do[control.Sandbox](r, "POST", "/sandboxes", `{"name":"ann"}`)
	for _, row := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"GET", "", 200, ""},
		{"GET", "/clock/", 200, ""},
		{"GET", "/%63lock", 200, ""},
		{"HEAD", "/clock", 405, "GET, PUT"},
		{"DELETE", "/clock", 405, "GET, PUT"},
		{"GET", "/clock%2Fadvance", 404, ""},
		{"GET", "/clock//advance", 404, ""},
		{"GET", "/journeys/../clock", 404, ""},
		{"GET", "/journeys/next/script", 405, "DELETE, POST"},
		{"GET", "/scenarios/start", 404, ""},
		{"PUT", "/scenarios/start", 405, "GET, POST"},
		{"OPTIONS", "/nothing", 404, ""},
	} {
		req := httptest.NewRequestWithContext(t.Context(), row.method, control.Prefix+row.path, http.NoBody)
		req.Host = "localhost"
		answer := httptest.NewRecorder()
		r.ServeHTTP(answer, req)
		require.Equal(t, row.status, answer.Code, "%s %s", row.method, row.path)
		require.Equal(t, row.allow, answer.Header().Get("Allow"), "%s %s", row.method, row.path)
	}
	r.at("/s/ann").refused("DELETE", "/sandboxes", "", 404)
}
