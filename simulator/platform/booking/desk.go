package booking

import (
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// Options is what a desk needs. Now, Settings and Number are required.
type Options struct {
	Now      func() time.Time // the wall clock
	Settings func(account string) (Settings, bool)

	// Callers is the clock by which callers name times and are told of them; nil: Now.
	Callers func() time.Time

	// Private reports a third party that may be on a private network; nil: none may.
	Private func(thirdParty string) bool

	// Number reads a caller's number as people and trunks of an account spell it;
	// false when it is none, as with "anonymous".
	Number func(account, number string) (taxi.E164, bool)

	// Ring places a call to a driver, on a leg of the platform's own, and says the
	// text. done is told whether it was heard, once. nil: drivers cannot be rung.
	Ring func(r Ring) error

	// Event is told what customers do. nil: nobody is.
	Event func(account, call string, e Event)

	// Called is told each call of a third party once it is over, with the phone call or
	// the chat that it was made for. It must not wait. nil: nobody is.
	Called func(call string, made operations.Call)

	// Asked is told what a caller on the phone may answer to each prompt, before that is
	// spoken. It must not wait. nil: nobody is.
	Asked func(call string, p Prompt)

	Log *slog.Logger // nil: nothing is logged
}

// Ring is a call to a driver.
type Ring struct {
	Account string
	Parent  string // the passenger's call, or ""
	Driver  taxi.E164
	Say     []string
	Done    func(heard bool)

	// Customer is rung first and then connected with the driver, who hears nothing
	// but them; "": the driver is told.
	Customer taxi.E164
}

// Event is something that a customer did, for the account's event hooks. It holds
// no phone number.
type Event struct {
	Kind    EventKind    `json:"-"`
	State   State        `json:"state,omitempty"`  // of the conversation
	Status  string       `json:"status,omitempty"` // of the user or of the journey
	Journey string       `json:"journeyId,omitempty"`
	Channel taxi.Feature `json:"channel"`
}

// EventKind is the type of an event.
type EventKind string

// The events. Decision: the interface names none.
const (
	EventUser      EventKind = "taxi.user"      // a customer was identified: their status
	EventBooked    EventKind = "taxi.booked"    // or changed
	EventUnsure    EventKind = "taxi.unsure"    // nobody knows whether it was booked or cancelled
	EventRefused   EventKind = "taxi.refused"   // the third party said no
	EventCancelled EventKind = "taxi.cancelled" //
	EventTold      EventKind = "taxi.coming-now"
	EventPerson    EventKind = "taxi.person"    // a person was asked for
	EventAbandoned EventKind = "taxi.abandoned" // the customer hung up before anything was done
)

// Bounds of what a desk remembers.
const (
	mostClients = 256
	mostCallers = 10_000
	mostRecent  = 3 // places of one caller
)

// Desk serves the customers of all accounts. It is safe for concurrent use.
type Desk struct {
	opts  Options
	moved func(from, to State) // of every conversation; for tests
	begin time.Duration        // that the first step may take

	zones sync.Map // by name

	mu      sync.Mutex
	clients *lru.Cache[reach, *operations.Client]
	lately  *lru.Cache[string, history]         // by account and number
	told    *lru.Cache[string, *Telling]        // drivers, by account and journey
	custom  *lru.Cache[string, *spoken.Prompts] // of accounts, by their text
	watched map[string]Watch                    // by call
}

// reach is what a third party's client is made of.
type reach struct {
	url, auth, roots string
	private          bool // see [operations.Options]
}

// New returns a desk.
func New(opts Options) *Desk {
	if opts.Event == nil {
		opts.Event = func(string, string, Event) {}
	}
	if opts.Callers == nil {
		opts.Callers = opts.Now
	}
	if opts.Called == nil {
		opts.Called = func(string, operations.Call) {}
	}
	if opts.Asked == nil {
		opts.Asked = func(string, Prompt) {}
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Private == nil {
		opts.Private = func(string) bool { return false }
	}
	d := &Desk{opts: opts, moved: func(State, State) {}, begin: beginWithin, watched: map[string]Watch{}, lately: cache[history](mostCallers), told: cache[*Telling](mostCallers), custom: cache[*spoken.Prompts](mostClients)}
	clients, err := lru.NewWithEvict(mostClients, func(_ reach, c *operations.Client) { c.Close() })
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	d.clients = clients
	return d
}

func cache[V any](size int) *lru.Cache[string, V] {
	c, err := lru.New[string, V](size)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	return c
}

// Close lets go of the connections to third parties.
func (d *Desk) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clients.Purge()
}

// visit returns a request that has not been opened.
func (d *Desk) visit(c Customer) *Visit {
	s, ok := d.opts.Settings(c.Account)
	if !ok {
		s = Defaults("")
	}
	if c.Settings != nil {
		s = *c.Settings
	}
	v := &Visit{Customer: c, desk: d, settings: s, allowed: allowed{s.data()}, guard: spoken.NewGuard(c.Number)}
	v.zone = d.zone(s.Timezone)
	if party := d.client(s); party != nil {
		v.party = party.For(string(c.Number)).Telling(func(made operations.Call) { d.opts.Called(c.Call, made) })
	}
	return v
}

// zone is a time zone by its name; one that is not known is UTC. Each is read from
// its file once.
func (d *Desk) zone(name string) *time.Location {
	if known, ok := d.zones.Load(name); ok {
		return known.(*time.Location)
	}
	z, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC // settings are checked when they are saved
	}
	d.zones.Store(name, z)
	return z
}

// client returns the client of an account's third party; nil when it has none.
// Accounts with the same third party share it.
func (d *Desk) client(s Settings) *operations.Client {
	if s.ThirdParty == "" {
		return nil
	}
	key := reach{s.ThirdParty, s.Auth, s.Roots, d.opts.Private(s.ThirdParty)}
	d.mu.Lock()
	defer d.mu.Unlock()
	if c, ok := d.clients.Get(key); ok {
		return c
	}
	c, err := dial(key, d.opts.Now)
	if err != nil {
		return nil // settings are checked when they are saved
	}
	d.clients.Add(key, c)
	return c
}

func dial(r reach, now func() time.Time) (*operations.Client, error) {
	opts := operations.Options{Now: now, Private: r.private}
	if r.auth != "" {
		credentials, err := taxi.ParseAuth(r.auth, nil, taxi.AuthQuery)
		if err != nil {
			return nil, err
		}
		opts.Auth = credentials.Auth()
	}
	if r.roots != "" {
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		pool.AppendCertsFromPEM([]byte(r.roots))
		opts.TLS = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	return operations.New(r.url, opts)
}

// Watch is somebody who knows beforehand who is about to call, and follows the
// conversation.
type Watch struct {
	Settings *Settings // in place of the account's, for this call; nil: those
	Wish     *Wish
	Step     func(Step) // told each step before it is spoken; it must not wait
}

// Watch has a phone call watched that is about to come in, by its id. stop ends it.
func (d *Desk) Watch(call string, w Watch) (stop func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.watched[call] = w
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.watched, call)
	}
}

// watcher returns who watches a call.
func (d *Desk) watcher(call string) Watch {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := d.watched[call]
	if w.Step == nil {
		w.Step = func(Step) {}
	}
	return w
}
