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

// Options configures a desk. Now, Settings and Number are required.
type Options struct {
	Now      func() time.Time // the wall clock
	Settings func(account string) (Settings, bool)

	// Callers is the clock that callers use for times; nil: Now.
	Callers func() time.Time

	// Private reports whether a third party may be on a private network; nil: none may.
	Private func(thirdParty string) bool

	// Number parses a caller's number as people and trunks of an account write it; it
	// returns false for "anonymous" and other invalid numbers.
	Number func(account, number string) (taxi.E164, bool)

	// Ring calls a driver, in a separate call of the platform, and speaks a text. It
	// calls done once, with whether the text was heard. nil: drivers cannot be called.
	Ring func(r Ring) error

	// Event receives the customers' actions; may be nil.
	Event func(account, call string, e Event)

	// Called receives each request to a third party when it is complete, with the phone
	// call or the chat that caused it. It must not block; may be nil.
	Called func(call string, made operations.Call)

	// Asked receives the possible answers of a caller to each prompt, before the prompt
	// is spoken. It must not block; may be nil.
	Asked func(call string, p Prompt)

	// Sound reports whether each question says what may be answered: a recogniser of sound needs it. nil: none does.
	Sound func() bool

	Log *slog.Logger // nil: silent
}

// Ring is a call to a driver.
type Ring struct {
	Account string
	Parent  string // the passenger's call, or ""
	Driver  taxi.E164
	Say     []string
	Done    func(heard bool)

	// Customer is called first and then connected to the driver, who hears only the
	// customer; "": the driver hears a text.
	Customer taxi.E164
}

// Event is an action of a customer, for the account's event hooks. It contains no phone
// number.
type Event struct {
	Kind    EventKind    `json:"-"`
	State   State        `json:"state,omitempty"`  // of the conversation
	Status  string       `json:"status,omitempty"` // of the user or the journey
	Journey string       `json:"journeyId,omitempty"`
	Channel taxi.Feature `json:"channel"`
}

// EventKind is the type of an event.
type EventKind string

// The events. Decision: the interface names none.
const (
	EventUser      EventKind = "taxi.user"      // a customer was identified; with the user's status
	EventBooked    EventKind = "taxi.booked"    // or changed
	EventUnsure    EventKind = "taxi.unsure"    // it is unknown whether the booking or cancellation succeeded
	EventRefused   EventKind = "taxi.refused"   // the third party refused
	EventCancelled EventKind = "taxi.cancelled" //
	EventTold      EventKind = "taxi.coming-now"
	EventPerson    EventKind = "taxi.person"    // the caller is being connected to a person
	EventAbandoned EventKind = "taxi.abandoned" // the customer hung up before anything was booked or changed
)

// Limits of a desk's memory.
const (
	mostClients = 256
	mostCallers = 10_000
	mostRecent  = 3 // trips of one caller
)

// Desk serves the customers of all accounts. It is safe for concurrent use.
type Desk struct {
	opts  Options
	moved func(from, to State) // called for every change of state; for tests
	begin time.Duration        // time limit of the first step

	zones sync.Map // by name

	mu      sync.Mutex
	clients *lru.Cache[reach, *operations.Client]
	lately  *lru.Cache[string, history]         // by account and number
	told    *lru.Cache[string, *Telling]        // calls to drivers, by account and journey
	custom  *lru.Cache[string, *spoken.Prompts] // the accounts' prompts, by their text
	watched map[string]Watch                    // by call
}

// reach is the key of a third party's client: accounts with the same values share one.
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
		panic(err) // only if the size is not positive
	}
	d.clients = clients
	return d
}

func cache[V any](size int) *lru.Cache[string, V] {
	c, err := lru.New[string, V](size)
	if err != nil {
		panic(err) // only if the size is not positive
	}
	return c
}

// Close closes the connections to third parties.
func (d *Desk) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clients.Purge()
}

// visit returns a request of a customer that [Visit.open] has not yet opened.
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

// zone returns a time zone by name; UTC if it is unknown. Each file is read once.
func (d *Desk) zone(name string) *time.Location {
	if known, ok := d.zones.Load(name); ok {
		return known.(*time.Location)
	}
	z, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC // settings are validated when they are saved
	}
	d.zones.Store(name, z)
	return z
}

// client returns the client of an account's third party; nil if it has none. Accounts
// with the same third party share a client.
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
		return nil // settings are validated when they are saved
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

// Watch changes and observes one conversation; it is registered before the call.
type Watch struct {
	Settings *Settings // instead of the account's, for this call; may be nil
	Wish     *Wish
	Step     func(Step) // receives each step before it is spoken; it must not block
}

// Watch registers a watch for a phone call that is about to come in, by its id. stop
// removes it.
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

// watcher returns the watch that is registered for a call, or an empty one.
func (d *Desk) watcher(call string) Watch {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := d.watched[call]
	if w.Step == nil {
		w.Step = func(Step) {}
	}
	return w
}
