package booking

import (
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// history contains a caller's recent places and trips, latest first.
type history struct {
	places []Place
	ends   []ends
}

// ends are the pickup and the last drop-off of a trip.
type ends struct{ pickup, dropoff taxi.Address }

// mostEnds limits how many trips of a caller are stored.
const mostEnds = 6

// recent returns the places of a caller's recent trips, latest first.
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

// remember stores the places of a trip in the caller's history; without a number it does nothing.
func (d *Desk) remember(account string, number taxi.E164, t Trip) {
	if number == "" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	h := d.history(account, number)
	for _, a := range slices.Backward(append([]taxi.Address{t.Pickup}, t.Dropoffs...)) {
		others := slices.DeleteFunc(slices.Clone(h.places), func(p Place) bool { return sameDoor(p.Address, a) })
		h.places = append([]Place{{Address: a}}, others...)
	}
	h.places = h.places[:min(len(h.places), mostRecent)]
	if len(t.Dropoffs) == 1 && t.Edit == nil {
		h.ends = append([]ends{{t.Pickup, t.Dropoffs[0]}}, h.ends[:min(len(h.ends), mostEnds-1)]...)
	}
	d.lately.Add(account+" "+string(number), h)
}
