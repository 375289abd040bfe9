package phones

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/simline"
)

// mostPhones limits how many phones are stored, including those whose call is over.
const mostPhones = 2000

// ErrTooMany means that the limit is reached and all phones are in use.
var ErrTooMany = errors.New("too many phones")

// Registry contains the attached phones.
type Registry struct {
	clock voice.Clock
	wall  voice.Clock
	newID func() string

	mu       sync.Mutex
	phones   map[string]*Phone   // by id
	order    []*Phone            // in the order of creation
	attached map[string]*Phone   // phones that wait for a call, by location
	onCall   map[string][]*Phone // by call
}

// NewRegistry returns a registry without phones. clock is for their calls, and wall for
// detecting abandoned phones.
func NewRegistry(clock, wall voice.Clock, newID func() string) *Registry {
	return &Registry{
		clock: clock, wall: wall, newID: newID,
		phones: map[string]*Phone{}, attached: map[string]*Phone{}, onCall: map[string][]*Phone{},
	}
}

// Attach attaches a phone where it can be called; it replaces an earlier one. A phone
// with a script answers by itself after a second, other phones wait for [Phone.Answer].
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

// Caller returns a phone that places a call with a given id; receive begins the call.
func (r *Registry) Caller(call, from, to string, script simline.Script, receive func(voice.Leg) error) (*Phone, error) {
	p := r.new(script)
	p.from, p.to, p.status = from, to, Ringing
	var line *simline.Phone // updates p.line at each event
	line = simline.NewCaller(r.clock, func(h simline.Happening) { p.notice(line, h) })
	p.line = line
	r.mu.Lock()
	err := r.add(p)
	r.mu.Unlock()
	if err != nil {
		return nil, err
	}
	r.join(p, call) // before the call begins, since it may end at once
	if err := receive(p.line.Leg()); err != nil {
		p.over(err.Error())
		r.leave(call)
		return nil, err
	}
	return p, nil
}

// join connects a phone to a call.
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
		p.actor = script.Person(r.clock, p.scriptEnded)
	}
	return p
}

// add stores a phone; the oldest one whose call is over is removed to make room.
func (r *Registry) add(p *Phone) error {
	if len(r.order) >= mostPhones {
		i := slices.IndexFunc(r.order, func(old *Phone) bool { return old.state() == Over })
		if i < 0 {
			return ErrTooMany
		}
		gone := r.order[i]
		delete(r.phones, gone.id)
		if at := gone.place(); r.attached[at] == gone { // it was detached before it was called
			delete(r.attached, at)
		}
		r.order = slices.Delete(r.order, i, i+1)
	}
	r.phones[p.id] = p
	r.order = append(r.order, p)
	return nil
}

// Phone returns the phone with an id.
func (r *Registry) Phone(id string) (*Phone, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, ok := r.phones[id]
	return p, ok
}

// waitingAt returns the phone that waits at a far end for a call, if there is one.
func (r *Registry) waitingAt(far Far, offer voice.Offer) *Phone {
	r.mu.Lock()
	p := r.attached[far.key()]
	delete(r.attached, far.key())
	r.mu.Unlock()
	if p == nil || !p.canBeCalled() {
		return nil
	}
	p.change(func() { p.from, p.to, p.dialled = far.From, far.To, offer.LegID != offer.CallID })
	r.join(p, offer.CallID)
	return p
}

// Heard passes a new line of a call's transcript to the phones on that call.
func (r *Registry) Heard(call voice.Info, line voice.Line) {
	for _, p := range r.on(call.ID) {
		p.change(func() { p.lines = append(p.lines, line) })
	}
}

// Listens notifies the calling phone that the platform waits for an answer.
func (r *Registry) Listens(call string, l Listening) {
	for _, p := range r.on(call) {
		p.change(func() {
			l.After = len(p.lines)
			p.listens = append(p.listens, l)
		})
		p.sayNext()
	}
}

// Done notifies the phones on a call that it is over.
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

// Reset hangs up and removes all phones.
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
	return p != nil && p.canBeCalled()
}

// HasExtension reports whether a phone waits as an extension of an account.
func (r *Registry) HasExtension(account, extension string) bool {
	return r.Attached(Far{Kind: Extension, Account: account, Address: extension})
}
