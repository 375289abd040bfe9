package access

import (
	"crypto/sha256"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/cabrank/cabrank/dispatch/inbound"
)

// Number of failed logins after which a client is slowed down.
const (
	failuresForUser   = 10  // by one client for one user
	failuresForClient = 100 // by one client for all users
	refillUser        = time.Second
	refillClient      = 100 * time.Millisecond

	rememberedClients = 16384
	rememberedProven  = 16384
)

// Throttle slows down password guessing. It counts failures by client and user together:
// guessing from elsewhere never locks the real user out, and guessing from the same
// address delays that user by about a second. It does not affect existing tokens and
// their refreshing.
type Throttle struct {
	mu      sync.Mutex
	clients *lru.Cache[string, *bucket]  // by client
	pairs   *lru.Cache[string, *bucket]  // by client and user
	proven  *lru.Cache[string, struct{}] // pairs of client and user that have sent the right credentials
}

// bucket counts the failures that are still allowed.
type bucket struct {
	left float64
	at   time.Time
}

// NewThrottle returns an empty throttle. Failed guesses cannot evict proven pairs.
func NewThrottle() *Throttle {
	return &Throttle{
		clients: remembering[*bucket](rememberedClients), pairs: remembering[*bucket](rememberedClients),
		proven: remembering[struct{}](rememberedProven),
	}
}

func remembering[V any](most int) *lru.Cache[string, V] {
	cache, err := lru.New[string, V](most)
	if err != nil {
		panic(err) // only if the size is not positive
	}
	return cache
}

// Try checks whether a login is allowed now. It returns how long to wait, or a function
// that must be called if the login succeeds.
func (t *Throttle) Try(client, user string, now time.Time) (forgive func(), wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	client = inbound.Network(client)
	all, one, wait := t.allowance(client, user, now)
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

// Hear checks credentials that come with every request: right reports whether they are those of user, and is not called
// while the client must wait. A client that has sent the right credentials before is never made to wait: it may share
// its address with somebody who guesses, for example behind a proxy. Failures here do not count as failed logins.
func (t *Throttle) Hear(client, user string, now time.Time, right func() bool) (match bool, wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	client = "\x00" + inbound.Network(client)
	if _, proven := t.proven.Get(keyOf(client, user)); proven {
		return right(), 0
	}
	all, one, wait := t.allowance(client, user, now)
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

// allowance returns the buckets of a client: all for all users, one for this user. If either is empty, it returns how
// long the client must wait, and stores nothing for the user names that it tries.
func (t *Throttle) allowance(client, user string, now time.Time) (all, one *bucket, wait time.Duration) {
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

// keyOf returns the cache key of a client and a user. It has a fixed length even for long names.
func keyOf(client, user string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(user)))
	return client + "\x00" + string(sum[:])
}

// filled returns the bucket of a key, refilled for the time since its last use; a new one is full.
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
