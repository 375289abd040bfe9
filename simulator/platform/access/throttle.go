package access

import (
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Failed logins that a client may make before it has to slow down.
const (
	failuresForUser   = 10  // by one client for one user
	failuresForClient = 100 // by one client for all users
	refillUser        = time.Second
	refillClient      = 100 * time.Millisecond

	rememberedClients = 16384
)

// Throttle slows down who guesses passwords. It counts failures by client and
// user together: guessing from elsewhere never locks out the rightful user, and
// from the same place it delays them by a second or so. Tokens that are out
// already, and refreshing them, are not held up at all.
type Throttle struct {
	mu      sync.Mutex
	buckets *lru.Cache[string, *bucket]
}

// bucket holds the failures that are still allowed.
type bucket struct {
	left float64
	at   time.Time
}

// NewThrottle returns a throttle that has seen nobody yet.
func NewThrottle() *Throttle {
	buckets, err := lru.New[string, *bucket](rememberedClients)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	return &Throttle{buckets: buckets}
}

// Try asks leave for a login. It returns how long to wait when there is none;
// otherwise forgive, to be called when the login succeeded.
func (t *Throttle) Try(client, user string, now time.Time) (forgive func(), wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := t.bucket(client, failuresForClient, refillClient, now)
	one := t.bucket(client+"\x00"+strings.ToLower(user), failuresForUser, refillUser, now)
	switch {
	case one.left < 1:
		return nil, refillUser
	case all.left < 1:
		return nil, refillClient
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

func (t *Throttle) bucket(key string, most float64, refill time.Duration, now time.Time) *bucket {
	b, ok := t.buckets.Get(key)
	if !ok {
		b = &bucket{left: most, at: now}
		t.buckets.Add(key, b)
	}
	b.left = min(most, b.left+max(0, now.Sub(b.at).Seconds()/refill.Seconds()))
	b.at = now
	return b
}
