package console

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/report"
)

// state is the state of a check.
type state string

// The states.
const (
	running  state = "running"
	stopping state = "stopping" // its journeys are being cancelled
	done     state = "done"
	failed   state = "failed" // nothing could be tested
)

// check is one run of the suite against a server, from its order to its result.
type check struct {
	id      string
	order   order // without credentials and numbers
	options Options
	target  dispatchside.Target
	started time.Time

	end     context.CancelFunc
	ctx     context.Context //nolint:containedctx // ends the run, which no request waits for
	abandon chan struct{}

	mu       sync.Mutex
	state    state
	stops    int // number of requests to stop it
	ended    time.Time
	steps    []conformance.Step
	progress conformance.Progress
	verdicts []conformance.Result // final when the check is over
	trouble  *trouble
	found    *findings
	kept     []byte        // the run file, compressed; nil: there is none
	changed  chan struct{} // closed at the next change
}

// trouble is the reason why nothing could be tested.
type trouble struct {
	Code   string `json:"code"` // "unreachable", "interrupted" or "refused"
	Detail string `json:"detail"`
	Step   string `json:"step,omitempty"` // the failed step of the preflight
	Cure   string `json:"cure,omitempty"`
}

func newCheck(id string, o order, target dispatchside.Target, options Options) *check {
	ctx, end := context.WithCancel(context.Background())
	c := &check{
		id: id, order: o, options: options, target: target, started: options.now(), state: running,
		ctx: ctx, end: end, abandon: make(chan struct{}), changed: make(chan struct{}),
	}
	c.order.Auth = auth{Style: o.Auth.Style}
	c.order.Phones = nil
	c.target.Abandon = c.abandon
	c.target.Preflight = func(s conformance.Step) { c.change(func() { c.steps = append(c.steps, s) }) }
	c.target.Progress = func(p conformance.Progress) { c.change(func() { c.progress = p }) }
	c.target.SoFar = func(all []conformance.Result) { c.change(func() { c.verdicts = all }) }
	return c
}

// change calls do, which changes the check under its lock, and then notifies the listeners.
func (c *check) change(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	do()
	close(c.changed)
	c.changed = make(chan struct{})
}

func (c *check) isOver() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.over()
}

// over reports whether a check has ended. The lock is held.
func (c *check) over() bool { return c.state == done || c.state == failed }

func (c *check) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.kept)
}

// stop asks a check to cancel its journeys and end. If that was asked before, it ends the check at once.
func (c *check) stop() {
	c.mu.Lock()
	again := c.stops > 0
	c.mu.Unlock()
	if again {
		c.endAtOnce()
		return
	}
	c.stopFirst()
}

// stopFirst asks a check to cancel its journeys and end.
func (c *check) stopFirst() {
	c.change(func() {
		if c.stops++; c.state == running {
			c.state = stopping
		}
	})
	c.end()
}

// endAtOnce ends a check at once; journeys that are not cancelled yet stay booked.
func (c *check) endAtOnce() {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-c.abandon:
	default:
		close(c.abandon)
	}
}

// run runs the suite and stores the result.
func (c *check) run() {
	defer c.end()
	free, err := c.lend()
	defer free()
	var judged *conformance.Report
	if err == nil {
		judged, err = dispatchside.Run(c.ctx, c.target)
	}
	c.target.Auth, c.target.Phones = nil, nil // credentials are not needed any more
	if unreachable, ok := errors.AsType[*conformance.Unreachable](err); ok {
		judged = unreachable.Report(&dispatchside.Suite, c.started)
	}
	if judged == nil {
		c.finish(nil, nil, troubleOf(c.ctx, err))
		return
	}
	file := conformance.NewRunFile(judged, c.options.Version)
	c.finish(file, packRun(file), troubleOf(c.ctx, err))
}

// lend adds to the target of a check of this server what the server lends: credentials, users and its clock. free must
// be called when the check is over, also after an error.
func (c *check) lend() (free func(), err error) {
	none := func() {}
	if c.options.Own == nil {
		return none, nil
	}
	lent, free, ok, err := c.options.Own.Lend(c.ctx, c.order.URL, c.order.Apart)
	if err != nil || !ok {
		return none, err
	}
	t := &c.target
	t.URL, t.Advance, t.SetClock, t.MoveClock = lent.URL, lent.Advance, lent.SetClock, lent.MoveClock
	t.Agreed, t.Disabled, t.Blacklisted = lent.Agreed, lent.Disabled, lent.Blacklisted
	if t.Auth == nil {
		t.Auth = lent.Auth
	}
	return free, nil
}

// troubleOf returns why nothing could be tested; nil: the run succeeded.
func troubleOf(ctx context.Context, err error) *trouble {
	if err == nil {
		return nil
	}
	if unreachable, ok := errors.AsType[*conformance.Unreachable](err); ok {
		last := unreachable.Steps[len(unreachable.Steps)-1]
		return &trouble{Code: "unreachable", Detail: last.Detail, Step: last.Name, Cure: report.CureOf(last)}
	}
	if ctx.Err() != nil {
		return &trouble{Code: "interrupted", Detail: "it was stopped before it began; nothing was booked"}
	}
	return &trouble{Code: "refused", Detail: err.Error()}
}

// finish stores the result of a check. file and kept, its compressed form, are nil if there is no run file; why is nil
// if the run succeeded.
func (c *check) finish(file *conformance.RunFile, kept []byte, why *trouble) {
	var found *findings
	if file != nil && why == nil {
		found = findingsOf(file)
	}
	c.change(func() {
		c.state, c.trouble, c.found, c.kept, c.ended = done, why, found, kept, c.options.now()
		if why != nil {
			c.state = failed
		}
		if file != nil {
			c.verdicts = file.Checks
		}
	})
}

// packRun returns a run file in compressed form, because several are stored; nil: it is too long.
func packRun(file *conformance.RunFile) []byte {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level is valid
	}
	if err := errors.Join(file.Write(z), z.Close()); err != nil {
		return nil // the file is too long
	}
	return b.Bytes()
}

// runFile reads the stored run file; nil: there is none.
func (c *check) runFile() (*conformance.RunFile, error) {
	c.mu.Lock()
	kept := c.kept
	c.mu.Unlock()
	if kept == nil {
		return nil, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(kept))
	if err != nil {
		return nil, fmt.Errorf("check %s: %w", c.id, err)
	}
	return conformance.ReadRunFile(io.Reader(z), &dispatchside.Suite)
}
