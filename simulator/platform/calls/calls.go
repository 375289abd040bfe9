// Package calls runs the calls of accounts: it places requested calls, leads incoming
// ones through flows, asks flow hooks for verbs, and publishes events.
package calls

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/hooks"
	"github.com/cabrank/cabrank/simulator/platform/phones"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// mostRemembered limits the number of finished calls that are stored.
const mostRemembered = 2000

// Options configures calls; all but Log, Lines, Recordings, Zone and Plugins are required.
type Options struct {
	Records    *records.Records
	Now        func() time.Time // the wall clock, for the age of keys
	Clock      voice.Clock      // the line's clock: it may be faster than the wall clock
	Chance     *access.Chance
	Client     *hooks.Client
	Deliverer  *hooks.Deliverer
	Numbers    *api.Numbers
	Phones     *phones.Registry
	Recordings *Recordings      // nil: no recordings
	Recogniser voice.Recogniser // of lines that carry sound; nil: such speech is not recognised
	LiveCalls  int              // maximum number for an account at a time
	Zone       string           // zone of the platform: trunks of this zone are tried first; empty: the zone of a device's first trunk
	Lines      Lines            // nil: all lines are simulated
	Log        *slog.Logger

	// Changed receives the id of a call whose view has changed: its transcript has a new
	// line, or it is over. It must not block; may be nil.
	Changed func(call string)

	// Listening is called when a call begins to wait for an answer. It must not block;
	// may be nil.
	Listening func(call string, since time.Duration)

	// Turned receives each turn of a call when it is complete, and the initial verbs of a
	// call. It must not block; may be nil.
	Turned func(Turned)

	// Live receives the number of calls that are up whenever it changes. It must not
	// block or call this package; may be nil.
	Live func(calls int)

	// Plugins are the built-in plugins, by name: each returns the turns of one call of an
	// account.
	Plugins map[string]func(account string) voice.Turn
}

// Calls contains all calls: live ones, and recent ones that are over.
type Calls struct {
	opts   Options
	engine *voice.Engine

	mu    sync.Mutex
	live  map[string]int   // number of calls by account
	up    int              // of all accounts
	walks map[string]*walk // by call
	past  []voice.Result   // oldest first

	kept   map[string]bool // stored calls that are up
	voided map[string]bool // calls that were not placed, but are still stored: the disk was full

	watchers map[string]func(voice.Event) // by call
}

// New returns the calls of a new engine.
func New(opts Options) *Calls {
	if opts.Turned == nil {
		opts.Turned = func(Turned) {}
	}
	if opts.Changed == nil {
		opts.Changed = func(string) {}
	}
	if opts.Listening == nil {
		opts.Listening = func(string, time.Duration) {}
	}
	if opts.Live == nil {
		opts.Live = func(int) {}
	}
	c := &Calls{opts: opts, live: map[string]int{}, walks: map[string]*walk{}, kept: map[string]bool{}, voided: map[string]bool{}, watchers: map[string]func(voice.Event){}}
	engine := voice.Options{
		Clock: opts.Clock, NewID: c.NewID, Logger: opts.Log,
		Listening: func(call voice.Info, since time.Duration) { opts.Listening(call.ID, since) },
		Events:    c.event, Heard: c.heard, Route: c.route, CallerID: c.callerID,
		Recogniser: opts.Recogniser, Fetch: newSounds(opts).get, TurnTimeout: voice.While(opts.Clock, hooks.TurnWithin), ComfortAfter: voice.While(opts.Clock, comfortAfter),
	}
	if opts.Recordings != nil {
		engine.Recorder = opts.Recordings.record
	}
	c.engine = voice.New(engine)
	return c
}

// comfortAfter is how long, in real time, a caller waits in silence for a hook.
const comfortAfter = 3 * time.Second

// Close hangs up all calls.
func (c *Calls) Close(ctx context.Context) error { return c.engine.Close(ctx) }

// Place places a call for an account and returns its id. The request must have been
// validated by [Calls.Check]. The call and its key are stored first; if that fails, no
// call is placed.
func (c *Calls) Place(ctx context.Context, a *records.Account, req voice.Request, key Key) (string, error) {
	release, err := c.enter(a.ID)
	if err != nil {
		return "", err
	}
	out := voice.Outgoing{
		Info:    voice.Info{Owner: a.ID, ID: c.NewID(), Direction: voice.Outbound, From: c.owned(a, req.CallerID), To: req.Target.Address(), Tag: req.Tag},
		Target:  req.Target,
		Program: voice.Program{Verbs: req.Verbs, Turn: c.accountTurn(a.ID)},
		Done: func(r voice.Result) {
			release()
			c.done(r)
		},
	}
	if err := c.begin(ctx, out.Info, key); err != nil {
		release()
		return "", err
	}
	c.reportInitialVerbs(out.Info.ID, req.Verbs)
	if _, err := c.engine.Place(out); err != nil {
		release()
		c.removeUnplaced(ctx, out.Info.ID)
		return "", refusal(err)
	}
	return out.Info.ID, nil
}

// enter counts a new call of an account; release ends the count. It returns an error if the account has reached its
// limit of calls.
func (c *Calls) enter(account string) (release func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.live[account] >= c.opts.LiveCalls {
		return nil, api.Refuse(api.CodeTooManyCalls, "the account has %d calls up; more have to wait", c.opts.LiveCalls)
	}
	c.live[account]++
	c.count(1)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.count(-1)
		if c.live[account]--; c.live[account] == 0 {
			delete(c.live, account)
		}
	}, nil
}

// count changes the number of calls that are up; the lock is held.
func (c *Calls) count(more int) {
	c.up += more
	c.opts.Live(c.up)
}

func refusal(err error) error {
	if errors.Is(err, voice.ErrFull) || errors.Is(err, voice.ErrClosed) {
		return api.Refuse(api.CodeUnavailable, "no more calls are taken just now")
	}
	return err
}

// done stores a finished call.
func (c *Calls) done(r voice.Result) {
	c.mu.Lock()
	delete(c.walks, r.ID)
	if len(c.past) >= mostRemembered {
		c.past = slices.Clone(c.past[len(c.past)/10:])
	}
	c.past = append(c.past, r)
	c.mu.Unlock()
	c.opts.Phones.Done(r)
	c.opts.Changed(r.ID)
}

// heard passes a new line of a call's transcript to the telephones on the call, and reports that the call has changed.
func (c *Calls) heard(call voice.Info, line voice.Line) {
	c.opts.Phones.Heard(call, line)
	c.opts.Changed(call.ID)
}

// Hangup ends a call that is up.
func (c *Calls) Hangup(id, reason string) error {
	if call, up := c.engine.Call(id); up {
		call.Hangup(reason)
		return nil
	}
	if _, over := c.Find(id); over {
		return api.Refuse(api.CodeCallOver, "the call is over")
	}
	return api.Refuse(api.CodeNotFound, "no such call")
}

// Reset hangs up all calls and removes finished ones.
func (c *Calls) Reset() {
	for _, call := range c.engine.Calls() {
		call.Hangup("the platform was reset")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.past = nil
}
