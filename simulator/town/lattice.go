package town

// Grid returns a lattice of n by n junctions with streets of uneven length and
// speed between them: an artificial town of exactly that size, for tests.
func Grid(n int) *Town {
	const gap = 100_000
	chance := newStream(1, "grid", n)
	half := int32(n) * gap / 2
	jitter := func() int32 { return int32(chance.below(gap/2)) - gap/4 }
	var nodes []XY
	for i := range int32(n * n) {
		nodes = append(nodes, XY{i%int32(n)*gap - half + jitter(), i/int32(n)*gap - half + jitter()})
	}
	t := builder{&Town{Name: "Gridley", Size: n * gap / 1000, frame: newFrame(northSea)}}
	var pieces []piece
	var streets []Street
	speeds := [...]int32{Main: mph40, Secondary: mph30, Minor: mph20}
	row := func(first, step int32) {
		class := Class(chance.below(3))
		streets = append(streets, Street{Class: class})
		for i := range int32(n - 1) {
			a, b := first+i*step, first+(i+1)*step
			p := piece{from: a, to: b, street: int32(len(streets) - 1), class: class, speed: speeds[class]}
			p.shape = []XY{nodes[a], nodes[b]}
			pieces = append(pieces, p)
		}
	}
	for i := range int32(n) {
		row(i*int32(n), 1)
		row(i, int32(n))
	}
	t.assemble(nodes, pieces, streets)
	t.buildIndexes(nil)
	return t.Town
}
