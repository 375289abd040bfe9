package dispatchside

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// passengerName is the prefix of the passenger's name in every journey of a run, so that
// people in the dispatch office recognise test bookings.
const passengerName = "CONFORMANCE TEST"

// inventor makes up the data that a probe sends. The same seed and probe give the same data. Texts
// are unique, so that no prepared reply can match.
type inventor struct {
	*rand.Rand
	marks  *rand.Rand
	target *Target
	places *deal
}

func newInventor(t *Target, name string) inventor {
	h := fnv.New64a()
	h.Write([]byte(name))
	return inventor{rand.New(rand.NewPCG(t.Seed, h.Sum64())), rand.New(rand.NewPCG(t.nonce(), ^h.Sum64())), t, new(deal)}
}

// deal gives places in random order, each once before any is repeated, so that a pickup differs
// from its drop-off, and an edited place from the earlier one.
type deal struct {
	order []int
	given int
}

func (d *deal) next(in *rand.Rand, n int) int {
	if d.order == nil {
		d.order = in.Perm(n)
	}
	d.given++
	return d.order[(d.given-1)%n]
}

// uniqueText returns a short text that occurs nowhere else.
func (in inventor) uniqueText() string { return fmt.Sprintf("%08X", in.marks.Uint32()) }

func (in inventor) name() string { return passengerName + " " + in.uniqueText() }

// place makes up an address within about two kilometres of the centre, or returns one of
// those given.
func (in inventor) place() taxi.Address {
	if n := len(in.target.Places); n > 0 {
		return in.target.Places[in.places.next(in.Rand, n)]
	}
	const reach = 0.018 // degrees
	return taxi.Address{
		Address: fmt.Sprintf("%d Test Row %s, Leeds LS1 4DT", 1+in.IntN(200), in.uniqueText()),
		Location: &taxi.Point{
			Longitude: round(in.target.Centre.Longitude + (in.Float64()*2-1)*reach),
			Latitude:  round(in.target.Centre.Latitude + (in.Float64()*2-1)*reach),
		},
	}
}

// withDistinctStops returns a booking whose pickup differs from its first drop-off, if the given
// places allow, since a server may refuse a booking in which they are the same.
func (in inventor) withDistinctStops(booking object) object {
	stops, _ := booking["dropoffs"].([]taxi.Address)
	for range in.target.Places {
		if len(stops) == 0 || !reflect.DeepEqual(booking["pickup"], stops[0]) {
			break
		}
		booking = with(booking, object{"pickup": in.place()})
	}
	return booking
}

// round rounds to six decimals, which is a tenth of a metre.
func round(degrees float64) float64 { return float64(int64(degrees*1e6)) / 1e6 }

// pickup makes up a pickup time, at a whole minute about a week ahead, or a day if the server takes no booking a week ahead.
func (in inventor) pickup() time.Time {
	days := 7
	if in.target.lead.nearer.Load() {
		days = 1
	}
	return in.target.Now().UTC().Truncate(time.Minute).Add(time.Duration(days)*24*time.Hour + time.Duration(in.IntN(600))*time.Minute)
}

func (t *Target) nonce() uint64 { return cmp.Or(t.Nonce, t.Seed) }
