package operations_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
)

// server answers as a test says, and records the requests.
type server struct {
	url string

	mu     sync.Mutex
	bodies []string
	heads  []http.Header
}

func serve(t *testing.T, answer http.HandlerFunc) *server {
	t.Helper()
	s := &server{}
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.bodies, s.heads = append(s.bodies, r.URL.Path+" "+string(body)), append(s.heads, r.Header)
		s.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(h.Close)
	s.url = h.URL
	return s
}

// asked returns the number of requests.
func (s *server) asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.bodies)
}

func text(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }
}

func client(t *testing.T, url string, opts operations.Options) *operations.Client {
	t.Helper()
	if opts.Now == nil {
		opts.Now = func() time.Time { return time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC) }
	}
	c, err := operations.New(url, opts)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// failed returns an error as a Failure.
func failed(t *testing.T, err error) *operations.Failure {
	t.Helper()
	f, ok := errors.AsType[*operations.Failure](err)
	require.True(t, ok, "%v", err)
	return f
}

// TestIDsAreSentBackUnchanged checks that ids are sent back exactly as they were received, including escapes and numbers.
func TestIDsAreSentBackUnchanged(t *testing.T) {
	for _, id := range []string{`"007"`, `"a/b\/c"`, `"\u00fc\uD83D\uDE00"`, `" x "`, `"<&>"`, `12345678901234567890`, `1.50`, `"` + strings.Repeat("x", 200) + `"`} {
		s := serve(t, text(`{"userId":`+id+`,"activeBookings":[{"journeyId":`+id+`,"status":"WAITING"}]}`))
		c := client(t, s.url, operations.Options{})
		u, err := c.User(t.Context(), "+442079460001")
		require.NoError(t, err)
		require.Len(t, u.Active, 1)
		_, err = c.Status(t.Context(), u.Ref, u.Active[0].Ref)
		require.Error(t, err)
		require.Equal(t, `/user {"phoneNumber":"442079460001"}`, s.bodies[0])
		require.Equal(t, `/status {"userId":`+id+`,"journeyId":`+id+`}`, s.bodies[1])
	}
}

func TestIDComparison(t *testing.T) {
	require.True(t, operations.ID(`"a\/b"`).Is(`"a/b"`))
	require.False(t, operations.ID(`"7"`).Is(`7`))
	require.False(t, operations.ID("").Is(""))
	require.Equal(t, operations.ID(`"x"`), operations.StringID("x"))
	require.Equal(t, operations.ID(""), operations.StringID(""))
}

// TestOnlySafeOperationsAreRetried checks that a failed /config, /user or /status is repeated once, and a /book or
// /cancel never, since it may have succeeded.
func TestOnlySafeOperationsAreRetried(t *testing.T) {
	for name, fails := range map[string]http.HandlerFunc{
		"500":       func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
		"dropped":   func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"no JSON":   text("<html>"),
		"empty":     text(""),
		"an array":  text("[]"),
		"truncated": text(`{"journeyId":"x","sta`),
		"huge":      text(`{"x":"` + strings.Repeat("x", 2<<20) + `"}`),
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, fails)
			c := client(t, s.url, operations.Options{})
			for _, op := range fiveCalls {
				before := s.asked()
				err := op.call(t.Context(), c)
				require.Equal(t, operations.Unknown, failed(t, err).Outcome, op.name)
				require.NotContains(t, err.Error(), "127.0.0.1")
				require.Equal(t, before+op.times, s.asked(), op.name)
			}
		})
	}
}

var fiveCalls = []struct {
	name  string
	times int
	call  func(context.Context, *operations.Client) error
}{
	{"config", 2, func(ctx context.Context, c *operations.Client) error {
		_, err := c.Config(ctx, taxi.Settings{})
		return err
	}},
	{"user", 2, func(ctx context.Context, c *operations.Client) error {
		_, err := c.User(ctx, "442079460001")
		return err
	}},
	{"status", 2, func(ctx context.Context, c *operations.Client) error {
		_, err := c.Status(ctx, `"u"`, `"j"`)
		return err
	}},
	{"book", 1, func(ctx context.Context, c *operations.Client) error {
		_, err := c.Book(ctx, operations.Booking{Name: "x"})
		return err
	}},
	{"cancel", 1, func(ctx context.Context, c *operations.Client) error {
		_, err := c.Cancel(ctx, `"u"`, `"j"`)
		return err
	}},
}

// TestRefusedRequestsAreNotRepeated checks that statuses 3xx and 4xx count as not done, and that such a request is not repeated or
// redirected.
func TestRefusedRequestsAreNotRepeated(t *testing.T) {
	for _, status := range []int{301, 302, 307, 400, 401, 403, 404, 409, 422, 429} {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(status)
		})
		c := client(t, s.url, operations.Options{})
		_, err := c.Book(t.Context(), operations.Booking{})
		require.Equal(t, operations.NotDone, failed(t, err).Outcome, status)
		require.Equal(t, status, failed(t, err).Status)
		require.Len(t, s.bodies, 1, "no redirect is followed")
	}
}

