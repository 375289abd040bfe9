package simulator

import (
	"slices"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/town"
)

// placesOf lists a town's places as the fixtures list theirs.
func placesOf(t *town.Town) []fixtures.Place {
	all := make([]fixtures.Place, len(t.Places))
	for i, p := range t.Places {
		all[i] = fixtures.Place{Address: t.Wire(p.Address), Name: p.Name, Kind: string(p.Kind)}
	}
	return all
}

// gazetteer is what a world's dispatch system lists.
func gazetteer(o *Options) dispatch.Gazetteer {
	g := dispatch.Gazetteer{Places: make([]dispatch.Place, len(o.Places))}
	if o.Town != nil {
		g.Town = o.Town.Name
	}
	for i, p := range o.Places {
		g.Places[i] = dispatch.Place{Name: p.Name, Kind: p.Kind, Address: p.Address}
	}
	return g
}

// airports are the places with fixed prices.
func airports(places []fixtures.Place) []Spot {
	var all []Spot
	for _, p := range places {
		if p.Kind == string(town.Airport) {
			all = append(all, SpotOf(*p.Location))
		}
	}
	return all
}

// localAddress puts an address of the fixtures' town into this world's: a place of the
// same kind if there is one, else some other. Anything else stays as it is.
func (w *World) localAddress(a *taxi.Address) *taxi.Address {
	if w.town == nil || len(w.places) == 0 {
		return a
	}
	theirs := fixtures.Places()
	i := slices.IndexFunc(theirs, func(p fixtures.Place) bool { return p.Address.Address == a.Address })
	if i < 0 {
		return a
	}
	here := w.places[i%len(w.places)].Address
	if same := slices.IndexFunc(w.places, func(p fixtures.Place) bool { return p.Kind == theirs[i].Kind }); same >= 0 {
		here = w.places[same].Address
	}
	return &here
}
