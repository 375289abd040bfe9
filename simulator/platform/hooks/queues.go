package hooks

import (
	"cmp"
	"errors"
	"slices"

	"github.com/cabrank/cabrank/simulator/platform/records"
)

// Deliveries that may wait: any more are dead letters at once, without their bodies.
const (
	mostWaiting = 10_000   // for one hook
	mostBytes   = 16 << 20 // of bodies, for the hooks of one account
	ownBytes    = 1 << 20  // of bodies, that a hook may have whatever others have
)

var (
	errManyWait = errors.New("too many deliveries waited for this hook: it was not kept")
	errMuchWait = errors.New("deliveries of 16 MiB waited for the hooks of the account: it was not kept")
)

// Attempts under way at a time: each takes a file descriptor.
const (
	mostAtOnce    = 256
	mostOfAccount = 64
)

// queues hold the deliveries whose attempt is due, and say which attempt is made next: that of the
// account, and among its hooks of the hook, with the fewest attempts under way. An account whose
// hooks are slow keeps no other account waiting.
type queues struct {
	accounts map[string]*account
	hooks    map[string]*counter
	ready    []*account // with a delivery that is due
	active   int        // attempts under way
	turns    int        // attempts that have begun
}

// account counts what goes to the hooks of one account.
type account struct {
	turn
	bytes int        // of pending deliveries
	ready []*counter // with a delivery that is due
}

// counter counts what goes to one hook.
type counter struct {
	turn
	account *account
	waiting int // pending deliveries
	bytes   int // of their bodies
	ready   []*parcel
}

// turn is what decides who is next.
type turn struct {
	active int // attempts under way
	last   int // the number of the last attempt
}

func (t turn) compare(other turn) int {
	return cmp.Or(cmp.Compare(t.active, other.active), cmp.Compare(t.last, other.last))
}

func newQueues() queues {
	return queues{accounts: make(map[string]*account), hooks: make(map[string]*counter)}
}

func (q *queues) of(accountID, hook string) *counter {
	c := q.hooks[hook]
	if c == nil {
		a := q.accounts[accountID]
		if a == nil {
			a = &account{}
			q.accounts[accountID] = a
		}
		c = &counter{account: a}
		q.hooks[hook] = c
	}
	return c
}

// reserve makes room for a delivery that is to wait for its hook. An error says why there is none.
func (q *queues) reserve(d *records.Delivery) error {
	c := q.of(d.Account, d.Hook)
	switch {
	case c.waiting >= mostWaiting:
		return errManyWait
	case c.account.bytes+len(d.Body) > mostBytes && c.bytes+len(d.Body) > ownBytes:
		return errMuchWait
	}
	q.waits(d, 1)
	return nil
}

// waits counts a delivery that waits, or with a negative n one that does so no more.
func (q *queues) waits(d *records.Delivery, n int) {
	c := q.of(d.Account, d.Hook)
	c.waiting += n
	c.bytes += n * len(d.Body)
	c.account.bytes += n * len(d.Body)
}

// add puts a delivery behind the others that are due for its hook.
func (q *queues) add(p *parcel) {
	c := q.of(p.Account, p.Hook)
	if len(c.ready) == 0 {
		if len(c.account.ready) == 0 {
			q.ready = append(q.ready, c.account)
		}
		c.account.ready = append(c.account.ready, c)
	}
	c.ready = append(c.ready, p)
}

// next takes out the delivery whose attempt is made next; nil: no more attempts may be made now.
func (q *queues) next() *parcel {
	if q.active >= mostAtOnce || len(q.ready) == 0 {
		return nil
	}
	a := slices.MinFunc(q.ready, func(a, b *account) int { return a.compare(b.turn) })
	if a.active >= mostOfAccount {
		return nil // the others have as many under way
	}
	c := slices.MinFunc(a.ready, func(a, b *counter) int { return a.compare(b.turn) })
	q.turns++
	a.last, c.last = q.turns, q.turns
	q.count(c, 1)
	return q.take(c)
}

// take takes out the first delivery of a hook.
func (q *queues) take(c *counter) *parcel {
	p := c.ready[0]
	if c.ready = c.ready[1:]; len(c.ready) > 0 {
		return p
	}
	c.ready = nil // it would keep what was taken out in memory
	a := c.account
	a.ready = slices.DeleteFunc(a.ready, func(other *counter) bool { return other == c })
	if len(a.ready) == 0 {
		q.ready = slices.DeleteFunc(q.ready, func(other *account) bool { return other == a })
	}
	return p
}

// count counts attempts that have begun, or with a negative n ended.
func (q *queues) count(c *counter, n int) {
	q.active += n
	c.active += n
	c.account.active += n
}
