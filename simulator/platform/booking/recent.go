package booking

import (
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// history is where a caller went lately, the latest first.
type history struct {
	places []Place
	ends   []ends
}

// ends are where a trip began and ended.
type ends struct{ pickup, dropoff taxi.Address }

// mostEnds is how many trips of a caller are kept.
const mostEnds = 6

// recent are the places that a caller was picked up at or went to lately, the
// latest first.
func (d *Desk) recent(account string, number taxi.E164) []Place {
	return d.history(account, number).places
}

func (d *Desk) history(account string, number taxi.E164) history {
	if number == "" {
		return history{}
	}
	h, _ := d.lately.Get(account + " " + string(number))
	return h
}

// remember keeps the places of a trip, for the next time.
func (d *Desk) remember(account string, number taxi.E164, t Trip) {
	if number == "" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	h := d.history(account, number)
	for _, a := range slices.Backward(append([]taxi.Address{t.Pickup}, t.Dropoffs...)) {
		others := slices.DeleteFunc(slices.Clone(h.places), func(p Place) bool { return samePlace(p.Address, a) })
		h.places = append([]Place{{Address: a}}, others...)
	}
	h.places = h.places[:min(len(h.places), mostRecent)]
	if len(t.Dropoffs) == 1 && t.Edit == nil {
		h.ends = append([]ends{{t.Pickup, t.Dropoffs[0]}}, h.ends[:min(len(h.ends), mostEnds-1)]...)
	}
	d.lately.Add(account+" "+string(number), h)
}
