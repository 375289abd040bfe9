package town

import (
	"math"
	"slices"
	"strings"
)

// site says where a place of a generated town wants to be: on a street by name,
// beside another place, or some way out from the middle on the classes of
// street from widest to narrowest.
type site struct {
	kind      PlaceKind
	name      string // with the town's name for a star
	weight    int
	street    string
	beside    PlaceKind
	out       float64 // in halves of the map
	widest    Class
	narrowest Class
}

var sites = []site{
	{kind: TownHall, name: "Town Hall", weight: 6, street: HighStreet},
	{kind: Station, name: "* Station", weight: 30, street: StationRoad},
	{kind: Airport, name: "* Airport", weight: 18, out: 0.92},
	{kind: Hospital, name: "St Brigid's Hospital", weight: 16, out: 0.5, narrowest: Secondary},
	{kind: University, name: "University of *", weight: 10, out: 0.38, widest: Secondary, narrowest: Secondary},
	{kind: Stadium, name: "Ropery Park Stadium", weight: 5, out: 0.6, widest: Secondary, narrowest: Secondary},
	{kind: RetailPark, name: "Larkfield Retail Park", weight: 10, out: 0.68},
	{kind: Harbour, name: "* Harbour", weight: 4, out: 0.5},
	{kind: Hotel, name: "Grand Hotel", weight: 7, out: 0.1, narrowest: Secondary},
	{kind: Hotel, name: "Railway Hotel", weight: 7, beside: Station, narrowest: Minor},
	{kind: Pub, name: "The Dun Cow", weight: 4, out: 0.08, widest: Secondary, narrowest: Minor},
	{kind: Pub, name: "The Royal Oak", weight: 4, out: 0.2, widest: Secondary, narrowest: Minor},
	{kind: Pub, name: "The Jolly Sailor", weight: 4, beside: Harbour, widest: Secondary, narrowest: Minor},
	{kind: Pub, name: "The Wheatsheaf", weight: 3, out: 0.33, widest: Secondary, narrowest: Minor},
	{kind: Pub, name: "The Lamb and Flag", weight: 3, out: 0.42, widest: Secondary, narrowest: Minor},
	{kind: Pub, name: "The Blue Boar", weight: 3, out: 0.55, widest: Secondary, narrowest: Minor},
	{kind: Rank, name: "Station Rank", beside: Station, narrowest: Minor},
	{kind: Rank, name: "High Street Rank", street: HighStreet},
	{kind: Rank, name: "Hospital Rank", beside: Hospital, narrowest: Minor},
	{kind: Rank, name: "Airport Rank", beside: Airport},
}

// placeSites puts the places of a generated town beside its streets.
func (t *Town) placeSites() {
	for i, s := range sites {
		chance := newStream(t.Seed, "places", i)
		k := t.siteKerb(s, chance)
		t.addPlace(s.kind, strings.ReplaceAll(s.name, "*", t.Name), s.weight, k, chance)
	}
}

// siteKerb chooses where a site meets the street.
func (t *Town) siteKerb(s site, chance *stream) Kerb {
	if s.street != "" {
		for i := range t.Streets {
			if st := &t.Streets[i]; st.Name == s.street {
				return t.kerbAlong(int32(i), st.Length/10*int32(3+chance.below(5)))
			}
		}
	}
	bearing := chance.between(0, 2*math.Pi)
	if s.kind == Airport {
		bearing = chance.between(-0.9, 0.9) // in the east, where the map has no legend
	}
	at := direction(bearing).times(s.out * float64(t.Size) / 2).mm()
	if p, ok := t.PlaceOf(s.beside); ok {
		step := direction(chance.between(0, 2*math.Pi)).times(90).mm()
		near := t.At(p.Kerb)
		at = XY{near.X + step.X, near.Y + step.Y}
	}
	k, ok := t.nearestKerb(at, func(link int32) bool {
		l := &t.Links[link]
		switch {
		case slices.ContainsFunc(t.Places, func(p Place) bool { return p.Kerb.Link == link }):
			return false // no two places at one point
		case s.kind == Airport:
			return l.Speed == mph60 && t.roomForRunway(l)
		case s.kind == Harbour:
			return t.Streets[l.Street].kind == embankment && l.Length > 50_000
		default:
			return l.Class >= s.widest && l.Class <= s.narrowest && l.Length > 50_000 && !l.Bridge
		}
	})
	if !ok { // a village may have no embankment
		k, _ = t.nearestKerb(at, func(int32) bool { return true })
	}
	return k
}

// nearestKerb returns the middle of the fitting link nearest to p, and whether
// any fits.
func (t *Town) nearestKerb(p XY, fits func(link int32) bool) (Kerb, bool) {
	best, bestD := Kerb{}, int64(math.MaxInt64)
	for i := range t.Links {
		k := Kerb{int32(i), t.Links[i].Length / 2}
		if !fits(k.Link) {
			continue
		}
		if d := distance2(p, t.At(k)); d < bestD {
			best, bestD = k, d
		}
	}
	return best, bestD < math.MaxInt64
}

// roomForRunway reports whether a link is well away from the river.
func (t *Town) roomForRunway(l *Link) bool {
	at, room := t.shape[(l.first+l.last)/2], int64(t.Size)*90
	return !slices.ContainsFunc(t.scenery.river, func(p XY) bool { return distance2(at, p) < room*room })
}

// addPlace puts a place beside a kerb, behind the doors.
func (t *Town) addPlace(kind PlaceKind, name string, weight int, k Kerb, chance *stream) {
	away := int64(24_000)
	switch kind {
	case Airport:
		away = int64(t.Size) * 20
	case Pub:
		away = 13_000
	case Rank:
		away = 3_000
	}
	v := t.vertex(k)
	at := t.beside(v, t.At(k), chance.below(2) == 0, away)
	if kind == Airport {
		at = t.outer(t.beside(v, t.At(k), true, away), t.beside(v, t.At(k), false, away))
	}
	l := &t.Links[k.Link]
	s := &t.Streets[l.Street]
	text := name + ", " + t.ending(s, min((l.at+k.Offset)/plot, s.plots-1))
	t.Places = append(t.Places, Place{Address: Address{text, at, k}, Kind: kind, Name: name, Weight: weight})
}

// outer returns which of two points is further from the middle, as long as it
// is on the map with some room to spare.
func (t *Town) outer(a, b XY) XY {
	if distance2(a, XY{}) < distance2(b, XY{}) {
		a, b = b, a
	}
	if max(a.X, -a.X, a.Y, -a.Y) > int32(t.Size)*450 {
		return b
	}
	return a
}

// nameAndPlace gives a generated town its names, house numbers, postcodes and places.
func (t *Town) nameAndPlace() {
	called := townNames[(t.Seed-1)%uint64(len(townNames))]
	t.Name, t.scenery.riverName = called.town, called.river
	t.nameStreets()
	t.numberDoors()
	t.assignPostcodes()
	t.placeSites()
	t.speech = newLexicon(t)
}
