package town

func newScenery(f *field, parks []park) scenery {
	s := scenery{outline: f.outline(), water: int32(f.river.half * 2000)}
	for _, p := range f.river.line(0) {
		s.river = append(s.river, p.mm())
	}
	for _, k := range parks {
		var rim []XY
		for _, p := range k.loop(0, 10) {
			rim = append(rim, p.mm())
		}
		s.parks = append(s.parks, rim)
	}
	return s
}

// railway returns the line through the station, which passes the middle of the
// town at the side and bends away from it. Where an imported town's runs is not known.
func (t *Town) railway() []XY {
	station, ok := t.PlaceOf(Station)
	if !ok || t.isImported() {
		return nil
	}
	at := metres(station.At)
	out := at.unit()
	var line []XY
	const parts = 60
	size := float64(t.Size)
	for i := range parts + 1 {
		run := (float64(i)/parts - 0.5) * 2 * size
		bend := float64(run*run) / (3 * size)
		line = append(line, at.add(out.left().times(run)).add(out.times(bend)).mm())
	}
	return line
}
