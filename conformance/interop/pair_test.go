package interop_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/mutants"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	vendors "github.com/cabrank/cabrank/conformance/dispatchside/mutants"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/host"
)

// autumn is when all of it takes place.
var autumn = time.Date(2026, time.October, 12, 10, 0, 0, 0, time.UTC)

var began = time.Now()

// now is the time by which dispatch systems are judged: how fast they are is theirs.
func now() time.Time { return autumn.Add(time.Since(began)) }

// clock goes ten times as fast, for platforms that wait.
var clock = mutants.Fast(mutants.Clock{Now: now, Wait: wait}, 10)

func wait(ctx context.Context, d time.Duration) { client.Pause(ctx, d) }

const secret = "open-sesame-1"

type object = map[string]any

// vendor is a dispatch system: the reference with a layer of the matrix over it, or one
// of the matrix's own.
type vendor struct {
	http.Handler
	host *host.Host // nil: its own
}

func newVendor(t *testing.T, name string, now func() time.Time) vendor {
	t.Helper()
	for _, m := range append(vendors.All(), vendors.Variants()...) {
		if m.Name == name && m.Own {
			return vendor{Handler: m.Wrap(nil)}
		}
	}
	c := host.Default()
	c.Speed, c.Cars, c.Centre = 0, 10, &taxi.Point{Longitude: -1.5491, Latitude: 53.7997}
	h, err := host.Open(t.Context(), c, host.Deps{
		Now: now, HTTP: dispatch.HTTPOptions{Credentials: taxi.Credentials{Style: taxi.AuthBearer, Secret: secret}},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	return vendor{Handler: layerNamed(t, name)(h), host: h}
}

// serve serves a handler in the place of a vendor: the reference over TLS, with the
// authority that is to be trusted as DER, the others over plain HTTP.
func (v vendor) serve(t *testing.T, h http.Handler) (server *httptest.Server, ca []byte) {
	t.Helper()
	server = httptest.NewUnstartedServer(h)
	t.Cleanup(server.Close)
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	if v.host == nil {
		server.Start()
		return server, nil
	}
	authority, err := client.NewAuthority(clock.Now())
	require.NoError(t, err)
	own, err := authority.Issue(clock.Now().Add(-time.Hour), clock.Now().Add(90*24*time.Hour), "127.0.0.1")
	require.NoError(t, err)
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{own}}
	server.StartTLS()
	return server, authority.Certificate()
}

// trusting is how a vendor is reached whose authority is known; nil: as always.
func trusting(ca []byte) *tls.Config {
	if ca == nil {
		return nil
	}
	pool := x509.NewCertPool()
	if own, err := x509.ParseCertificate(ca); err == nil {
		pool.AddCert(own)
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: pool}
}

// layerNamed finds what is laid over the reference.
func layerNamed(t *testing.T, name string) func(http.Handler) http.Handler {
	t.Helper()
	switch name {
	case "the reference":
		return func(h http.Handler) http.Handler { return h }
	case "switches options off":
		return switching(object{"options": []string{"cancel", "jobID"}, "skipDropOff": true})
	}
	for _, m := range append(vendors.All(), vendors.Variants()...) {
		if m.Name == name {
			return m.Wrap
		}
	}
	t.Fatalf("there is no vendor %q", name)
	return nil
}

// switching is a vendor whose /config overrides settings.
func switching(data object) func(http.Handler) http.Handler {
	return func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/config" {
				h.ServeHTTP(w, r)
				return
			}
			rec := httptest.NewRecorder()
			h.ServeHTTP(rec, r)
			var told object
			if rec.Code != http.StatusOK || json.Unmarshal(rec.Body.Bytes(), &told) != nil {
				w.WriteHeader(rec.Code)
				_, _ = w.Write(rec.Body.Bytes())
				return
			}
			told["data"] = data
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(told)
		})
	}
}

// person finds a number of the reference's people.
func person(kind fixtures.PersonKind) taxi.E164 {
	for _, p := range fixtures.People() {
		if p.Kind == kind {
			return p.PhoneNumber
		}
	}
	panic(kind)
}

