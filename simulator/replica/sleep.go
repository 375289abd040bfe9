package replica

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/worlds"
)

// sleep records when this process last did not run for a while, since its machine slept or it
// was stopped. Requests that it finds in its connections then are old: the clients may have
// given up, and have been answered by other replicas.
type sleep struct {
	mu      sync.Mutex
	seen    time.Time // when somebody looked last; with the monotonic clock
	settled time.Time // when what waited meanwhile may have been refused
	behind  bool      // something that waited may still be unread
}

// slept is the reason for refusing requests after a sleep.
const slept = "this replica did not run for a while, or the request has waited too long; it was not executed"

var errSlept = errors.New(slept)

// elapsed returns the time between two moments, by the clock that has advanced more: one of
// them may stand still while the machine sleeps.
func elapsed(from, to time.Time) time.Duration {
	return max(to.Sub(from), to.Round(0).Sub(from.Round(0)))
}

// trusts is how long a lease is trusted after the request that renewed it, and how long a request may wait.
func (o Options) trusts() time.Duration { return o.Lease - o.Lease/8 }

// awake reports whether the process has run since requests arrived that it may read now. It is
// called several times in a lease; if it was not, the process has slept, and refuses what it
// finds until [Replica.settle].
func (r *Replica) awake() bool {
	now := r.options.Now()
	r.sleep.mu.Lock()
	defer r.sleep.mu.Unlock()
	if !r.sleep.seen.IsZero() && elapsed(r.sleep.seen, now) >= r.options.trusts() {
		r.sleep.settled, r.sleep.behind = now.Add(r.options.Lease/3), true
	}
	r.sleep.seen = now
	return !r.sleep.behind
}

// settle lets a replica that woke execute requests again: after a third of a lease, and once a
// request that it then sends to itself has come through. That one is behind all connections
// that waited; a busy machine may read those late. A replica that cannot reach itself refuses
// requests for a lease.
func (r *Replica) settle(ctx context.Context) {
	if r.awake() {
		return
	}
	r.sleep.mu.Lock()
	settled := r.sleep.settled
	r.sleep.mu.Unlock()
	if r.options.Now().Before(settled) || !r.reached(ctx) && r.options.Now().Before(settled.Add(r.options.Lease)) {
		return
	}
	r.awake() // it may have slept meanwhile
	r.sleep.mu.Lock()
	defer r.sleep.mu.Unlock()
	r.sleep.behind = r.sleep.behind && r.sleep.settled != settled
}

// reached reports whether this replica answers at its own address, by a new connection.
func (r *Replica) reached(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, r.options.Lease)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.me.Address+"/livez", http.NoBody)
	if err != nil {
		return false
	}
	req.Close = true
	resp, err := r.proxy.reverse.Transport.RoundTrip(req)
	if err != nil {
		return false
	}
	return resp.Body.Close() == nil
}

type agedKey struct{}

// age contains when a request arrived, and whether it may have waited while the process slept.
type age struct {
	*span

	old bool // it arrived while this replica refused what it found
}

// withArrivalTime returns a request that records its arrival as now.
func (r *Replica) withArrivalTime(req *http.Request) *http.Request {
	return req.WithContext(context.WithValue(req.Context(), agedKey{}, age{r.trust(r.options.Now()), !r.awake()}))
}

// Fresh implements [worlds.Directory]: it returns an error if the request of a context must not be executed: it may have waited
// while this process slept, or for as long as a lease is trusted. One that arrived too early stays refused: to find its
// world may take until others are executed again.
func (r *Replica) Fresh(ctx context.Context) error {
	a, arrived := ctx.Value(agedKey{}).(age)
	if !r.awake() || arrived && (a.old || !a.covers(r.options.Now())) {
		return &worlds.Refusal{Why: worlds.Moving, Text: slept + "; ask again"}
	}
	return nil
}

// Patience implements [worlds.Directory].
func (r *Replica) Patience() time.Duration { return r.options.trusts() }

// freshBody is the body of a request that is being passed on. It is not sent once it is old, as
// it is if the process slept while it connected.
type freshBody struct {
	*bytes.Reader

	fresh func() error
}

// Read implements [io.Reader].
func (b *freshBody) Read(p []byte) (int, error) {
	if b.fresh() != nil {
		return 0, errSlept
	}
	return b.Reader.Read(p)
}
