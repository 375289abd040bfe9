package room

import (
	"net"
	"net/http"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"github.com/cabrank/cabrank/dispatch/inbound"
)

// Limits of the rate of requests. A page requests its view about twice a second.
const (
	actsPerSecond = 8 // for each guest
	actsAtOnce    = 40

	asksPerSecond = 30 // for each address, which several guests may share
	asksAtOnce    = 200

	joinsPerSecond = 0.2 // for each address
	joinsAtOnce    = 10

	mostAddresses = 4096 // whose limits are remembered
)

// paces limits the rates of requests by address.
type paces struct {
	asks, joins *lru.Cache[string, *rate.Limiter]
}

func newPaces() *paces {
	made := func() *lru.Cache[string, *rate.Limiter] {
		cache, err := lru.New[string, *rate.Limiter](mostAddresses)
		if err != nil {
			panic(err) // only for a size that is not positive
		}
		return cache
	}
	return &paces{asks: made(), joins: made()}
}

// mayAsk and mayJoin report whether a request is within the limit of its address.
func (p *paces) mayAsk(r *http.Request, at time.Time) bool {
	return limiter(p.asks, r, asksPerSecond, asksAtOnce).AllowN(at, 1)
}

func (p *paces) mayJoin(r *http.Request, at time.Time) bool {
	return limiter(p.joins, r, joinsPerSecond, joinsAtOnce).AllowN(at, 1)
}

func limiter(of *lru.Cache[string, *rate.Limiter], r *http.Request, limit rate.Limit, burst int) *rate.Limiter {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	made := rate.NewLimiter(limit, burst)
	if known, had, _ := of.PeekOrAdd(inbound.Network(host), made); had {
		return known
	}
	return made
}
