package host_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/vary"
	"github.com/cabrank/cabrank/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var monday = time.Date(2026, time.June, 1, 8, 0, 0, 0, time.UTC)

func still() time.Time { return monday }

// calm returns a Config of a world whose clock the test moves.
func calm() host.Config {
	c := host.Default()
	c.Speed, c.Cars = 0, 5
	return c
}

func open(t *testing.T, c host.Config, d host.Deps) *host.Host {
	t.Helper()
	if d.Now == nil {
		d.Now = still
	}
	h, err := host.Open(t.Context(), c, d)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	return h
}

// client calls a host over HTTP.
func client(t *testing.T, h *host.Host, auth taxi.Auth) *taxi.Client {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	c, err := taxi.NewClient(server.URL, taxi.ClientOptions{Auth: auth})
	require.NoError(t, err)
	return c
}

// book books a taxi for now and returns where to ask for it.
func book(t *testing.T, c *taxi.Client, at time.Time) taxi.JourneyRef {
	t.Helper()
	places := fixtures.Places()
	u, err := c.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460000"})
	require.NoError(t, err)
	j, err := c.Book(t.Context(), taxi.BookRequest{
		UserID: u.UserID, Name: "Ann Other", PhoneNumber: "+442079460000",
		Pickup: &places[0].Address, Dropoffs: []taxi.Address{places[1].Address}, PickupTime: taxi.At(at),
	})
	require.NoError(t, err)
	return taxi.JourneyRef{UserID: u.UserID, JourneyID: j.JourneyID}
}

func TestAHostIsOpenedRestartedAndClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cabs.db")
	config := calm()
	config.Seed = 7
	h := open(t, config, host.Deps{Place: store.File(path)})
	c := client(t, h, nil)
	ref := book(t, c, monday)
	require.False(t, h.Resumed())
	require.NoError(t, h.World().Clock().UntilStatus(t.Context(), ref.JourneyID, taxi.EnRoute, time.Hour))
	before, was := h.World(), h.World().Clock().Now()

	require.NoError(t, h.Restart(t.Context()))
	require.NotSame(t, before, h.World())
	require.Equal(t, was, h.World().Clock().Now())
	j, err := c.Status(t.Context(), ref)
	require.NoError(t, err)
	require.Equal(t, taxi.EnRoute, j.Status, "what was booked goes on, at the same address")
	require.NoError(t, h.World().Clock().UntilStatus(t.Context(), ref.JourneyID, taxi.Complete, time.Hour))

	_, err = host.Open(t.Context(), config, host.Deps{Now: still, Place: store.File(path)})
	require.ErrorContains(t, err, "another process has this database open")
	require.NoError(t, h.Close())
	require.NoError(t, h.Close(), "closing again does nothing")

	again := open(t, config, host.Deps{Place: store.File(path)})
	require.True(t, again.Resumed())
	j, err = client(t, again, nil).Status(t.Context(), ref)
	require.NoError(t, err)
	require.Equal(t, taxi.Complete, j.Status)
}

// TestDamagedJourneyRecordReturnsAnError checks that calls about a journey whose record is damaged are
// answered with an error that says so, and does not name the file.
func TestDamagedJourneyRecordReturnsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cabs.db")
	h := open(t, calm(), host.Deps{Place: store.File(path)})
	ref := book(t, client(t, h, nil), monday)
	require.NoError(t, h.Close())
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "UPDATE journeys SET body = x'00'")
	require.NoError(t, errors.Join(err, db.Close()))
	c := client(t, open(t, calm(), host.Deps{Place: store.File(path)}), nil)
	for _, ask := range []func(context.Context, taxi.JourneyRef) (taxi.Journey, error){c.Status, c.Cancel} {
		_, err = ask(t.Context(), ref)
		require.ErrorContains(t, err, "500 internal: the record is damaged and was set aside; the server's log names it")
	}
}

func TestADatabaseKeepsItsSeed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cabs.db")
	config := calm()
	config.Seed = 7
	require.NoError(t, open(t, config, host.Deps{Place: store.File(path)}).Close())
	config.Seed = 8
	_, err := host.Open(t.Context(), config, host.Deps{Now: still, Place: store.File(path)})
	require.ErrorContains(t, err, "seed is 8 and "+path+" was begun with 7")
	h := open(t, config, host.Deps{Place: store.File(path), AnySeed: true})
	require.Equal(t, uint64(7), h.Config().Seed)
}