// rests are the checks of a dispatch system that predictions rest on.
const rests = `W-01 CFG-01 CFG-02 CFG-06 CFG-07 USR-01 USR-02 USR-03 USR-04 USR-05 USR-08 USR-09 USR-10 USR-13 USR-14 USR-15 BOK-01 BOK-02 BOK-03 BOK-04
	BOK-10 BOK-11 BOK-15 BOK-16 BOK-19 BOK-24 BOK-25 BOK-26 BOK-27 BOK-28 BOK-29 BOK-32 BOK-33 BOK-34 CAN-01 CAN-02 CAN-07 STA-01 STA-02 STA-04 STA-07 STA-09
	STA-10 STA-13 STA-15 SEC-02 ENR-10 ENR-18 JRN-01 JRN-05 JRN-06 IDM-01 IDM-02 SEC-05 TIM-01`

// judgeVendor runs suite 1 against a dispatch system.
func judgeVendor(t *testing.T, name string) *conformance.RunFile {
	t.Helper()
	v := newVendor(t, name, now)
	server, ca := v.serve(t, v)
	target := dispatchside.Target{TLS: trusting(ca), URL: server.URL, Now: now, Seed: 3, Timeout: time.Minute, Only: strings.Fields(rests)}
	if v.host != nil {
		target.Auth, target.Disabled, target.Blacklisted = taxi.Bearer(secret), person(fixtures.PersonDisabled), person(fixtures.PersonBlacklisted)
		target.Advance = func(ctx context.Context, id taxi.JourneyID, to taxi.Status) error {
			return v.host.World().Clock().UntilStatus(ctx, id, to, 14*24*time.Hour)
		}
	}
	report, err := dispatchside.Run(t.Context(), target)
	require.NoError(t, err)
	return reread(t, conformance.NewRunFile(report, "test"))
}

// platformNamed is a platform of the matrix.
func platformNamed(name string) *mutants.Platform {
	if name == "a right platform" {
		return mutants.NewPlatform(clock.Now, clock.Wait)
	}
	return mutants.NewPlatform(clock.Now, clock.Wait, mutants.Switch(name))
}

// judgePlatform runs suite 2 against a platform.
func judgePlatform(t *testing.T, name string) *conformance.RunFile {
	t.Helper()
	server := httptest.NewServer(platformNamed(name))
	defer server.Close()
	subject, err := mutants.Sound(clock)(t.Context())
	require.NoError(t, err)
	report, err := subject.Test(t.Context(), matrix.Place{Port: &matrix.Port{URL: server.URL}, URL: server.URL, Now: clock.Now})
	require.NoError(t, err)
	return reread(t, conformance.NewRunFile(report, "test"))
}

// reread writes a run file and reads it again, as the command does.
func reread(t *testing.T, run *conformance.RunFile) *conformance.RunFile {
	t.Helper()
	var text bytes.Buffer
	require.NoError(t, run.Write(&text))
	again, err := conformance.ReadRunFile(&text, run.Suite)
	require.NoError(t, err)
	return again
}

// seen is a call that a platform made of a dispatch system.
type seen struct {
	op, method string
	sent       object
	code       int
	told       object
}

// line is the connection between the two, which keeps what passes.
type line struct {
	http.Handler
	mu    sync.Mutex
	calls []seen
	drop  bool // the answer to the next /book is lost
}

func (l *line) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // of this test's own platform
	r.Body = io.NopCloser(bytes.NewReader(body))
	rec := httptest.NewRecorder()
	l.Handler.ServeHTTP(rec, r)
	s := seen{op: strings.TrimPrefix(r.URL.Path, "/"), method: r.Method, code: rec.Code}
	_ = json.Unmarshal(body, &s.sent) // nil: it is no object
	_ = json.Unmarshal(rec.Body.Bytes(), &s.told)
	l.mu.Lock()
	l.calls = append(l.calls, s)
	lost := l.drop && s.op == "book"
	l.drop = l.drop && !lost
	l.mu.Unlock()
	if lost {
		panic(http.ErrAbortHandler)
	}
	maps.Copy(w.Header(), rec.Header())
	w.WriteHeader(rec.Code)
	_, _ = w.Write(rec.Body.Bytes())
}

// since returns the calls after the first n.
func (l *line) since(n int) []seen {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]seen(nil), l.calls[n:]...)
}
