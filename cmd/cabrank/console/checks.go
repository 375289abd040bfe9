package console

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/dispatch/inbound"
)

// Limits of the checks.
const (
	mostRunning = 2        // checks at a time
	mostKept    = 10       // finished checks
	mostBytes   = 48 << 20 // of all run files, compressed
	mostOrder   = 16 << 10 // bytes of a request
)

// checks runs the conformance suite against servers, and stores the results.
type checks struct {
	options Options

	mu     sync.Mutex
	last   int
	all    []*check // the oldest first
	closed bool
	under  sync.WaitGroup // running checks

	listeners atomic.Int64 // of events

	read struct { // the run file that was read last
		mu   sync.Mutex
		of   *check
		file *conformance.RunFile
	}
}

// routes adds the endpoints of the checks to a mux, below [Prefix].
func (c *checks) routes(on *http.ServeMux) {
	on.HandleFunc("GET "+Prefix+"checks", c.list)
	on.HandleFunc("POST "+Prefix+"checks", c.start)
	for pattern, answer := range map[string]func(http.ResponseWriter, *http.Request, *check){
		"GET {id}": c.show, "DELETE {id}": c.cancel, "GET {id}/events": c.events,
		"GET {id}/report": c.report, "GET {id}/verdicts/{name}": c.verdict,
	} {
		method, path, _ := strings.Cut(pattern, " ")
		on.HandleFunc(method+" "+Prefix+"checks/"+path, func(w http.ResponseWriter, r *http.Request) {
			found := c.find(r.PathValue("id"))
			if found == nil {
				problem(w, http.StatusNotFound, "not-found", fmt.Sprintf("this check is no longer stored; the server keeps the last %d", mostKept))
				return
			}
			answer(w, r, found)
		})
	}
}

// list responds with all checks, the newest first, and the limits for new ones.
func (c *checks) list(w http.ResponseWriter, _ *http.Request) {
	c.mu.Lock()
	all := slices.Clone(c.all)
	c.mu.Unlock()
	out := struct {
		Own         string    `json:"own"`         // the address of this server's operations
		MostRunning int       `json:"mostRunning"` // checks at a time
		Formats     []string  `json:"formats"`     // of reports
		Checks      []summary `json:"checks"`      // the newest first
	}{Own: c.options.ownURL(), MostRunning: mostRunning, Formats: formatNames(), Checks: []summary{}}
	for _, one := range slices.Backward(all) {
		out.Checks = append(out.Checks, one.summary())
	}
	answer(w, http.StatusOK, out)
}

// start starts the check that a request orders, and responds with its summary.
func (c *checks) start(w http.ResponseWriter, r *http.Request) {
	var o order
	if err := (inbound.Reading{Known: true}).DecodeBody(w, r, mostOrder, &o); err != nil {
		problem(w, http.StatusBadRequest, "malformed", "want a check to run, such as {\"url\": \"http://127.0.0.1:8080\"}: "+err.Error())
		return
	}
	target, err := o.target(c.options)
	if err != nil {
		refuseOrder(w, err)
		return
	}
	begun, err := c.begin(o, target)
	if err != nil {
		w.Header().Set("Retry-After", "5")
		problem(w, http.StatusServiceUnavailable, "busy", err.Error())
		return
	}
	w.Header().Set("Location", Prefix+"checks/"+begun.id)
	answer(w, http.StatusCreated, begun.summary())
}

// begin adds a check to the list and runs it. It returns an error if the server is stopping, or too many checks are
// running.
func (c *checks) begin(o order, target dispatchside.Target) (*check, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	running := 0
	for _, one := range c.all {
		if !one.isOver() {
			running++
		}
	}
	switch {
	case c.closed:
		return nil, errors.New("the server is stopping")
	case running >= mostRunning:
		return nil, fmt.Errorf("%d checks are running, which is the limit; wait for one of them, or stop it", running)
	}
	c.last++
	one := newCheck(fmt.Sprint(c.last), o, target, c.options)
	c.all = append(c.all, one)
	c.forget()
	c.under.Go(one.run)
	return one, nil
}

