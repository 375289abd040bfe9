package sip

import (
	"net/netip"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// Limits of messages, per second and at once. A stranger has neither logged in nor called, and has not been called.
const (
	strangersASecond = 500 // all of them
	strangerASecond  = 50  // one address, or the network of an IPv6 one
	strangerAtOnce   = 200
	knownASecond     = 200 // one address and port that is known
	knownAtOnce      = 400
	knownHost        = 1000 // one address, from all ports that are known
	mostAddresses    = 4096 // that are remembered

	mostKnown      = mostBound + time.Minute // after the last login or call
	strangerWithin = 30 * time.Second        // a connection by TCP ends if nobody has logged in or called on it
)

// paces limits the rate of messages. Known addresses have limits of their own, so that a flood of messages from
// unknown ones, or from one known one, does not affect the others. Known are an address and port from which a
// telephone has logged in or called, an address from which a trunk has called, and each address that the platform
// calls.
type paces struct {
	all, strangers *rate.Limiter
	each, hosts    *lru.Cache[netip.Prefix, *rate.Limiter]   // hosts: those that are known
	friends        *lru.Cache[netip.AddrPort, *rate.Limiter] // those that are known
	known          *lru.Cache[netip.AddrPort, time.Time]     // until when; port 0 stands for each port
}

func newPaces() paces {
	return paces{
		all: rate.NewLimiter(messagesASecond, 2*messagesASecond), strangers: rate.NewLimiter(strangersASecond, 2*strangersASecond),
		each: cacheOf[netip.Prefix, *rate.Limiter](), hosts: cacheOf[netip.Prefix, *rate.Limiter](), friends: cacheOf[netip.AddrPort, *rate.Limiter](), known: cacheOf[netip.AddrPort, time.Time](),
	}
}

func cacheOf[K comparable, V any]() *lru.Cache[K, V] {
	cache, err := lru.New[K, V](mostAddresses)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	return cache
}

// meet marks an address as known for the duration mostKnown.
func (p *paces) meet(at netip.AddrPort, now time.Time) { p.known.Add(at, now.Add(mostKnown)) }

// knows reports whether an address is known, with its own port or with all ports.
func (p *paces) knows(at netip.AddrPort, now time.Time) bool {
	return p.isKnownPort(at, now) || p.isKnownPort(netip.AddrPortFrom(at.Addr(), 0), now)
}

// isKnownPort reports whether this port of an address is known. A call of a trunk from the address does not make all
// connections from there known.
func (p *paces) isKnownPort(at netip.AddrPort, now time.Time) bool {
	until, ok := p.known.Get(at)
	return ok && until.After(now)
}

// allow reports whether one more message of an address is within the limits.
func (p *paces) allow(at netip.AddrPort, now time.Time) bool {
	switch {
	case p.knows(at, now):
		if !limiterOf(p.friends, at, knownASecond, knownAtOnce).AllowN(now, 1) || !limiterOf(p.hosts, networkOf(at.Addr()), knownHost, 2*knownHost).AllowN(now, 1) {
			return false
		}
	case !limiterOf(p.each, networkOf(at.Addr()), strangerASecond, strangerAtOnce).AllowN(now, 1) || !p.strangers.AllowN(now, 1):
		return false
	}
	return p.all.AllowN(now, 1)
}

// networkOf returns an IPv4 address, or the /64 network of an IPv6 address, as a prefix.
func networkOf(a netip.Addr) netip.Prefix {
	bits := a.BitLen()
	if a.Is6() {
		bits = 64
	}
	network, _ := a.Prefix(bits) // an address has so many bits
	return network
}

// limiterOf returns the limiter of an address or network, and creates it if necessary. Several transports call it
// concurrently.
func limiterOf[K comparable](all *lru.Cache[K, *rate.Limiter], who K, aSecond rate.Limit, atOnce int) *rate.Limiter {
	if known, had := all.Get(who); had {
		return known
	}
	made := rate.NewLimiter(aSecond, atOnce)
	if known, had, _ := all.PeekOrAdd(who, made); had {
		return known
	}
	return made
}
