package inbound

import (
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// How often wrong credentials may come from one address: a second apart, after some at
// once.
const (
	guessesPerSecond = 1
	guessesAtOnce    = 20
)

// Guesses limits how fast credentials can be guessed: 20 at once from one address, and
// then one a second. An address that has shown the
// right ones is never turned away unheard: the rightful caller may share it with
// whoever guesses, as behind a proxy. Its methods may be called from any goroutine.
type Guesses struct {
	mu      sync.Mutex
	callers *lru.Cache[string, *guesser]
}

// guesser is an address from which requests come.
type guesser struct {
	wrong  *rate.Limiter
	proven bool // it has shown the right credentials
}

// rememberedClients limits the number of addresses that are remembered.
const rememberedClients = 4096

// NewGuesses returns a limiter that knows no address.
func NewGuesses() *Guesses {
	callers, err := lru.New[string, *guesser](rememberedClients)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	return &Guesses{callers: callers}
}

// Heard checks the credentials from an address, an IP without a port, by right, and records
// the result. heard is false if they were not checked, since too many wrong ones came before.
func (g *Guesses) Heard(address string, at time.Time, right func() bool) (heard, match bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	from := Network(address)
	caller, ok := g.callers.Get(from)
	if !ok {
		caller = &guesser{wrong: rate.NewLimiter(guessesPerSecond, guessesAtOnce)}
		g.callers.Add(from, caller)
	}
	if !caller.proven && caller.wrong.TokensAt(at) < 1 {
		return false, false
	}
	if right() {
		caller.proven = true
		return true, true
	}
	caller.wrong.AllowN(at, 1)
	return true, false
}
