// Package platform is the reference voice platform: the REST API, the Voice API and the
// control API of the simulation. It knows nothing about taxis except that the plugin in
// package booking has settings.
//
// Its parts: api is the contract, records the storage, access the credentials and roles,
// rest the REST API and the Voice API, simapi the control API, voice the calls
// themselves, calls the course of a call through its flow, hooks the requests and events
// to third parties.
package platform

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/hooks"
	"github.com/cabrank/cabrank/simulator/platform/phones"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/rest"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Options configures a platform. Records, Now and Random are required.
type Options struct {
	Records *records.Records
	Now     func() time.Time // the wall clock, for tokens, limits and deliveries
	Random  io.Reader        // for ids, credentials and salts
	Log     *slog.Logger     // nil: nothing is logged
	Version string           // the version in /version

	// Line is the clock of calls; nil: the wall clock. It may be faster.
	Line voice.Clock
	// Callers is the clock that callers of taxis use for times; nil: Now. In a demo it is
	// the world's, which the console shows.
	Callers func() time.Time
	// Speaker speaks the prompts on lines that carry sound, and Recogniser understands what is
	// said on them. nil: nobody does, and speech is understood only of lines that know its words.
	Speaker    speech.Speaker
	Recogniser voice.Recogniser

	// Work is the clock of deliveries; nil: the wall clock.
	Work voice.Clock

	Limits         rest.Limits
	Schedule       []time.Duration // of deliveries to event hooks; nil: hooks.Normal
	Zone           string          // zone of the platform: its gateways try trunks of this zone first
	PrivateHooks   bool            // hooks may have private addresses, and third parties addresses of private networks
	Recordings     string          // the folder of recordings; empty: no recordings
	RecordingsMost int64           // limit of the size of all recordings, in bytes; the oldest are removed first; 0: no limit
	BaseURL        func() string   // address of the platform, for the URLs of recordings
	AccessLife     time.Duration   // of access tokens; 0: access.AccessLife
	RefreshLife    time.Duration   // of refresh tokens; 0: access.RefreshLife
	Insecure       bool            // serve the Voice API over plain HTTP to other machines, too
	ControlToken   string          // the token of the control API; empty: none is needed

	// SIP configures real telephone lines.
	SIP SIP

	// Live is called with the number of calls that are up whenever it changes. It must
	// not block; may be nil.
	Live func(calls int)

	// Made receives the credentials that the control API creates or renews, for
	// [access.Credentials.Merge]; may be nil.
	Made access.Stage
}

// Platform is the voice platform of one database.
type Platform struct {
	opts      Options
	records   *records.Records
	now       func() time.Time
	chance    *access.Chance
	log       *slog.Logger
	passwords *access.Passwords
	tokens    *access.Issuer
	client    *hooks.Client
	deliverer *hooks.Deliverer
	phones    *phones.Registry
	calls     *calls.Calls
	desk      *booking.Desk
	taxi      *simapi.Taxi
	stories   *simapi.Stories
	rest      *rest.API
	sim       *simapi.API

	numbers    *api.Numbers
	lines      *lines            // nil: all lines are simulated
	recordings *calls.Recordings // nil: no recordings

	closing sync.Mutex // held while old data is removed
	closed  bool
	tidying voice.Timer
}

// New returns a platform. Its records stay open when it is closed.
func New(ctx context.Context, opts Options) (*Platform, error) {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	opts.Limits = opts.Limits.WithDefaults()
	if opts.Line == nil {
		opts.Line = voice.NewWall(opts.Now, 1)
	}
	if opts.Work == nil {
		opts.Work = voice.NewWall(opts.Now, 1)
	}
	if opts.Schedule == nil {
		opts.Schedule = hooks.Normal
	}
	source := access.NewChance(opts.Random)
	p := &Platform{
		opts: opts, records: opts.Records, taxi: &simapi.Taxi{Records: opts.Records, Private: opts.PrivateHooks}, now: opts.Now, chance: source, log: opts.Log,
		passwords: access.NewPasswords(source), client: hooks.NewClient(opts.Now, opts.PrivateHooks),
	}
	p.tokens = access.NewIssuer(access.TokenOptions{
		Now: opts.Now, Random: source, NewKey: p.newKey, AccessLife: opts.AccessLife, RefreshLife: opts.RefreshLife,
	}, opts.Records.Keys())
	return p, p.connect(ctx)
}

