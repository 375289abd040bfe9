package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/replica"
	"github.com/cabrank/cabrank/simulator/worlds"
	"github.com/cabrank/cabrank/store"
)

var (
	simulations = flag.Int("simulations", 60, "runs of TestReplicasInSimulation")
	firstSeed   = flag.Uint64("simulation-seed", 1, "seed of the first of them")
)

// TestReplicasInSimulation runs several replicas, as serve puts them together, over a database
// that is slow, refuses statements, and loses connections after it has executed one. Clocks
// drift; processes are killed, stop, start, and sleep past their leases. The network between
// replicas is in memory, and time is virtual.
//
// A booking that was acknowledged is in the database once; a request that begins after an
// acknowledgement sees its effect, whichever replica answers.
func TestReplicasInSimulation(t *testing.T) {
	runs := uint64(*simulations)
	if testing.Short() {
		runs = min(runs, 10)
	}
	for seed := *firstSeed; seed < *firstSeed+runs; seed++ {
		ok := t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { newSimulation(t, seed).run() })
		})
		if !ok {
			t.Fatalf("go test ./store -run InSimulation -simulations 1 -simulation-seed %d", seed)
		}
	}
}

// simulation is one run.
type simulation struct {
	*testing.T

	database *store.FakeDatabase
	trouble  atomic.Bool    // whether anything fails
	waiting  sync.WaitGroup // for answers to clients that may have given up
	ended    chan struct{}

	mu       sync.Mutex
	random   *rand.Rand
	replicas []*process
	started  int
	counts   map[string]int
}

// worldNames are the worlds of a simulation; the main one and two sandboxes.
var worldNames = []string{"", "ann", "ben"}

func newSimulation(t *testing.T, seed uint64) *simulation {
	s := &simulation{T: t, random: rand.New(rand.NewPCG(seed, 1)), ended: make(chan struct{}), counts: map[string]int{}}
	s.database = store.NewFakeDatabase(s.clock())
	return s
}

// draw returns a random number below n.
func (s *simulation) draw(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.random.IntN(n)
}

// one reports whether a random event occurs, in one of n cases.
func (s *simulation) one(n int) bool { return s.draw(n) == 0 }

// clock returns a clock that is wrong by up to half a minute, and up to a twentieth too fast
// or too slow.
func (s *simulation) clock() func() time.Time {
	began, off := time.Now(), time.Duration(s.draw(60)-30)*time.Second
	rate := 0.95 + float64(s.draw(1000))/10_000
	return func() time.Time {
		return began.Add(off + time.Duration(float64(time.Since(began))*rate)).Round(0)
	}
}

// process is one replica: a process in its own right, which can be killed, or sleep.
type process struct {
	sim      *simulation
	address  string
	server   *control.Server
	replica  *replica.Replica
	handler  http.Handler
	clock    func() time.Time
	dead     atomic.Bool
	sleeping atomic.Pointer[nap] // nil: it is awake
	opening  atomic.Int64        // how long it takes to open a world, in nanoseconds, beside what the database needs
}

// nap is a sleep of a process. Its clocks stand still: nobody in it reads them.
type nap struct {
	began time.Time
	ended chan struct{}
}

var (
	errRefused = errors.New("the database refuses")
	errLost    = errors.New("the connection to the database is lost")
	errDead    = errors.New("this process is dead")
)

// awake waits while the process sleeps.
func (p *process) awake() {
	for {
		until := p.sleeping.Load()
		if until == nil {
			return
		}
		<-until.ended
	}
}

// now is the time on the clock of the process.
func (p *process) now() time.Time {
	if asleep := p.sleeping.Load(); asleep != nil {
		return asleep.began
	}
	return p.clock()
}

// before is what happens to a statement before the database executes it.
func (p *process) before(ctx context.Context) error {
	p.awake()
	if p.dead.Load() {
		return errDead
	}
	wait := time.Duration(p.sim.draw(3000)) * time.Microsecond
	if p.sim.trouble.Load() {
		switch p.sim.draw(60) {
		case 0:
			return errRefused
		case 1:
			wait = time.Duration(p.sim.draw(4000)) * time.Millisecond
		}
	}
	select {
	case <-time.After(wait):
	case <-ctx.Done():
		return ctx.Err()
	}
	p.awake()
	if p.dead.Load() {
		return errDead
	}
	return nil
}

