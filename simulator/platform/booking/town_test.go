package booking_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/rest"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// morning is the time at which the tests start: ten o'clock on a Tuesday in Otterbridge.
var morning = time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)

// town is a seeded platform on a virtual clock, whose accounts book with a third party of the test.
type town struct {
	t        testing.TB
	line     *voice.Virtual
	platform *platform.Platform
	handler  http.Handler
	account  string
	number   string // that the taxi plugin answers
}

// newTown returns a town; an empty address means that there is no third party.
func newTown(t testing.TB, third string, change ...func(*platform.Options)) *town {
	t.Helper()
	store, err := records.Open(t.Context(), "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	w := &town{t: t, line: voice.NewVirtual(morning)}
	opts := platform.Options{
		Records: store, Now: w.line.Now, Line: w.line, Work: w.line, PrivateHooks: true,
		Random: rand.NewChaCha8([32]byte{7}),
		Limits: rest.Limits{LiveCalls: 1000},
	}
	for _, c := range change {
		c(&opts)
	}
	w.platform, err = platform.New(t.Context(), opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.platform.Close(context.Background())) })
	require.NoError(t, w.platform.Seed(t.Context()))
	require.NoError(t, w.platform.UseThirdParty(t.Context(), platform.ThirdParty{URL: third}))
	a := store.Accounts(store.Organisations()[0].ID)[0]
	w.account, w.number = a.ID, store.DDIs(a.ID)[1].Name
	w.handler = w.platform.Handler()
	return w
}

// ask sends a request to the control API.
func (w *town) ask(method, path, body string) (int, []byte) {
	w.t.Helper()
	req := httptest.NewRequest(method, path, strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	w.handler.ServeHTTP(answer, req)
	return answer.Code, answer.Body.Bytes()
}

// set changes settings of the taxi plugin, each a pair of a member and its JSON.
func (w *town) set(pairs ...string) {
	w.t.Helper()
	path := "/sim/v1/accounts/" + w.account + "/taxi"
	status, body := w.ask(http.MethodGet, path, "")
	require.Equal(w.t, http.StatusOK, status, "%s", body)
	var all map[string]json.RawMessage
	require.NoError(w.t, json.Unmarshal(body, &all))
	for i := 0; i < len(pairs); i += 2 {
		all[pairs[i]] = json.RawMessage(pairs[i+1])
	}
	changed, err := json.Marshal(all)
	require.NoError(w.t, err)
	status, body = w.ask(http.MethodPut, path, string(changed))
	require.Equal(w.t, http.StatusNoContent, status, "%s", body)
}

// dial lets a caller call the taxi number and follow a script.
func (w *town) dial(from, script string) simapi.PhoneView {
	w.t.Helper()
	status, body := w.ask(http.MethodPost, "/sim/v1/phones", fmt.Sprintf(`{"from":%q,"to":%q,"script":%s}`, from, w.number, script))
	require.Equal(w.t, http.StatusCreated, status, "%s", body)
	return decoded[simapi.PhoneView](w.t, body)
}

// call is dial, but waits for the end of the call.
func (w *town) call(from, script string) simapi.PhoneView {
	w.t.Helper()
	id := w.dial(from, script).ID
	w.line.Run(time.Hour)
	_, body := w.ask(http.MethodGet, "/sim/v1/phones/"+id, "")
	return decoded[simapi.PhoneView](w.t, body)
}

func (w *town) calls() []calls.View {
	w.t.Helper()
	_, body := w.ask(http.MethodGet, "/sim/v1/calls", "")
	all := decoded[[]calls.View](w.t, body)
	for i := range all {
		_, body := w.ask(http.MethodGet, "/sim/v1/calls/"+all[i].ID, "")
		all[i] = decoded[calls.View](w.t, body)
	}
	return all
}

func decoded[T any](t testing.TB, text []byte) (v T) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	require.NoError(t, d.Decode(&v), "%s", text)
	return v
}

// written returns a call as a golden file shows it.
func written(v calls.View) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s call from %s to %s: %s, cause %d %s\n", v.Direction, v.From, v.To, v.Status, v.Cause, v.Reason)
	for _, l := range v.Transcript {
		fmt.Fprintf(&b, "%7.1fs  %-8s  %-6s  %s\n", float64(l.AtMs)/1000, l.Party, l.Kind, l.Text)
	}
	return b.String()
}

func said(v simapi.PhoneView) string {
	var list []string
	for _, l := range v.Transcript {
		if l.Kind == voice.LineSay {
			list = append(list, l.Text)
		}
	}
	return strings.Join(list, " ")
}