// connect creates the parts that handle calls.
func (p *Platform) connect(ctx context.Context) error {
	p.deliverer = hooks.NewDeliverer(hooks.DeliveryOptions{
		Records: p.records, Client: p.client, Clock: p.opts.Work, Chance: p.chance, Schedule: p.opts.Schedule, Log: p.log,
		Disabled: func(account, hook, why string) { p.calls.HookDisabled(account, hook, why) },
	})
	p.phones = phones.NewRegistry(p.opts.Line, p.opts.Work, func() string { return p.chance.Hex(8) })
	if p.opts.Recordings != "" {
		p.recordings = &calls.Recordings{Folder: p.opts.Recordings, BaseURL: p.opts.BaseURL, Now: p.now, Most: p.opts.RecordingsMost}
	}
	p.stories = &simapi.Stories{Phones: p.phones}
	p.desk, p.numbers = p.newDesk(), api.NewNumbers()
	p.calls = calls.New(calls.Options{
		Records: p.records, Now: p.now, Clock: p.opts.Line, Chance: p.chance, Client: p.client, Deliverer: p.deliverer,
		Numbers: p.numbers, Lines: p.realLines(), Phones: p.phones, Recordings: p.recordings, Recogniser: p.opts.Recogniser, LiveCalls: p.opts.Limits.LiveCalls,
		Zone: p.opts.Zone, Log: p.log, Live: p.opts.Live, Changed: p.stories.Changed, Turned: p.stories.Turned, Listening: p.stories.Listening,
		Plugins: map[string]func(string) voice.Turn{api.PluginTaxi: p.desk.Turn},
	})
	p.rest = rest.New(rest.Options{
		Records: p.records, Calls: p.calls, Tokens: p.tokens, Passwords: p.passwords, Chance: p.chance, Now: p.now, Log: p.log,
		Limits: p.opts.Limits, Insecure: p.opts.Insecure,
	})
	p.sim = &simapi.API{
		API: p.rest, Phones: p.phones, Desk: p.desk, Taxi: p.taxi, Stories: p.stories, Deliverer: p.deliverer, Recordings: p.recordings,
		Work: p.opts.Work, SIPServer: p.sipServer, ControlToken: p.opts.ControlToken, Made: p.made, Sound: p.sound(),
	}
	p.tidyLater()
	err := p.deliverer.Start(ctx)
	if err == nil {
		err = p.calls.EndLost(ctx)
	}
	for _, d := range p.records.Damaged() { // also where the start fails
		p.log.ErrorContext(ctx, "a record is set aside, and its row left as it is", "table", d.Table, "key", d.Key, "error", d.Err)
	}
	if err != nil || p.lines == nil {
		return err
	}
	return p.openLines(ctx)
}

// sound returns what lines to browsers need. Sound runs in real time: there are no such lines where calls are
// faster or slower.
func (p *Platform) sound() simapi.Sound {
	if voice.While(p.opts.Line, time.Second) != time.Second {
		return simapi.Sound{}
	}
	return simapi.Sound{Speaker: p.opts.Speaker, Recogniser: p.opts.Recogniser}
}

// Handler serves both base addresses of the interface, the control API under /sim/v1, and
// the pages that explain problems.
func (p *Platform) Handler() http.Handler {
	e := p.rest.Engine()
	p.pages(e)
	p.sim.Routes(e)
	return e
}

// Close hangs up all calls and stops current deliveries, which continue when the records
// are opened again.
func (p *Platform) Close(ctx context.Context) error {
	p.closing.Lock()
	p.closed = true
	p.tidying.Stop()
	p.closing.Unlock()
	defer p.desk.Close()
	p.sim.Close()
	return errors.Join(p.calls.Close(ctx), p.closeLines(), p.deliverer.Close())
}

// newKey creates a key for tokens and stores it.
func (p *Platform) newKey() (access.Key, error) {
	ctx := context.Background() // independent of the current request, since later ones need the key, too
	key, err := access.NewKey(p.chance, p.now())
	if err != nil {
		return access.Key{}, err
	}
	return key, p.records.Write(ctx, func(tx *records.Tx) error { return p.records.AddKey(ctx, tx, key) })
}

// tidyEvery is the interval at which old data is removed.
const tidyEvery = time.Hour

// tidyLater removes old deliveries and recordings at that interval until the platform is
// closed.
func (p *Platform) tidyLater() {
	p.tidying = p.opts.Work.AfterFunc(tidyEvery, func() {
		p.opts.Work.Go(func() {
			p.closing.Lock()
			defer p.closing.Unlock()
			if p.closed {
				return
			}
			p.tidy(context.Background())
			p.tidyLater()
		})
	})
}

func (p *Platform) tidy(ctx context.Context) {
	for more := true; more; {
		var err error
		if more, err = p.records.PruneDeliveries(ctx, p.now()); err != nil {
			p.log.WarnContext(ctx, "old deliveries are kept for now", "error", err)
			break
		}
	}
	if p.recordings == nil {
		return
	}
	if err := p.recordings.Prune(); err != nil {
		p.log.WarnContext(ctx, "old recordings are kept for now", "error", err)
	}
}
