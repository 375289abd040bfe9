package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/store"
)

// smallDisk is a file system in memory that can be filled.
type smallDisk struct {
	t   *testing.T
	dir string
}

// newSmallDisk mounts a file system of so many KiB until the test ends.
func newSmallDisk(t *testing.T, size int) *smallDisk {
	t.Helper()
	d := &smallDisk{t, t.TempDir()}
	if err := syscall.Mount("cabrank-test", d.dir, "tmpfs", 0, fmt.Sprintf("size=%dk", size)); err != nil {
		t.Skipf("a file system that can be filled cannot be mounted, which only root may: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(d.dir, syscall.MNT_DETACH) })
	return d
}

func (d *smallDisk) file(name string) string { return filepath.Join(d.dir, name) }

// fill takes all room but some bytes, and returns a function that gives it back.
func (d *smallDisk) fill(but int) (empty func()) {
	d.t.Helper()
	ballast, err := os.Create(d.file("ballast"))
	require.NoError(d.t, err)
	size, page := 0, make([]byte, 4096)
	for err == nil {
		var n int
		n, err = ballast.Write(page)
		size += n
	}
	require.ErrorIs(d.t, err, syscall.ENOSPC)
	require.NoError(d.t, ballast.Truncate(int64(max(0, size-but))))
	require.NoError(d.t, ballast.Close())
	return func() { require.NoError(d.t, os.Remove(ballast.Name())) }
}

// TestAFullDiskIsReported checks that a server on a full disk refuses changes and reports it at /readyz, and recovers
// without losing or duplicating a booking. The disk is full for longer than the window for duplicates. WHOLE=1 runs
// the test.
func TestAFullDiskIsReported(t *testing.T) {
	if os.Getenv("WHOLE") == "" {
		t.Skip("it takes seconds; WHOLE=1 runs it")
	}
	const speed, window = 60, 3 * time.Second
	d := newSmallDisk(t, 4<<10)
	path := d.file("taxis.db")
	p := serve(t, program(t, true), "--db", path, "--town", "none", "--speed", strconv.Itoa(speed), "--duplicate-window", window.String())
	o := &office{t: t, server: p, client: p.client(), became: make(map[string]taxi.Code)}
	first, code := o.book()
	require.Empty(t, code)

	empty := d.fill(0)
	o.bookUntilRefused()
	unknown := o.with(taxi.CodeOutcomeUnknown)
	require.NotEmpty(t, unknown, "what was in the commit that failed")
	require.NotContains(t, o.became, taxi.CodeInternal)

	ready := p.get("/readyz")
	require.Equal(t, http.StatusServiceUnavailable, ready.Status)
	require.Contains(t, ready.Body, taxi.CodeStorageUnavailable)
	require.Equal(t, http.StatusOK, p.get("/livez").Status, "it is alive, and need not be started again")
	user, err := o.client.User(t.Context(), taxi.UserRequest{PhoneNumber: first.PhoneNumber.Digits()})
	require.NoError(t, err, "reading goes on")
	_, err = o.client.Cancel(t.Context(), taxi.JourneyRef{UserID: user.UserID, JourneyID: user.ActiveBookings[0].JourneyID})
	require.ErrorContains(t, err, string(taxi.CodeStorageUnavailable))

	filled, answers := p.now()
	require.True(t, answers)
	require.Eventually(t, func() bool {
		_, code := o.book()
		now, answers := p.now()
		return code != taxi.CodeStorageUnavailable || !answers || now.Sub(filled) > speed*window
	}, time.Minute, 20*time.Millisecond, "the disk is not full for so long")
	refused := o.with(taxi.CodeStorageUnavailable)
	require.Greater(t, len(refused), 1)
	require.ElementsMatch(t, unknown, o.with(taxi.CodeOutcomeUnknown), "while it fails nothing new is begun")
	empty()
	require.Eventually(t, func() bool { return p.get("/readyz").Status == http.StatusOK }, time.Minute, 20*time.Millisecond, "it comes back by itself")

	for _, name := range unknown {
		is := o.journeyOf(name)
		require.NotEmpty(t, is, "%s came alive", name)
		again, err := o.client.Book(t.Context(), o.request(name))
		require.NoError(t, err)
		require.Equal(t, is, again.JourneyID, "the window begins when it is kept")
	}
	for _, name := range refused {
		require.Empty(t, o.journeyOf(name), "%s was refused for good", name)
	}
	kept := o.with("")
	_, code = o.book()
	require.Empty(t, code)
	require.Contains(t, p.Stop(), "what was booked is on disk")
	require.ElementsMatch(t, slices.Concat(kept, unknown, []string{o.last()}), passengersOn(t, path))
}

// office books for one passenger after another and notes what became of it.
type office struct {
	t      *testing.T
	server *process
	client *taxi.Client
	at     taxi.Time // of every pickup

	mu     sync.Mutex
	asked  int
	became map[string]taxi.Code // by the passenger's name; "": it was booked
}

// request is the booking of a passenger: the same bytes each time.
func (o *office) request(name string) taxi.BookRequest {
	places := fixtures.Places()
	var n int
	_, err := fmt.Sscanf(name, passenger+"%d", &n)
	require.NoError(o.t, err)
	return taxi.BookRequest{
		Name: name, PhoneNumber: taxi.E164(fmt.Sprintf("+4420%d", 79_100_000+n)),
		Pickup: &places[0].Address, Dropoffs: []taxi.Address{places[1].Address}, PickupTime: o.at,
	}
}

// book books for the next passenger. The code is why it was refused; "": it was not.
func (o *office) book() (taxi.BookRequest, taxi.Code) {
	o.mu.Lock()
	if o.asked++; o.at.IsZero() {
		o.at = taxi.At(time.Now().Add(48 * time.Hour).Truncate(time.Second))
	}
	r := o.request(o.last())
	o.mu.Unlock()
	_, err := o.client.Book(o.t.Context(), r)
	var code taxi.Code
	if p, refused := errors.AsType[*taxi.Problem](err); refused {
		code = p.Code
		if p.Status != http.StatusServiceUnavailable || p.RetryAfter == 0 {
			o.t.Errorf("refused with %d, to be tried again in %s", p.Status, p.RetryAfter)
		}
	} else if err != nil {
		o.t.Errorf("booking: %v", err)
		code = taxi.CodeInternal
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.became[r.Name] = code
	return r, code
}

// last is the name of the passenger who came last.
func (o *office) last() string { return passenger + strconv.Itoa(o.asked) }

// bookUntilRefused books from several lines at once, until each is refused.
func (o *office) bookUntilRefused() {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 2000 {
				if _, code := o.book(); code != "" {
					return
				}
			}
			o.t.Error("the disk takes everything")
		})
	}
	wg.Wait()
}

