package hooks

import (
	"cmp"
	"errors"
	"slices"

	"github.com/cabrank/cabrank/simulator/platform/records"
)

// Limits of waiting deliveries: more are dead at once, and stored without bodies.
const (
	mostWaiting = 10_000   // for one hook
	mostBytes   = 16 << 20 // size of the bodies for the hooks of one account
	ownBytes    = 1 << 20  // size of the bodies that a hook may have regardless of the account's others
)

var (
	errManyWait = errors.New("too many deliveries waited for this hook: it was not kept")
	errMuchWait = errors.New("deliveries of 16 MiB waited for the hooks of the account: it was not kept")
)

// Limits of current attempts: each needs a file descriptor.
const (
	mostAtOnce    = 256
	mostOfAccount = 64
)

// queues hold the deliveries that are due, and choose the next attempt: that of the
// account, and of its hook, with the fewest current attempts. An account with slow hooks
// does not delay other accounts.
type queues struct {
	accounts map[string]*account
	hooks    map[string]*counter
	ready    []*account // with deliveries that are due
	active   int        // current attempts
	turns    int        // number of attempts so far
}

// account counts the deliveries to the hooks of one account.
type account struct {
	turn
	bytes int        // size of pending deliveries
	ready []*counter // with deliveries that are due
}

// counter counts the waiting and current deliveries to one hook.
type counter struct {
	turn
	account *account
	waiting int // pending deliveries
	bytes   int // of their bodies
	ready   []*parcel
}

// turn is the sort key of an account or a hook; the lowest one makes the next attempt.
type turn struct {
	active int // current attempts
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

// reserve reserves space for a delivery that must wait for its hook. It fails if a limit
// is reached.
func (q *queues) reserve(d *records.Delivery) error {
	c := q.of(d.Account, d.Hook)
	switch {
	case c.waiting >= mostWaiting:
		return errManyWait
	case c.account.bytes+len(d.Body) > mostBytes && c.bytes+len(d.Body) > ownBytes:
		return errMuchWait
	}
	q.countWaiting(d, 1)
	return nil
}

// countWaiting adds n to the number of waiting deliveries.
func (q *queues) countWaiting(d *records.Delivery, n int) {
	c := q.of(d.Account, d.Hook)
	c.waiting += n
	c.bytes += n * len(d.Body)
	c.account.bytes += n * len(d.Body)
}

// add adds a delivery after the others that are due for its hook.
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

// next removes and returns the delivery whose attempt is next; nil: the limits allow no
// attempt now.
func (q *queues) next() *parcel {
	if q.active >= mostAtOnce || len(q.ready) == 0 {
		return nil
	}
	a := slices.MinFunc(q.ready, func(a, b *account) int { return a.compare(b.turn) })
	if a.active >= mostOfAccount {
		return nil // the others have as many attempts
	}
	c := slices.MinFunc(a.ready, func(a, b *counter) int { return a.compare(b.turn) })
	q.turns++
	a.last, c.last = q.turns, q.turns
	q.count(c, 1)
	return q.removeFirst(c)
}

// removeFirst removes and returns the first delivery of a hook.
func (q *queues) removeFirst(c *counter) *parcel {
	p := c.ready[0]
	if c.ready = c.ready[1:]; len(c.ready) > 0 {
		return p
	}
	c.ready = nil // otherwise the slice would keep it in memory
	a := c.account
	a.ready = slices.DeleteFunc(a.ready, func(other *counter) bool { return other == c })
	if len(a.ready) == 0 {
		q.ready = slices.DeleteFunc(q.ready, func(other *account) bool { return other == a })
	}
	return p
}

// count adds n to the number of current attempts.
func (q *queues) count(c *counter, n int) {
	q.active += n
	c.active += n
	c.account.active += n
}
