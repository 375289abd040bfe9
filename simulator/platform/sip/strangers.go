package sip

import (
	"net/netip"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// How many messages those may send who have neither logged in nor called nor been called.
const (
	strangersASecond = 500 // all of them
	strangerASecond  = 50  // one address, or the network of an IPv6 one
	strangerAtOnce   = 200
	mostAddresses    = 4096 // that are remembered

	mostKnown      = mostBound + time.Minute // after the last login or call
	strangerWithin = 30 * time.Second        // a connection by TCP ends if nobody has logged in or called on it
)

// paces bound how many messages come. A flood of those who are not known takes nothing from those
// who are: an address and port that a telephone has logged in or called from, an address that a
// trunk has called from, and whoever the platform calls.
type paces struct {
	all, strangers *rate.Limiter
	each           *lru.Cache[netip.Prefix, *rate.Limiter]
	known          *lru.Cache[netip.AddrPort, time.Time] // until when; port 0 stands for each port
}

func newPaces() paces {
	return paces{
		all: rate.NewLimiter(messagesASecond, 2*messagesASecond), strangers: rate.NewLimiter(strangersASecond, 2*strangersASecond),
		each: cacheOf[netip.Prefix, *rate.Limiter](), known: cacheOf[netip.AddrPort, time.Time](),
	}
}

func cacheOf[K comparable, V any]() *lru.Cache[K, V] {
	cache, err := lru.New[K, V](mostAddresses)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	return cache
}

// meet notes that an address is known from now on, for a while.
func (p *paces) meet(at netip.AddrPort, now time.Time) { p.known.Add(at, now.Add(mostKnown)) }

// knows reports whether an address is known.
func (p *paces) knows(at netip.AddrPort, now time.Time) bool {
	for _, port := range []uint16{at.Port(), 0} {
		if until, ok := p.known.Get(netip.AddrPortFrom(at.Addr(), port)); ok && until.After(now) {
			return true
		}
	}
	return false
}

// allow reports whether another message of an address is taken.
func (p *paces) allow(at netip.AddrPort, now time.Time) bool {
	if !p.knows(at, now) && (!p.limiter(at.Addr()).AllowN(now, 1) || !p.strangers.AllowN(now, 1)) {
		return false
	}
	return p.all.AllowN(now, 1)
}

// limiter is that of an address. It is used by several transports at once.
func (p *paces) limiter(a netip.Addr) *rate.Limiter {
	bits := a.BitLen()
	if a.Is6() {
		bits = 64
	}
	network, _ := a.Prefix(bits) // an address has so many bits
	if known, had := p.each.Get(network); had {
		return known
	}
	made := rate.NewLimiter(strangerASecond, strangerAtOnce)
	if known, had, _ := p.each.PeekOrAdd(network, made); had {
		return known
	}
	return made
}
