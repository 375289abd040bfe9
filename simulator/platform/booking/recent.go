package booking

import (
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// recent are the places that a caller was picked up at or went to lately, the
// latest first.
func (d *Desk) recent(account string, number taxi.E164) []Place {
	if number == "" {
		return nil
	}
	places, _ := d.lately.Get(account + " " + string(number))
	return places
}

// remember keeps the places of a trip, for the next time.
func (d *Desk) remember(account string, number taxi.E164, t Trip) {
	if number == "" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	places := d.recent(account, number)
	for _, a := range slices.Backward(append([]taxi.Address{t.Pickup}, t.Dropoffs...)) {
		others := slices.DeleteFunc(slices.Clone(places), func(p Place) bool { return samePlace(p.Address, a) })
		places = append([]Place{{Address: a}}, others...)
	}
	d.lately.Add(account+" "+string(number), places[:min(len(places), mostRecent)])
}