func TestNewDatabaseKeepsItsRandomSeed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cabs.db")
	draw := func(seed uint64) host.Deps {
		return host.Deps{Place: store.File(path), AnySeed: true, FreshSeed: func() uint64 { return seed }}
	}
	first := open(t, calm(), draw(41))
	require.Equal(t, uint64(41), first.Config().Seed)
	require.NoError(t, first.Close())
	require.Equal(t, uint64(41), open(t, calm(), draw(42)).Config().Seed, "it keeps the one that it drew")
}

func TestHostUsesGivenCredentialsAndPeople(t *testing.T) {
	h := open(t, calm(), host.Deps{
		HTTP:   dispatch.HTTPOptions{Credentials: taxi.Credentials{Style: taxi.AuthBearer, Secret: "s3cret"}},
		People: []fixtures.Person{},
	})
	who := taxi.UserRequest{PhoneNumber: "442079460000"}
	_, err := client(t, h, nil).User(t.Context(), who)
	require.ErrorIs(t, err, &taxi.Problem{Code: taxi.CodeUnauthenticated})
	_, err = client(t, h, taxi.Bearer("s3cret")).User(t.Context(), who)
	require.ErrorIs(t, err, &taxi.Problem{Code: taxi.CodeUserNotFound})
}

// TestRunningClockContinuesAfterRestart checks that the clock of a world runs at its speed, also after a restart,
// and that events happen.
func TestRunningClockContinuesAfterRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := calm()
		config.Speed = 60
		h, err := host.Open(t.Context(), config, host.Deps{Now: time.Now})
		require.NoError(t, err)
		begun := h.World().Clock().Now()
		<-time.After(time.Minute)
		require.GreaterOrEqual(t, h.World().Clock().Now().Sub(begun), time.Hour)
		require.NoError(t, h.Restart(t.Context()))
		begun = h.World().Clock().Now()
		events := h.World().Stats().Events
		<-time.After(time.Minute)
		require.GreaterOrEqual(t, h.World().Clock().Now().Sub(begun), time.Hour)
		require.Greater(t, h.World().Stats().Events, events)
		require.NoError(t, h.Close())
	})
}

func TestInvalidConfigNamesItsField(t *testing.T) {
	for _, test := range []struct {
		change func(*host.Config)
		field  string
		says   string
	}{
		{func(c *host.Config) { c.Speed = -1 }, "speed", "speed is -1, want 0 to 10000"},
		{func(c *host.Config) { c.Variation = 3 }, "variation", "variation is 3, want 0 (none), 1 (mild) or 2 (rich)"},
		{func(c *host.Config) { c.Cars = 0 }, "cars", "cars is 0, want 1 to"},
		{func(c *host.Config) { c.Town = "100" }, "town", "town: import 100: want a .geojson or .osm.pbf file"},
		{func(c *host.Config) { c.Town = "nowhere.geojson" }, "town", "no such file"},
		{func(c *host.Config) { c.Demand = "riots" }, "demand", "demand: "},
		{func(c *host.Config) { c.Assign = "best" }, "assign", "assign: "},
		{func(c *host.Config) { c.Behaviour = "weird" }, "behaviour", "behaviour: "},
		{func(c *host.Config) { c.System.Status = "ON FIRE" }, "system", `system is "ON FIRE"`},
		{func(c *host.Config) { c.UnknownUser = "500" }, "unknownUser", "want 404 or create"},
		{func(c *host.Config) { c.Area = -1 }, "area", "area is -1, want kilometres from 0 to 20000"},
		{func(c *host.Config) { c.Area = math.Inf(1) }, "area", "area is +Inf, want"},
		{func(c *host.Config) { c.Area = math.NaN() }, "area", "area is NaN, want"},
		{func(c *host.Config) { c.DuplicateWindow = -1 }, "duplicateWindow", "cannot be negative"},
		{func(c *host.Config) { c.MaxAhead = -1 }, "maxAhead", "cannot be negative"},
	} {
		t.Run(test.field+" "+test.says, func(t *testing.T) {
			config := calm()
			test.change(&config)
			_, err := host.Open(t.Context(), config, host.Deps{Now: still})
			var wrong *host.ConfigError
			require.ErrorAs(t, err, &wrong)
			require.Equal(t, test.field, wrong.Field)
			require.ErrorContains(t, err, test.says)
		})
	}
}