// read is what happens to a read of records.
func (p *process) read() error {
	switch {
	case p.dead.Load():
		return errDead
	case p.sim.trouble.Load() && p.sim.one(60):
		return errRefused
	}
	return nil
}

// after is what happens when the database has executed a statement.
func (p *process) after(context.Context) error {
	if p.sim.trouble.Load() && p.sim.one(60) {
		return errLost
	}
	p.awake()
	if p.dead.Load() {
		return errDead
	}
	return nil
}

// start starts a replica; nil: the database did not let it.
func (s *simulation) start() *process {
	s.mu.Lock()
	s.started++
	n := s.started
	s.mu.Unlock()
	p := &process{sim: s, address: fmt.Sprintf("http://replica-%d", n), clock: s.clock()}
	now := p.now
	conn := &store.FakeConn{Database: s.database, Before: p.before, After: p.after, Read: p.read}
	var err error
	p.replica, err = replica.New(s.Context(), replica.Options{
		Table: conn, ID: fmt.Sprint("id-", n), Address: p.address, Now: now, Transport: network{s, p}, Quiet: 2 * time.Second,
		Place: func(name string, epoch int64) store.Place {
			world, _, _ := strings.Cut(name, "@")
			return &store.FakePlace{Conn: conn, Name: name, World: world, Epoch: epoch}
		},
	})
	if err != nil {
		return nil
	}
	config := host.Default()
	config.Speed, config.Cars, config.Town = 0, 1, "none"
	config.DuplicateWindow = host.Duration(2 * time.Minute) // clocks may differ by a minute, and clients without a key ask again
	p.server, err = control.New(s.Context(), control.Options{
		Config: config, Now: now, Directory: p.replica, Elsewhere: p.replica.PassOn, NoMagic: true,
		Open: func(ctx context.Context, o worlds.Opening) (*host.Host, error) {
			time.Sleep(time.Duration(p.opening.Load()))
			return host.Open(ctx, o.Config, host.Deps{Now: now, Place: o.Place, AnySeed: true, People: fixtures.People()[:1]})
		},
	})
	if err != nil {
		p.replica.Close()
		return nil
	}
	p.replica.SetWorlds(p.server.Worlds())
	p.handler = p.replica.Handler(p.server, p.server, http.NotFoundHandler())
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replicas = append(s.replicas, p)
	return p
}

// any returns a random live replica; nil: there is none.
func (s *simulation) any() *process {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.replicas) == 0 {
		return nil
	}
	return s.replicas[s.random.IntN(len(s.replicas))]
}

// remove takes a replica out of the list, and reports whether it was in it.
func (s *simulation) remove(p *process) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, other := range s.replicas {
		if other == p {
			s.replicas = append(s.replicas[:i:i], s.replicas[i+1:]...)
			return true
		}
	}
	return false
}

// kill ends a replica at once. What it still does has no effect.
func (p *process) kill() {
	p.dead.Store(true)
	p.wake()
	p.end()
}

// end frees a replica that is dead, or has left.
func (p *process) end() {
	p.replica.Close()
	_ = p.server.Close() // a dead process stores nothing
}

func (p *process) sleep() {
	p.sleeping.CompareAndSwap(nil, &nap{p.clock(), make(chan struct{})})
}

func (p *process) wake() {
	if until := p.sleeping.Swap(nil); until != nil {
		close(until.ended)
	}
}

// leave ends a replica as SIGTERM does. What fails then is in the hands of the leases; that
// another replica has a world already is no failure.
func (p *process) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	require.NotErrorIs(p.sim, p.replica.Leave(ctx), store.ErrFenced)
	p.sim.remove(p)
	p.end()
	p.dead.Store(true)
}

// network carries requests from a replica to others.
type network struct {
	sim  *simulation
	from *process
}

