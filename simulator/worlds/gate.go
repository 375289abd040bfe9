package worlds

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/simulator/host"
)

// ErrEnded means that a world is no more.
var ErrEnded = errors.New("the world has ended")

// leaveWithin is how long those inside have to leave a host that is to be changed. Its
// records then refuse what they still ask for.
const leaveWithin = 2 * time.Second

// Gate lets requests into a host. Who changes the host waits until those inside have
// left; who comes meanwhile waits until it is done.
type Gate struct {
	last atomic.Pointer[host.Host] // also while it is shut

	changing sync.Mutex
	mu       sync.Mutex
	life     *life         // nil: the gate is shut, for good if there is an err
	err      error         // why it will not open
	opened   chan struct{} // closed when there is a life, or an err
}

// life is the time in which a gate is open.
type life struct {
	host   *host.Host
	ctx    context.Context // ends when the gate is to be shut
	end    context.CancelFunc
	inside sync.WaitGroup
	leave  func() // inside.Done
}

// Visit is the time of a request inside.
type Visit struct {
	Host  *host.Host
	Ctx   context.Context // ends when the gate is to be shut
	Leave func()
}

// NewGate returns a gate that is open.
func NewGate(h *host.Host) *Gate {
	g := &Gate{}
	g.open(h)
	return g
}

// Latest is the host, also while the gate is shut.
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

// fail says that there is no host, and why.
func (g *Gate) fail(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.err = err
	if g.opened != nil {
		close(g.opened)
		g.opened = nil
	}
}

// Enter waits until there is a host.
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

// Interrupt tells those inside that they are to leave.
func (g *Gate) Interrupt() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.life != nil {
		g.life.end()
	}
}

// shut keeps new requests out and waits for those inside to leave. It returns the host.
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

// Change keeps requests out while the host is changed. If that fails nobody comes in from
// then on, unless the error says that nothing was changed.
func (g *Gate) Change(do func(*host.Host) error) error {
	g.changing.Lock()
	defer g.changing.Unlock()
	h := g.shut()
	if h == nil {
		return ErrEnded
	}
	err := do(h)
	if _, refused := errors.AsType[*host.ConfigError](err); err == nil || refused || errors.Is(err, host.ErrUnchanged) {
		g.open(h)
	} else {
		g.fail(err)
	}
	return err
}

// broken is the host of a gate that shut for good as a change failed.
func (g *Gate) broken() *host.Host {
	g.mu.Lock()
	defer g.mu.Unlock()
	if errors.Is(g.err, ErrEnded) {
		return nil
	}
	return g.Latest()
}

// close ends the host for good. Closing again does nothing.
func (g *Gate) close() error {
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
	g.fail(ErrEnded)
	return err
}