// ExampleOpen opens a host, serves it over HTTP and calls it.
func ExampleOpen() {
	ctx := context.Background()
	config := host.Default()
	config.Speed = 0 // the clock is moved by hand
	h, err := host.Open(ctx, config, host.Deps{Now: func() time.Time { return monday }})
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(h)
	c, err := taxi.NewClient(server.URL, taxi.ClientOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	u, err := c.User(ctx, taxi.UserRequest{PhoneNumber: "442079460000"})
	fmt.Println(u.Name, err)
	server.Close()
	fmt.Println(h.Close())
	// Output:
	// Ann Other <nil>
	// <nil>
}

// TestTimeDoesNotRunBackOverARestart checks that the clock of a world that is ahead of the wall
// clock, and of its last event, continues where it was.
func TestTimeDoesNotRunBackOverARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cabs.db")
	h := open(t, calm(), host.Deps{Place: store.File(path)})
	require.NoError(t, h.World().Clock().Advance(t.Context(), 30*time.Hour+time.Second))
	was := h.World().Clock().Now()
	require.NoError(t, h.Close())
	require.Equal(t, was, open(t, calm(), host.Deps{Place: store.File(path)}).World().Clock().Now())
}

// TestKilledWorldResumesAtItsLastChange checks that a world that was killed continues at the
// time of its last change, or at that of the wall clock if it is later.
func TestKilledWorldResumesAtItsLastChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cabs.db")
	h := open(t, calm(), host.Deps{Place: store.File(path)})
	clock := h.World().Clock()
	require.NoError(t, clock.Advance(t.Context(), 30*time.Hour))
	booked := clock.Now()
	book(t, client(t, h, nil), booked.Add(40*time.Hour))
	require.NoError(t, clock.Advance(t.Context(), time.Hour)) // in which nothing happens
	killed := clitest.Killed(t, path)
	require.Equal(t, booked, open(t, calm(), host.Deps{Place: store.File(killed)}).World().Clock().Now())

	later := booked.Add(time.Minute)
	d := host.Deps{Place: store.File(clitest.Killed(t, path)), Now: func() time.Time { return later }}
	require.Equal(t, later, open(t, calm(), d).World().Clock().Now(), "the wall has overtaken it")
}

// TestUnreadableClockIsIgnoredAndLogged checks that a world is opened although its stored clock cannot be
// read, and that this is logged.
func TestUnreadableClockIsIgnoredAndLogged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cabs.db")
	h := open(t, calm(), host.Deps{Place: store.File(path)})
	require.NoError(t, h.Close())
	records, err := store.Open(t.Context(), path, store.Options{})
	require.NoError(t, err)
	require.NoError(t, records.SetMeta(t.Context(), "clock", "noon"))
	require.NoError(t, records.Close())
	var log bytes.Buffer
	open(t, calm(), host.Deps{Place: store.File(path), Log: slog.New(slog.NewTextHandler(&log, nil))})
	require.Contains(t, log.String(), "clock cannot be read")
}

func TestCancelledContextStopsOpening(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := host.Open(ctx, calm(), host.Deps{Now: still})
	require.ErrorIs(t, err, context.Canceled)
}

// stubborn is a place into which no copy can be put.
type stubborn struct{ store.File }

var errStubborn = errors.New("the database is gone")

func (s stubborn) Fetch(ctx context.Context, from store.Place) (func(context.Context) error, error) {
	_, err := s.File.Fetch(ctx, from)
	return func(context.Context) error { return errStubborn }, err
}