// RoundTrip implements [http.RoundTripper].
func (n network) RoundTrip(req *http.Request) (*http.Response, error) {
	n.sim.mu.Lock()
	var to *process
	for _, p := range n.sim.replicas {
		if p.address == "http://"+req.URL.Host {
			to = p
		}
	}
	n.sim.mu.Unlock()
	if to == nil || to.dead.Load() {
		return nil, &net.OpError{Op: "dial", Err: errors.New("nobody listens")}
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	req = req.Clone(req.Context())
	req.Body = io.NopCloser(bytes.NewReader(body))
	resp := to.answer(req)
	if to.dead.Load() {
		return nil, errors.New("the connection was reset")
	}
	return resp, nil
}

// answer is the response of a process to a request, once it is awake.
func (p *process) answer(req *http.Request) *http.Response {
	p.awake()
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, req)
	p.awake()
	resp := w.Result()
	resp.Request = req
	return resp
}

// ask sends a request to any replica, and decodes the response. status is 0 if there is
// none.
func (s *simulation) ask(world, path string, body any, key string, to any) (status int) {
	if p := s.any(); p != nil {
		return s.askAt(p, world, path, body, key, to)
	}
	time.Sleep(100 * time.Millisecond)
	return 0
}

// askAt is ask for one replica.
func (s *simulation) askAt(p *process, world, path string, body any, key string, to any) (status int) {
	text, err := json.Marshal(body)
	require.NoError(s, err)
	prefix := ""
	if world != "" {
		prefix = "/s/" + world
	}
	req := httptest.NewRequest(http.MethodPost, "http://localhost"+prefix+path, bytes.NewReader(text))
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set(taxi.IdempotencyHeader, key)
	}
	resp := p.answer(req) //nolint:bodyclose // it is in memory
	if p.dead.Load() {
		return 0
	}
	if resp.StatusCode < 300 && to != nil {
		require.NoError(s, json.NewDecoder(resp.Body).Decode(to))
	}
	if resp.StatusCode >= 400 && resp.StatusCode <= 500 && (resp.StatusCode != http.StatusNotFound || path == taxi.PathBook) {
		text, _ := io.ReadAll(resp.Body)
		s.Logf("%s: %s", path, text)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[fmt.Sprint(path, " ", resp.StatusCode)]++
	return resp.StatusCode
}

// run runs the simulation.
func (s *simulation) run() {
	defer s.killAll()
	stop := sync.OnceFunc(func() { close(s.ended) })
	defer stop()
	for len(s.replicas) < 3 {
		require.NotNil(s, s.start())
	}
	for _, name := range worldNames[1:] {
		require.Equal(s, http.StatusCreated, s.ask("", control.Prefix+"/sandboxes", map[string]any{"name": name}, "", nil))
	}
	s.trouble.Store(true)
	var working sync.WaitGroup
	clients := make([]*client, 4)
	for i := range clients {
		clients[i] = &client{simulation: s, n: i, users: map[string]taxi.UserID{}}
		working.Go(clients[i].work)
	}
	s.disturb()
	stop()
	working.Wait()
	s.waiting.Wait()
	s.heal()
	for _, c := range clients {
		c.check()
	}
	for _, p := range append([]*process{}, s.replicas...) {
		p.leave()
	}
	s.checkDatabase(clients)
}

// killAll frees all replicas after a failure.
func (s *simulation) killAll() {
	s.trouble.Store(false)
	for p := s.any(); p != nil; p = s.any() {
		s.remove(p)
		p.kill()
	}
	time.Sleep(time.Minute) // worlds that are ending in the background
}

// disturb kills, stops, starts and puts to sleep.
func (s *simulation) disturb() {
	var sleeping sync.WaitGroup
	for range 12 {
		time.Sleep(time.Duration(500+s.draw(2500)) * time.Millisecond)
		p := s.any()
		switch s.draw(5) {
		case 0:
			if p != nil && s.remove(p) {
				p.kill()
			}
		case 1:
			if p != nil {
				p.sleep()
				sleeping.Go(func() {
					time.Sleep(time.Duration(s.draw(30_000)) * time.Millisecond)
					p.wake()
				})
			}
		case 2:
			if p != nil && len(s.replicas) > 1 {
				p.wake()
				p.leave()
			}
		}
		if len(s.replicas) < 3 {
			s.start()
		}
	}
	sleeping.Wait()
}