// with are the passengers whose bookings were answered with a code.
func (o *office) with(code taxi.Code) (names []string) {
	for name, became := range o.became {
		if became == code {
			names = append(names, name)
		}
	}
	return names
}

// journeyOf returns the id of the passenger's only active booking, or "" if the server does not know the passenger. A known
// passenger must have exactly one.
func (o *office) journeyOf(name string) taxi.JourneyID {
	u, err := o.client.User(o.t.Context(), taxi.UserRequest{PhoneNumber: o.request(name).PhoneNumber.Digits()})
	if p, refused := errors.AsType[*taxi.Problem](err); refused && p.Code == taxi.CodeUserNotFound {
		return ""
	}
	require.NoError(o.t, err)
	require.Len(o.t, u.ActiveBookings, 1)
	return u.ActiveBookings[0].JourneyID
}

// passengersOn are those for whom something is booked in a database, once for each
// booking.
func passengersOn(t *testing.T, path string) (names []string) {
	t.Helper()
	records, err := store.Open(t.Context(), path, store.Options{})
	require.NoError(t, err)
	defer records.Close()
	for _, j := range records.AllLive() {
		if _, err := fmt.Sscanf(j.Passenger.Name, passenger+"%d", new(int)); err == nil {
			names = append(names, j.Passenger.Name)
		}
	}
	return names
}

// TestNoHalfOfAFileIsLeftOnAFullDisk checks that reports and address files that do not fit on the disk leave no
// partial file, and that the error says so.
func TestNoHalfOfAFileIsLeftOnAFullDisk(t *testing.T) {
	s := newShell(t)
	d := newSmallDisk(t, 64)
	d.fill(4096)
	url, _ := s.Serve()
	errs := s.Fails(cli.ExitInternal, "check", url, "--only", "CFG-01", "--out", d.file("run.json"), "--html", d.file("report.html"))
	for _, line := range []string{"--out: write the report", "--html: write HTML"} {
		require.Regexp(t, line+".*: no space left on device; the file was not written, but the verdicts are complete\n", errs)
	}
	d.fill(0)
	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--listen", "127.0.0.1:0", "--url-file", d.file("url")), "no space left on device")
	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--listen", "127.0.0.1:0", "--db", d.file("taxis.db")), "make room on it")
	entries, err := os.ReadDir(d.dir)
	require.NoError(t, err)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	require.Subset(t, []string{"ballast", "taxis.db", "taxis.db.lock"}, names)
}
