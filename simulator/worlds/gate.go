package worlds

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/simulator/host"
)

// ErrEnded means that a world has ended.
var ErrEnded = errors.New("the world has ended")

// leaveWithin is how long current requests may stay in a host that is about to be
// replaced. After that its records refuse requests.
const leaveWithin = 2 * time.Second

// Gate lets requests into a host. A change of the host waits until current requests have
// left; new requests wait until the change is done.
type Gate struct {
	last atomic.Pointer[host.Host] // also valid while the gate is shut

	changing sync.Mutex
	mu       sync.Mutex
	life     *life         // nil: the gate is shut, permanently if err is set
	err      error         // why it will not open
	opened   chan struct{} // closed when life or err is set
}

// life is a period in which a gate is open, with its requests.
type life struct {
	host   *host.Host
	ctx    context.Context // cancelled when the gate is to be shut
	end    context.CancelFunc
	inside sync.WaitGroup
	leave  func() // inside.Done
}

// Visit is a request inside a gate.
type Visit struct {
	Host  *host.Host
	Ctx   context.Context // cancelled when the gate is to be shut
	Leave func()
}

// NewGate returns an open gate.
func NewGate(h *host.Host) *Gate {
	g := &Gate{}
	g.open(h)
	return g
}

// Latest returns the host, even while the gate is shut.
func (g *Gate) Latest() *host.Host { return g.last.Load() }

// open lets requests into a host.
func (g *Gate) open(h *host.Host) {
	g.mu.Lock()
	defer g.mu.Unlock()
	ctx, end := context.WithCancel(context.Background())
	g.life = &life{host: h, ctx: ctx, end: end}
	g.life.leave = g.life.inside.Done
	g.last.Store(h)
	if g.opened != nil {
		close(g.opened)
		g.opened = nil
	}
}

// fail shuts the gate permanently; later requests get the error.
func (g *Gate) fail(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.err = err
	if g.opened != nil {
		close(g.opened)
		g.opened = nil
	}
}

// Enter waits until the gate is open, and returns a visit that must be left. The error says why the gate stays shut.
func (g *Gate) Enter(ctx context.Context) (Visit, error) {
	for {
		g.mu.Lock()
		if l := g.life; l != nil {
			l.inside.Add(1)
			g.mu.Unlock()
			return Visit{l.host, l.ctx, l.leave}, nil
		}
		err, opened := g.err, g.opened
		g.mu.Unlock()
		if err != nil {
			return Visit{}, err
		}
		select {
		case <-opened:
		case <-ctx.Done():
			return Visit{}, ctx.Err()
		}
	}
}

// Interrupt cancels the contexts of current requests.
func (g *Gate) Interrupt() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.life != nil {
		g.life.end()
	}
}

// shut keeps new requests out, waits for current requests to leave, and returns the host.
func (g *Gate) shut() *host.Host {
	g.mu.Lock()
	l := g.life
	if l == nil {
		g.mu.Unlock()
		return nil
	}
	g.life, g.opened = nil, make(chan struct{})
	g.mu.Unlock()
	l.end()
	left := make(chan struct{})
	go func() { // ends when the last request has left
		l.inside.Wait()
		close(left)
	}()
	wait := time.NewTimer(leaveWithin)
	defer wait.Stop()
	select {
	case <-left:
	case <-wait.C:
	}
	return l.host
}

// Change calls do while no request is inside. If do fails, the gate stays shut, unless
// the error says that nothing was changed.
func (g *Gate) Change(do func(*host.Host) error) error {
	g.changing.Lock()
	defer g.changing.Unlock()
	h := g.shut()
	if h == nil {
		return g.ended()
	}
	err := do(h)
	if _, refused := errors.AsType[*host.ConfigError](err); err == nil || refused || errors.Is(err, host.ErrUnchanged) {
		g.open(h)
	} else {
		g.fail(err)
	}
	return err
}

// ended returns the error for changes of a gate that is shut permanently.
func (g *Gate) ended() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if errors.Is(g.err, ErrEnded) {
		return g.err
	}
	return ErrEnded
}

// broken returns the host of a gate that a failed change has shut permanently; nil: it was closed.
func (g *Gate) broken() *host.Host {
	g.mu.Lock()
	defer g.mu.Unlock()
	if errors.Is(g.err, ErrEnded) {
		return nil
	}
	return g.Latest()
}

// close closes the host; those who come later get the error why, an [ErrEnded]. A second
// call does nothing.
func (g *Gate) close(why error) error {
	g.changing.Lock()
	defer g.changing.Unlock()
	old := g.shut()
	if old == nil {
		old = g.broken()
	}
	if old == nil {
		return nil
	}
	err := old.Close()
	g.fail(why)
	return err
}