// heal ends all trouble, and waits until a replica answers for each world.
func (s *simulation) heal() {
	s.trouble.Store(false)
	for s.any() == nil {
		s.start()
	}
	for _, name := range worldNames {
		for tries := 0; s.ask(name, taxi.PathConfig, struct{}{}, "", nil) != http.StatusOK; tries++ {
			require.Less(s, tries, 100, "the world %q has to come back", name)
			time.Sleep(time.Second)
		}
	}
}

// booked is a booking of a client.
type booked struct {
	world, name string
	id          taxi.JourneyID // "": it was not acknowledged
	again       bool           // it was perhaps asked for several times, without a key
	asksCancel  bool           // a cancellation was sent
	cancelled   bool           // one was acknowledged
}

// client books, cancels and looks, one request at a time.
type client struct {
	*simulation

	n     int
	made  []*booked
	users map[string]taxi.UserID // the client's id in each world
}

// phone is the number of the client.
func (c *client) phone() taxi.E164 { return taxi.E164(fmt.Sprintf("+4420794610%02d", c.n)) }

// ref names a booking, if the client's id in its world can be found out.
func (c *client) ref(b *booked) (ref taxi.JourneyRef, ok bool) {
	if c.users[b.world] == "" {
		var user taxi.EndUser
		if c.ask(b.world, taxi.PathUser, taxi.UserRequest{PhoneNumber: c.phone().Digits()}, "", &user) != http.StatusOK {
			return ref, false
		}
		c.users[b.world] = user.UserID
	}
	return taxi.JourneyRef{UserID: c.users[b.world], JourneyID: b.id}, true
}

func (c *client) work() {
	for {
		select {
		case <-c.ended:
			return
		case <-time.After(time.Duration(c.draw(400)) * time.Millisecond):
		}
		switch c.draw(4) {
		case 0:
			c.book()
		case 3:
			c.giveUp()
		case 1:
			c.cancel()
		default:
			c.look()
		}
	}
}

// book books a taxi, and repeats the request with its key until there is an answer, or
// gives up.
func (c *client) book() {
	b := &booked{world: worldNames[c.draw(len(worldNames))], name: fmt.Sprintf("Client %d booking %d", c.n, len(c.made))}
	c.made = append(c.made, b)
	request := c.request(b)
	var journey taxi.Journey
	for range 1 + c.draw(4) {
		switch status := c.ask(b.world, taxi.PathBook, request, b.name, &journey); {
		case status == http.StatusOK:
			b.id = journey.JourneyID
			return
		case status != 0 && status < 500 && status != http.StatusConflict:
			c.Fatalf("%s: /book answers %d", b.name, status)
		}
		time.Sleep(time.Duration(c.draw(1500)) * time.Millisecond)
	}
}

func (c *client) request(b *booked) taxi.BookRequest {
	place := fixtures.Places()[0].Address
	return taxi.BookRequest{
		Name: b.name, PhoneNumber: c.phone(), Pickup: &place, Dropoffs: []taxi.Address{fixtures.Places()[1].Address},
		PickupTime: taxi.Time{Time: time.Now().Add(24 * time.Hour)},
	}
}

// patience is how long a client without a key waits, which is longer than any replica trusts a
// lease, and than the database then takes: a request may be executed that late.
const patience = 15 * time.Second