// TestRetryAfterDelaysFurtherRequests checks that the third party is not called again before the time in its Retry-After header.
func TestRetryAfterDelaysFurtherRequests(t *testing.T) {
	for _, after := range []string{"30", "Tue, 24 Nov 2026 10:00:30 GMT"} {
		now := time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", after)
			w.WriteHeader(http.StatusServiceUnavailable)
		})
		c := client(t, s.url, operations.Options{Now: func() time.Time { return now }})
		for range 3 {
			_, err := c.Config(t.Context(), taxi.Settings{})
			require.Equal(t, 30*time.Second, failed(t, err).After)
		}
		require.Len(t, s.bodies, 1)
		now = now.Add(30 * time.Second)
		_, err := c.Config(t.Context(), taxi.Settings{})
		require.Error(t, err)
		require.Greater(t, len(s.bodies), 1)
	}
}

// TestRepeatedBookingWaitsForRetryAfter checks that a repeated booking for now waits for the Retry-After of the first,
// while other customers and edits do not.
func TestRepeatedBookingWaitsForRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "30")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	c := client(t, s.url, operations.Options{Now: func() time.Time { return now }})
	for _, one := range []struct {
		customer, phone string
		edits           operations.ID
		calls           int // so far
	}{
		{"442079460001", "442079460001", "", 1},
		{"442079460001", "442079460001", "", 1},
		{"442079460001", "442079460001", `"j"`, 2},
		{"442079460001", "442079460001", `"j"`, 2},
		{"442079460002", "442079460002", "", 3},
		{"", "442079460003", "", 4}, // the number was withheld, and asked for
		{"", "442079460004", "", 5},
		{"", "442079460003", "", 5},
	} {
		now = now.Add(time.Second)
		_, err := c.For(one.customer).Book(t.Context(), operations.Booking{Journey: one.edits, Phone: taxi.E164(one.phone), Time: taxi.At(now)})
		require.Positive(t, failed(t, err).After)
		require.Len(t, s.bodies, one.calls, "%+v", one)
	}
}

// TestCredentialsAreNotSentOnRedirect checks that credentials are sent with every request, but not to the target of a redirect,
// and are not in errors.
func TestCredentialsAreNotSentOnRedirect(t *testing.T) {
	elsewhere := serve(t, text("{}"))
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", elsewhere.url)
		w.WriteHeader(http.StatusTemporaryRedirect)
	})
	c := client(t, s.url+"/taxi/", operations.Options{Auth: taxi.Bearer("s3cret")})
	for _, op := range fiveCalls {
		err := op.call(t.Context(), c)
		require.Error(t, err)
		require.NotContains(t, err.Error(), "s3cret")
	}
	require.Empty(t, elsewhere.bodies)
	require.Len(t, s.bodies, len(fiveCalls))
	for i, h := range s.heads {
		require.Equal(t, "Bearer s3cret", h.Get("Authorization"))
		require.True(t, strings.HasPrefix(s.bodies[i], "/taxi/"))
	}
}

// TestTLSIsVerified checks that an untrusted certificate is refused, and a trusted one accepted.
func TestTLSIsVerified(t *testing.T) {
	h := httptest.NewUnstartedServer(text(`{"status":"OK"}`))
	h.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // it complains of the handshake
	h.StartTLS()
	t.Cleanup(h.Close)
	_, err := client(t, h.URL, operations.Options{}).Config(t.Context(), taxi.Settings{})
	require.ErrorContains(t, err, "certificate")
	trusting := h.Client().Transport.(*http.Transport).TLSClientConfig
	c, err := client(t, h.URL, operations.Options{TLS: trusting}).Config(t.Context(), taxi.Settings{})
	require.NoError(t, err)
	require.Equal(t, taxi.SystemOK, c.Status)
}

func TestInvalidBaseURLsAreRefused(t *testing.T) {
	for _, bad := range []string{"", "dispatch", "ftp://x", "http://", "http://u:p@x", "http://x?y", "http://x#y", "http://[::1"} {
		_, err := operations.New(bad, operations.Options{})
		require.Error(t, err, bad)
	}
}

