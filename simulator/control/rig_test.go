package control_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/worlds"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newServer returns a server whose main world is made from a Config, on Monday.
func newServer(t testing.TB, config host.Config, deps host.Deps, log *slog.Logger) *control.Server {
	t.Helper()
	towns := &host.Towns{}
	deps.Streets = towns.Streets
	return openServer(t, control.Options{Config: config, Log: log}, deps, host.Deps{Streets: towns.Streets})
}

// openServer returns a server whose main world and sandboxes have dependencies of their own.
// Its wall clock is that of the options; nil: it is Monday.
func openServer(t testing.TB, o control.Options, main, box host.Deps) *control.Server {
	t.Helper()
	if o.Now == nil {
		o.Now = func() time.Time { return monday }
	}
	main.Now, box.Now = o.Now, o.Now
	o.Open = func(ctx context.Context, w worlds.Opening) (*host.Host, error) {
		if w.Name != "" {
			return host.Open(ctx, w.Config, box)
		}
		return host.Open(ctx, w.Config, main)
	}
	s, err := control.New(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// still returns a Config of a calm world whose clock the test moves.
func still() host.Config {
	c := host.Default()
	c.Speed, c.Cars = 0, 5
	return c
}

// rig is a server with its calls, reached over HTTP.
type rig struct {
	testing.TB

	*control.Server

	url   string // of the world that is asked: the main one's, or a sandbox's
	token string // "": none is shown
	desk  *taxi.Client
	http  *httptest.Server
}

func newRig(t testing.TB, config host.Config, deps host.Deps) *rig {
	t.Helper()
	return serveRig(t, newServer(t, config, deps, nil))
}

func serveRig(t testing.TB, s *control.Server) *rig {
	t.Helper()
	r := &rig{TB: t, Server: s, http: httptest.NewServer(s)}
	t.Cleanup(r.http.Close)
	return r.at("")
}

// at returns a rig that calls the world below a path.
func (r *rig) at(path string) *rig {
	r.Helper()
	one := *r
	one.url = r.http.URL + path
	desk, err := taxi.NewClient(one.url, taxi.ClientOptions{})
	require.NoError(r, err)
	one.desk = desk
	return &one
}

// as returns a rig that sends a token.
func (r *rig) as(token string) *rig {
	one := *r
	one.token = token
	return &one
}

// shut ends the server.
func (r *rig) shut() {
	r.Helper()
	r.http.Close()
	require.NoError(r, r.Close())
}

// send makes a call, and checks the answer against the OpenAPI document.
func (r *rig) send(method, path, body string) (status int, answer string) {
	r.Helper()
	req, err := http.NewRequestWithContext(r.Context(), method, r.url+control.Prefix+path, strings.NewReader(body))
	require.NoError(r, err)
	if method != http.MethodGet {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.token != "" {
		req.Header.Set("Authorization", "Bearer "+r.token)
	}
	resp, err := r.http.Client().Do(req)
	require.NoError(r, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(r, err)
	if resp.StatusCode >= 400 {
		require.Equal(r, taxi.ProblemContentType, resp.Header.Get("Content-Type"))
	}
	judge(r, method, path, body, resp.StatusCode, string(text))
	return resp.StatusCode, string(text)
}

// do makes a call that is answered with 200 or 201, and returns the answer.
func do[T any](r *rig, method, path, body string) (out T) {
	r.Helper()
	status, text := r.send(method, path, body)
	require.Contains(r, []int{http.StatusOK, http.StatusCreated}, status, "%s %s %s: %s", method, path, body, text)
	require.NoError(r, json.Unmarshal([]byte(text), &out))
	return out
}

// refused makes a call that is refused with one of some statuses.
func (r *rig) refused(method, path, body string, statuses ...int) (p taxi.Problem) {
	r.Helper()
	status, text := r.send(method, path, body)
	require.Contains(r, statuses, status, "%s %s %s: %s", method, path, body, text)
	require.NoError(r, json.Unmarshal([]byte(text), &p))
	return p
}

// request returns a booking from the first place of the fixtures to the second.
func (r *rig) request(at time.Time) taxi.BookRequest {
	places := fixtures.Places()
	return taxi.BookRequest{
		Name: "Ann Other", PhoneNumber: "+442079460000",
		Pickup: &places[0].Address, Dropoffs: []taxi.Address{places[1].Address}, PickupTime: taxi.At(at),
	}
}