// forget removes the oldest finished checks that exceed the limits, but never the newest of them. The lock is held.
func (c *checks) forget() {
	over, bytes := 0, 0
	for i, one := range slices.Backward(c.all) {
		if !one.isOver() {
			continue
		}
		if over, bytes = over+1, bytes+one.size(); over > mostKept || bytes > mostBytes && over > 1 {
			c.all = slices.Delete(c.all, i, i+1)
		}
	}
}

// find returns a check by its id, or nil.
func (c *checks) find(id string) *check {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.all {
		if one.id == id {
			return one
		}
	}
	return nil
}

// cancel stops a check, and responds with its summary. The first request lets the check cancel its journeys; a second
// one ends it at once.
func (c *checks) cancel(w http.ResponseWriter, _ *http.Request, one *check) {
	one.stop()
	answer(w, http.StatusOK, one.summary())
}

// close stops all checks and waits until they have ended. They can cancel their journeys
// until ctx ends.
func (c *checks) close(ctx context.Context) {
	c.mu.Lock()
	c.closed = true
	all := slices.Clone(c.all)
	c.mu.Unlock()
	for _, one := range all {
		one.stopFirst()
	}
	done := make(chan struct{})
	go func() { // ends with the last check
		c.under.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		for _, one := range all {
			one.endAtOnce()
		}
		<-done
	}
}

// show responds with a check and all its verdicts, without their evidence.
func (c *checks) show(w http.ResponseWriter, _ *http.Request, one *check) {
	answer(w, http.StatusOK, one.document())
}

// file returns the run file of a check; nil if the check is not over or could not begin.
func (c *checks) file(one *check) (*conformance.RunFile, error) {
	c.read.mu.Lock()
	defer c.read.mu.Unlock()
	if c.read.of == one {
		return c.read.file, nil
	}
	file, err := one.runFile()
	if err != nil || file == nil {
		return nil, err
	}
	c.read.of, c.read.file = one, file
	return file, nil
}

// fileFor returns the run file of a check. If there is none, it sends an error response and returns nil.
func (c *checks) fileFor(w http.ResponseWriter, one *check) *conformance.RunFile {
	file, err := c.file(one)
	switch {
	case err != nil:
		problem(w, http.StatusInternalServerError, "internal", "the run could not be read again")
	case file == nil:
		problem(w, http.StatusConflict, "not-over", "there is no report yet: the check is not over, or ended before it began")
	}
	return file
}

// formRun is the name of the run file, which is offered beside the formats of reports.
const formRun = "run"

func formatNames() []string {
	names := []string{formRun}
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// report responds with a report in the format that the query parameter as names, by default HTML.
func (c *checks) report(w http.ResponseWriter, r *http.Request, one *check) {
	name := cmp.Or(r.URL.Query().Get("as"), "html")
	at := slices.IndexFunc(report.Formats(), func(f report.Format) bool { return f.Name == name })
	if at < 0 && name != formRun {
		problem(w, http.StatusBadRequest, "range", fmt.Sprintf("as is %.40q, want one of %s", name, conformance.WordList(formatNames())))
		return
	}
	file := c.fileFor(w, one)
	if file == nil {
		return
	}
	h := w.Header()
	form := report.Format{Media: "application/json", Ending: ".run.json", Write: func(w io.Writer, f *conformance.RunFile) error { return f.Write(w) }}
	if at >= 0 {
		form = report.Formats()[at]
	}
	h.Set("Content-Type", form.Media)
	h.Set("Cache-Control", "no-store")
	if r.URL.Query().Has("save") {
		h.Set("Content-Disposition", fmt.Sprintf(`attachment; filename="cabrank-check-%s%s"`, one.id, form.Ending))
	}
	if name == "html" {
		h.Set("Content-Security-Policy", "frame-ancestors 'none'") // the report has its own policy, which is as strict
	}
	_ = form.Write(w, file) // the client may have disconnected
}

// ownURL returns the address of the operations of this server, or "" if it is unknown.
func (o Options) ownURL() string {
	if o.Own == nil {
		return ""
	}
	return o.Own.URL()
}

// now returns the time of the clock in the options.
func (o Options) now() time.Time { return o.Now() }

// answer sends a JSON document.
func answer(w http.ResponseWriter, status int, document any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(document) // the client may have disconnected
}
