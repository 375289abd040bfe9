package access

import (
	"crypto/sha256"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/cabrank/cabrank/dispatch/inbound"
)

// Failed logins that a client may make before it has to slow down.
const (
	failuresForUser   = 10  // by one client for one user
	failuresForClient = 100 // by one client for all users
	refillUser        = time.Second
	refillClient      = 100 * time.Millisecond

	rememberedClients = 16384
	rememberedProven  = 16384
)

// Throttle slows down who guesses passwords. It counts failures by client and
// user together: guessing from elsewhere never locks out the rightful user, and
// from the same place it delays them by a second or so. Tokens that are out
// already, and refreshing them, are not held up at all.
type Throttle struct {
	mu      sync.Mutex
	clients *lru.Cache[string, *bucket]  // by client
	pairs   *lru.Cache[string, *bucket]  // by client and user
	proven  *lru.Cache[string, struct{}] // clients and users from where the right credentials have come
}

// bucket holds the failures that are still allowed.
type bucket struct {
	left float64
	at   time.Time
}

// NewThrottle returns a throttle that has seen nobody yet. What guessers fill forgets nobody
// who is proven.
func NewThrottle() *Throttle {
	return &Throttle{
		clients: remembering[*bucket](rememberedClients), pairs: remembering[*bucket](rememberedClients),
		proven: remembering[struct{}](rememberedProven),
	}
}

func remembering[V any](most int) *lru.Cache[string, V] {
	cache, err := lru.New[string, V](most)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	return cache
}

// Try asks leave for a login. It returns how long to wait when there is none;
// otherwise forgive, to be called when the login succeeded.
func (t *Throttle) Try(client, user string, now time.Time) (forgive func(), wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	client = inbound.Network(client)
	all, one, wait := t.leave(client, user, now)
	if wait > 0 {
		return nil, wait
	}
	all.left--
	one.left--
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		all.left++
		one.left = failuresForUser
	}, 0
}

// Hear is Try for credentials that come with every request: right says whether they are
// those of user, and is not asked while there is no leave. A client that has shown
// the right ones once is always heard: it may share its address with whoever guesses,
// as behind a proxy. Failures here do not count as failed logins.
func (t *Throttle) Hear(client, user string, now time.Time, right func() bool) (match bool, wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	client = "\x00" + inbound.Network(client)
	if _, proven := t.proven.Get(keyOf(client, user)); proven {
		return right(), 0
	}
	all, one, wait := t.leave(client, user, now)
	if wait > 0 {
		return false, wait
	}
	if right() {
		t.proven.Add(keyOf(client, user), struct{}{})
		return true, 0
	}
	all.left--
	one.left--
	return false, 0
}

// leave returns what a client may still get wrong, of all users and of one, or how long to
// wait. A client that is refused leaves nothing behind for the names that it tries.
func (t *Throttle) leave(client, user string, now time.Time) (all, one *bucket, wait time.Duration) {
	all = filled(t.clients, client, failuresForClient, refillClient, now)
	if all.left < 1 {
		return nil, nil, refillClient
	}
	one = filled(t.pairs, keyOf(client, user), failuresForUser, refillUser, now)
	if one.left < 1 {
		return nil, nil, refillUser
	}
	return all, one, 0
}

// keyOf names a client and a user together, however long a name was sent.
func keyOf(client, user string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(user)))
	return client + "\x00" + string(sum[:])
}

// filled is the bucket of a key as it is by now.
func filled(buckets *lru.Cache[string, *bucket], key string, most float64, refill time.Duration, now time.Time) *bucket {
	b, ok := buckets.Get(key)
	if !ok {
		b = &bucket{left: most, at: now}
		buckets.Add(key, b)
	}
	b.left = min(most, b.left+max(0, now.Sub(b.at).Seconds()/refill.Seconds()))
	b.at = now
	return b
}