// TestARestoreThatFailsLosesNothing checks that the records stay in place if the new ones
// cannot be put there.
func TestARestoreThatFailsLosesNothing(t *testing.T) {
	file := store.File(filepath.Join(t.TempDir(), "taxis.db"))
	h, err := host.Open(t.Context(), calm(), host.Deps{Now: still, Place: stubborn{file}})
	require.NoError(t, err)
	saved, err := h.Save(t.Context(), store.File(filepath.Join(t.TempDir(), "saved.db")))
	require.NoError(t, err)
	ref := book(t, client(t, h, nil), monday)
	err = h.Reset(t.Context(), host.Reset{From: saved})
	require.ErrorIs(t, err, errStubborn)
	require.NotErrorIs(t, err, host.ErrUnchanged, "the world has ended")
	require.NoError(t, h.Close())

	records, err := file.Open(t.Context(), store.Options{})
	require.NoError(t, err)
	_, err = records.Journey(t.Context(), ref.JourneyID)
	require.NoError(t, err)
	require.NoError(t, records.Close())
}

// TestBrokenSamplesAreRefused checks that every broken request of the fixtures is refused, as
// the sample says, by a world that begins on their day. Broken responses are refused by the
// suite of dispatch systems.
func TestBrokenSamplesAreRefused(t *testing.T) {
	config, morning := calm(), fixtures.Day.Add(8*time.Hour)
	config.Start, config.Town = &morning, host.DefaultTown
	h := open(t, config, host.Deps{Now: func() time.Time { return morning }})
	for _, s := range fixtures.Samples() {
		settings := s.Op == "config" && strings.HasPrefix(s.Expect.Pointer, "/data") // which the reference ignores
		if s.Kind != fixtures.Broken || s.Direction != fixtures.Request || settings {
			continue
		}
		req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/"+s.Op, bytes.NewReader(s.Body))
		req.Header.Set("Content-Type", s.ContentType)
		answer := httptest.NewRecorder()
		h.ServeHTTP(answer, req)
		var p taxi.Problem
		require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &p), "%s of /%s: %s", s.Name, s.Op, answer.Body)
		require.Equal(t, []any{s.Expect.Status, s.Expect.Code}, []any{answer.Code, p.Code}, "%s of /%s: %s", s.Name, s.Op, answer.Body)
		pointers := []string{""}
		for _, e := range p.Errors {
			pointers = append(pointers, e.Pointer)
		}
		require.Contains(t, pointers, s.Expect.Pointer, "%s of /%s: %s", s.Name, s.Op, answer.Body)
	}
}

// TestVariationIsRepeatable checks that the same calls in two worlds, at the same times of
// their clocks, have the same answers, byte for byte, and that ids of every form are found
// again.
func TestVariationIsRepeatable(t *testing.T) {
	form := map[uint64]string{0: `^J\w{8}$`, 1: `^1\d{13}$`, 2: `^[0-9a-f]{8}-`}
	tellings := map[string]bool{}
	for seed := range uint64(6) {
		config := calm()
		config.Seed, config.Variation = seed, vary.Rich
		first := tell(t, config, form[seed%3])
		require.Equal(t, first, tell(t, config, form[seed%3]))
		tellings[first] = true
	}
	require.Len(t, tellings, 6)
}

// tell makes a few calls and returns their answers, with the headers that an answer has.
func tell(t *testing.T, config host.Config, id string) string {
	t.Helper()
	h := open(t, config, host.Deps{})
	var told strings.Builder
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		h.ServeHTTP(answer, r)
		fmt.Fprintln(&told, r.URL.Path, answer.Code, answer.Header().Get("Content-Type"), answer.Body)
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	}))
	defer server.Close()
	c, err := taxi.NewClient(server.URL, taxi.ClientOptions{})
	require.NoError(t, err)
	_, err = c.Config(t.Context(), taxi.ConfigRequest{})
	require.NoError(t, err)
	ref := book(t, c, monday)
	require.Regexp(t, id, ref.JourneyID)
	require.NoError(t, h.World().Clock().UntilStatus(t.Context(), ref.JourneyID, taxi.EnRoute, time.Hour))
	j, err := c.Status(t.Context(), ref)
	require.NoError(t, err)
	require.Equal(t, taxi.EnRoute, j.Status)
	j, err = c.Cancel(t.Context(), ref)
	require.NoError(t, err)
	require.Equal(t, taxi.Cancelled, j.Status)
	require.NoError(t, h.Close())
	return told.String()
}