// TestForbiddenAddressesAreNotDialled checks that link-local, shared and cloud metadata addresses are never connected
// to, and private ones only if that is allowed.
func TestForbiddenAddressesAreNotDialled(t *testing.T) {
	refused := func(base string, private bool, why error) {
		_, err := client(t, base, operations.Options{Private: private}).Config(t.Context(), taxi.Settings{})
		require.ErrorIs(t, err, why, base)
		require.ErrorIs(t, operations.CheckReach(base, private), why, base)
	}
	for _, base := range []string{
		"http://169.254.169.254", "http://[fe80::1]", "http://100.64.0.1", "http://0.0.0.0",
		"http://[fd00:ec2::254]/latest", "http://[fd20:ce::254]", "http://[fd00:c1::a9fe:a9fe]", // the metadata of clouds
	} {
		refused(base, true, outbound.ErrNever)
		refused(base, false, outbound.ErrNever)
	}
	for _, base := range []string{"http://10.99.99.99", "http://192.168.99.99:8080", "http://[fd00:99::1]", "http://[::ffff:10.99.99.99]/taxi"} {
		refused(base, false, operations.ErrPrivate)
	}
	for _, base := range []string{"http://10.99.99.99", "http://127.0.0.1:1", "http://[::1]:1", "http://dispatch.example", "http://8.8.8.8"} {
		require.NoError(t, operations.CheckReach(base, true), base)
	}
	require.NoError(t, operations.CheckReach("http://8.8.8.8", false))
	require.Error(t, operations.CheckReach("dispatch", true))
}

// TestAnswersAboutOtherJourneysAreErrors checks that an answer about another journey than the requested one is an error.
func TestAnswersAboutOtherJourneysAreErrors(t *testing.T) {
	c := client(t, serve(t, text(`{"journeyId":"other","status":"CANCELLED"}`)).url, operations.Options{})
	_, err := c.Status(t.Context(), `"u"`, `"j"`)
	require.ErrorIs(t, err, operations.ErrForeign)
	_, err = c.Cancel(t.Context(), `"u"`, `"j"`)
	require.ErrorIs(t, err, operations.ErrForeign)
	_, err = c.Book(t.Context(), operations.Booking{Journey: `"j"`})
	require.ErrorIs(t, err, operations.ErrForeign)
	_, err = c.Book(t.Context(), operations.Booking{})
	require.NoError(t, err, "a new booking has no id to compare with")
	c = client(t, serve(t, text(`{"status":"CANCELLED"}`)).url, operations.Options{})
	_, err = c.Cancel(t.Context(), `"u"`, `"j"`)
	require.ErrorIs(t, err, operations.ErrIncomplete)
}

// TestMalformedFieldsAreReadLeniently checks that malformed fields of an answer are read as far as possible, or ignored.
func TestMalformedFieldsAreReadLeniently(t *testing.T) {
	c := client(t, serve(t, text("\xef\xbb\xbf"+`{"journeyId":"j","status":"EN_ROUTE","date":"2026-11-24T10:00","eta":{"value":"5.0","unit":"mins"},
		"price":{"value":12,"currency":"GBP","type":"ESTIMATE"},"pickup":"Mill Lane","dropoffs":[null,"x",{"address":"Station","location":{"longitude":"2.1","latitude":54}}],
		"driver":{"name":7,"phoneNumber":"+441134960007"},"vehicle":null,"location":{"longitude":500,"latitude":1},"passenger":[],"more":{"a":1}}`)).url, operations.Options{})
	j, err := c.Status(t.Context(), `"u"`, `"j"`)
	require.NoError(t, err)
	require.InDelta(t, 5, j.ETA.Value, 0)
	require.Equal(t, taxi.Estimated, j.Price.Type)
	require.Equal(t, "Mill Lane", j.Pickup.Address)
	require.Len(t, j.Dropoffs, 2)
	require.InDelta(t, 2.1, j.Dropoffs[1].Location.Longitude, 0)
	require.Empty(t, j.Driver.Name)
	require.Equal(t, taxi.E164("+441134960007"), j.Driver.PhoneNumber)
	require.Nil(t, j.Vehicle)
	require.Nil(t, j.Location)
	require.Nil(t, j.Passenger)
	require.True(t, j.Date.Local)
}

// FuzzAnswer checks that no answer of a third party causes a panic, and that active bookings have ids.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{`{}`, `{"userId":"u","activeBookings":[{"journeyId":1,"status":"x","eta":{"value":1e999}}]}`, `{"data":{"features":null,"options":[[]],"skipDropOff":1}}`, `[`, "\xff"} {
		f.Add(seed)
	}
	var answer string
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, answer) }))
	f.Cleanup(h.Close)
	c, err := operations.New(h.URL, operations.Options{Now: time.Now})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, body string) {
		answer = body
		u, err := c.User(t.Context(), "442079460001")
		for _, j := range u.Active {
			require.NotEmpty(t, j.Ref)
			require.NoError(t, err)
		}
		for _, op := range fiveCalls {
			_ = op.call(t.Context(), c)
		}
	})
}
