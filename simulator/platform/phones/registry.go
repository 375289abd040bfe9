package phones

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/simline"
)

// mostPhones bounds how many phones are kept, those whose call is over included.
const mostPhones = 2000

// ErrTooMany means that as many phones are in use as there may be.
var ErrTooMany = errors.New("too many phones")

// Registry is the attached phones.
type Registry struct {
	clock voice.Clock
	wall  voice.Clock
	newID func() string

	mu       sync.Mutex
	phones   map[string]*Phone   // by id
	order    []*Phone            // as they came
	attached map[string]*Phone   // that wait to be rung, by where
	onCall   map[string][]*Phone // by call
}

// NewRegistry returns a registry without phones. Their calls live by one clock, and whoever
// holds them by another.
func NewRegistry(clock, wall voice.Clock, newID func() string) *Registry {
	return &Registry{
		clock: clock, wall: wall, newID: newID,
		phones: map[string]*Phone{}, attached: map[string]*Phone{}, onCall: map[string][]*Phone{},
	}
}

// Attach puts a phone where it can be rung; one that was attached there before is
// not rung any more. A script answers by itself after a second, other phones wait
// for [Phone.Answer].
func (r *Registry) Attach(at Far, script simline.Script) (*Phone, error) {
	p := r.new(script)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.add(p); err != nil {
		return nil, err
	}
	if before := r.attached[at.key()]; before != nil {
		before.over("another phone took its place")
	}
	p.mu.Lock()
	p.at, p.status, p.looked = at, Waiting, r.clock.Now()
	p.mu.Unlock()
	r.attached[at.key()] = p
	return p, nil
}

// Caller returns a phone that places a call of a given id; receive begins it.
func (r *Registry) Caller(call, from, to string, script simline.Script, receive func(voice.Leg) error) (*Phone, error) {
	p := r.new(script)
	p.from, p.to, p.status = from, to, Ringing
	var line *simline.Phone // p.line is written again at each happening
	line = simline.NewCaller(r.clock, func(h simline.Happening) { p.notice(line, h) })
	p.line = line
	r.mu.Lock()
	err := r.add(p)
	r.mu.Unlock()
	if err != nil {
		return nil, err
	}
	r.join(p, call) // before it begins: it may be over at once
	if err := receive(p.line.Leg()); err != nil {
		p.over(err.Error())
		r.leave(call)
		return nil, err
	}
	return p, nil
}

// join tells a phone which call it is on.
func (r *Registry) join(p *Phone, call string) {
	r.mu.Lock()
	r.onCall[call] = append(r.onCall[call], p)
	r.mu.Unlock()
	p.change(func() { p.call = call })
}

func (r *Registry) new(script simline.Script) *Phone {
	p := &Phone{id: r.newID(), clock: r.clock, wall: r.wall, turns: turns{theirs: true}}
	if script != nil {
		p.scripted = true
		p.actor = script.Person(r.clock, p.acted)
	}
	return p
}

// add keeps a phone; the oldest whose call is over makes room.
func (r *Registry) add(p *Phone) error {
	if len(r.order) >= mostPhones {
		i := slices.IndexFunc(r.order, func(old *Phone) bool { return old.State() == Over })
		if i < 0 {
			return ErrTooMany
		}
		gone := r.order[i]
		delete(r.phones, gone.id)
		if at := gone.place(); r.attached[at] == gone { // it was put away before anybody rang it
			delete(r.attached, at)
		}
		r.order = slices.Delete(r.order, i, i+1)
	}
	r.phones[p.id] = p
	r.order = append(r.order, p)
	return nil
}

// Phone returns the phone of an id.
func (r *Registry) Phone(id string) (*Phone, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, ok := r.phones[id]
	return p, ok
}

// rung takes the phone that waits at a far end for a call, if there is one.
func (r *Registry) rung(far Far, offer voice.Offer) *Phone {
	r.mu.Lock()
	p := r.attached[far.key()]
	delete(r.attached, far.key())
	r.mu.Unlock()
	if p == nil || !p.waits() {
		return nil
	}
	p.change(func() { p.from, p.to, p.dialled = far.From, far.To, offer.LegID != offer.CallID })
	r.join(p, offer.CallID)
	return p
}

// Heard passes a line of a transcript to the phones on its call.
func (r *Registry) Heard(call voice.Info, line voice.Line) {
	for _, p := range r.on(call.ID) {
		p.change(func() { p.lines = append(p.lines, line) })
	}
}

// Listens tells the phone that calls that the platform waits for an answer.
func (r *Registry) Listens(call string, l Listening) {
	for _, p := range r.on(call) {
		p.change(func() {
			l.After = len(p.lines)
			p.listens = append(p.listens, l)
		})
		p.listened()
	}
}

// Done tells the phones on a call that it is over.
func (r *Registry) Done(result voice.Result) {
	for _, p := range r.on(result.ID) {
		p.finish(result)
	}
	r.leave(result.ID)
}

func (r *Registry) leave(call string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.onCall, call)
}

func (r *Registry) on(call string) []*Phone {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.onCall[call]
}

// Reset hangs up and forgets every phone.
func (r *Registry) Reset() {
	r.mu.Lock()
	all := r.order
	r.phones, r.order, r.attached = map[string]*Phone{}, nil, map[string]*Phone{}
	r.mu.Unlock()
	for _, p := range all {
		p.Hangup()
		p.over("the platform was reset")
	}
}

// scriptAnswers is how long a phone with a script rings.
const scriptAnswers = time.Second

// Attached reports whether a phone waits at a far end.
func (r *Registry) Attached(far Far) bool {
	r.mu.Lock()
	p := r.attached[far.key()]
	r.mu.Unlock()
	return p != nil && p.waits()
}

// HasExtension reports whether a phone waits as an extension of an account.
func (r *Registry) HasExtension(account, extension string) bool {
	return r.Attached(Far{Kind: Extension, Account: account, Address: extension})
}