// giveUp books a taxi without a key. If there is no answer, it asks another replica, and then
// cancels that booking. Nothing of the first request may happen after that.
func (c *client) giveUp() {
	b := &booked{world: worldNames[c.draw(len(worldNames))], name: fmt.Sprintf("Client %d gave up %d", c.n, len(c.made)), again: true}
	c.made = append(c.made, b)
	request := c.request(b)
	asked := func() (journey *taxi.Journey) {
		p := c.any()
		if p == nil {
			return nil
		}
		answered := make(chan struct{})
		var got taxi.Journey
		var status int
		c.waiting.Go(func() {
			defer close(answered)
			status = c.askAt(p, b.world, taxi.PathBook, request, "", &got)
		})
		select {
		case <-answered:
			if status == http.StatusOK {
				return &got
			}
		case <-time.After(patience):
		}
		return nil
	}
	for range 3 {
		if journey := asked(); journey != nil {
			b.id = journey.JourneyID
			c.cancelOf(b)
			return
		}
	}
}

// acknowledged returns one of the acknowledged bookings; nil: there is none.
func (c *client) acknowledged() *booked {
	if len(c.made) == 0 {
		return nil
	}
	if b := c.made[c.draw(len(c.made))]; b.id != "" {
		return b
	}
	return nil
}

func (c *client) cancel() {
	if b := c.acknowledged(); b != nil {
		c.cancelOf(b)
	}
}

func (c *client) cancelOf(b *booked) {
	ref, ok := c.ref(b)
	if !ok {
		return
	}
	b.asksCancel = true
	var journey taxi.Journey
	switch status := c.ask(b.world, taxi.PathCancel, ref, "", &journey); {
	case status == http.StatusOK:
		require.Equal(c, taxi.Cancelled, journey.Status)
		b.cancelled = true
	case status != 0 && status < 500:
		c.Fatalf("%s: /cancel answers %d", b.name, status)
	}
}

// look reads a booking that was acknowledged.
func (c *client) look() {
	if b := c.acknowledged(); b != nil {
		c.see(b)
	}
}

// see reads a booking, and reports whether there was an answer.
func (c *client) see(b *booked) bool {
	ref, ok := c.ref(b)
	if !ok {
		return false
	}
	var journey taxi.Journey
	switch status := c.ask(b.world, taxi.PathStatus, ref, "", &journey); {
	case status == http.StatusOK:
		require.Equal(c, b.name, journey.Passenger.Name)
		if b.cancelled {
			require.Equal(c, taxi.Cancelled, journey.Status, "%s: an old answer", b.name)
		}
		if !b.asksCancel {
			require.NotEqual(c, taxi.Cancelled, journey.Status, "%s", b.name)
		}
		return true
	case status != 0 && status < 500:
		c.Fatalf("%s was acknowledged, and /status answers %d", b.name, status)
	}
	return false
}

// check reads every acknowledged booking, when all is well.
func (c *client) check() {
	for _, b := range c.made {
		for tries := 0; b.id != "" && !c.see(b); tries++ {
			require.Less(c, tries, 30, "%s has no status", b.name)
			time.Sleep(time.Second) // its world may be moving still
		}
	}
}

// checkDatabase counts the bookings in the database.
func (s *simulation) checkDatabase(clients []*client) {
	stored := map[string][]*store.Journey{}
	for _, name := range worldNames {
		for _, j := range s.database.Journeys(name) {
			stored[j.Passenger.Name] = append(stored[j.Passenger.Name], j)
		}
	}
	acknowledged := 0
	for _, c := range clients {
		for _, b := range c.made {
			found := stored[b.name]
			if b.again {
				live := slices.DeleteFunc(slices.Clone(found), func(j *store.Journey) bool { return j.Status == taxi.Cancelled })
				require.False(s, b.cancelled && len(live) > 0, "%s was cancelled, and is there again", b.name)
				continue
			}
			require.LessOrEqual(s, len(found), 1, "%s is in the database twice", b.name)
			if b.id == "" {
				continue
			}
			acknowledged++
			require.Len(s, found, 1, "%s was acknowledged, and is not in the database", b.name)
			require.Equal(s, b.id, found[0].JourneyID)
			if b.cancelled {
				require.Equal(s, taxi.Cancelled, found[0].Status)
			}
		}
	}
	if testing.Verbose() {
		s.Logf("%d bookings acknowledged; %d replicas; %s", acknowledged, s.started, strings.TrimPrefix(fmt.Sprint(s.counts), "map"))
	}
}
