package town

// Picture is the content of a map of the town besides its places: lines and areas on the
// town's plane. An imported town has only streets.
type Picture struct {
	Outline   []XY   // edge of the built-up area, not closed
	Parks     [][]XY // their rims, not closed
	River     []XY   // its middle
	RiverName string
	Water     int64 // width of the river in millimetres
	Rail      []XY  // the railway, which goes on beyond the map
	Runway    Runway
	Streets   []StreetPicture // the widest class first
}

// Runway is the airport's runway, a straight line, without ends where there is no airport.
type Runway struct {
	Ends         []XY
	Width, Apron int64 // of the strip, and of the ground around it, in millimetres
}

// StreetPicture is the part of a street that has one class, as few lines as possible.
type StreetPicture struct {
	Name  string // "": a map shows none
	Class Class
	Width int64 // in millimetres, as it is drawn
	Lines [][]XY
}

// Picture returns what a map of the town shows.
func (t *Town) Picture() Picture {
	p := t.picture
	p.Streets = t.streetPictures()
	return p
}

// streetPictures joins the links of each street and class that follow one another.
func (t *Town) streetPictures() []StreetPicture {
	var all []StreetPicture
	for class := Main; class <= Minor; class++ {
		for i := range t.Streets {
			s := &t.Streets[i]
			p := StreetPicture{Name: s.Name, Class: class, Width: class.Width()}
			if s.HasNoName() {
				p.Name = ""
			}
			for _, l := range s.Links {
				if t.Links[l].Class == class {
					p.add(t.Shape(l))
				}
			}
			if len(p.Lines) > 0 {
				all = append(all, p)
			}
		}
	}
	return all
}

// add adds the shape of a link, and continues the last line if the shape begins at its end.
func (p *StreetPicture) add(shape []XY) {
	if last := len(p.Lines) - 1; last >= 0 {
		if line := p.Lines[last]; line[len(line)-1] == shape[0] {
			p.Lines[last] = append(line, shape[1:]...)
			return
		}
	}
	p.Lines = append(p.Lines, append([]XY(nil), shape...))
}

// Mark returns how a map marks places of a kind: a letter on a disc of a colour (#rrggbb).
// Both are "" for an unknown kind.
func (k PlaceKind) Mark() (letter, colour string) {
	m := placeMarks[k]
	return m.letter, m.colour
}

// placeMarks of the kinds of place: a letter on a disc of a colour.
var placeMarks = map[PlaceKind]struct{ letter, colour string }{
	Station:    {"S", "#3d5a98"},
	Airport:    {"A", "#3d5a98"},
	Hospital:   {"H", "#b8352f"},
	University: {"U", "#7a5195"},
	Stadium:    {"O", "#4f8a3c"},
	RetailPark: {"R", "#b06a1e"},
	Hotel:      {"B", "#2f7f86"},
	Pub:        {"P", "#8a6d3b"},
	Rank:       {"T", "#1f1f1f"},
	TownHall:   {"C", "#7a5195"},
	Harbour:    {"Q", "#3d5a98"},
}

// Width returns the width with which a map draws streets of the class, in millimetres.
func (c Class) Width() int64 {
	return [...]int64{Main: 20_000, Secondary: 14_000, Minor: 9_500}[c]
}

// String returns the name of the class.
func (c Class) String() string {
	return [...]string{Main: "main", Secondary: "secondary", Minor: "minor"}[c]
}
