package platform_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// weakDisk is a database whose next change can be made to fail.
type weakDisk struct {
	*store.Store

	mu   sync.Mutex
	full bool // for the next change
}

// Apply implements [dispatch.Records].
func (d *weakDisk) Apply(fn func(*store.Tx) error) (store.Ticket, error) {
	d.mu.Lock()
	full := d.full
	d.full = false
	d.mu.Unlock()
	if full {
		return store.Ticket{}, fmt.Errorf("%w: no room on the disk", store.ErrUnavailable)
	}
	return d.Store.Apply(fn)
}

func (d *weakDisk) fill(full bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.full = full
}

// What goes wrong between the platform and dispatch.
const (
	faultNone    = ""
	faultLost    = "the answer is lost after the commit"
	faultUnheard = "the request is lost"
	faultBusy    = "503"
	faultGarbled = "the answer breaks off"
	faultSlow    = "the answer takes a while"
	faultDisk    = "the disk is full"
)

func faults() []string {
	return []string{faultLost, faultUnheard, faultBusy, faultGarbled, faultSlow, faultDisk}
}

const (
	mostSlow     = 20 * time.Second
	mostAhead    = time.Minute // that the world may be ahead of the line
	oneInReads   = 10          // goes wrong
	oneInChanges = 3
)

// faultyWire is a proxy between the platform and dispatch that records requests and injects faults.
type faultyWire struct {
	ends *ends
	url  string
	next http.Handler

	mu     sync.Mutex
	chance *rand.Rand
	on     bool
	seen   []passed
}

// passed is a request that the proxy received.
type passed struct {
	path, fault string
	body        taxi.BookRequest
	status      int // of dispatch's answer, whether it arrived or not; 0: dispatch was not asked
	answer      taxi.Journey
}

func (f *faultyWire) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	p := passed{path: r.URL.Path, fault: f.draw(r.URL.Path)}
	_ = json.Unmarshal(text, &p.body)
	defer func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.seen = append(f.seen, p)
	}()
	switch p.fault {
	case faultUnheard:
		panic(http.ErrAbortHandler)
	case faultBusy:
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	case faultDisk:
		f.ends.disk.fill(true)
	}
	r.Body = io.NopCloser(bytes.NewReader(text))
	answer := httptest.NewRecorder()
	f.next.ServeHTTP(answer, r)
	f.ends.disk.fill(false)
	p.status = answer.Code
	_ = json.Unmarshal(answer.Body.Bytes(), &p.answer)
	switch p.fault {
	case faultLost:
		panic(http.ErrAbortHandler)
	case faultSlow:
		f.later()
	case faultGarbled:
		_, _ = w.Write(answer.Body.Bytes()[:answer.Body.Len()/2])
		return
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
}

// draw chooses the fault of a request at random.
func (f *faultyWire) draw(path string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	in := oneInReads
	if path == taxi.PathBook || path == taxi.PathCancel {
		in = oneInChanges
	}
	if !f.on || f.chance.IntN(in) != 0 {
		return faultNone
	}
	list := faults()
	return list[f.chance.IntN(len(list))]
}

// later advances the world by the time that a slow answer takes, unless it would get too far ahead of the line.
func (f *faultyWire) later() {
	f.mu.Lock()
	d := time.Duration(f.chance.Int64N(int64(mostSlow)))
	f.mu.Unlock()
	clock := f.ends.world.Clock()
	until := clock.Now().Add(d)
	if until.After(f.ends.line.Now().Add(mostAhead)) {
		return
	}
	_ = clock.AdvanceTo(context.Background(), until) // the world is not closed before the wire
}

// fail turns the faults on or off.
func (f *faultyWire) fail(on bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.on = on
}

// faults returns how often each fault occurred.
func (f *faultyWire) faults() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := map[string]int{}
	for _, p := range f.seen {
		n[p.fault]++
	}
	return n
}
