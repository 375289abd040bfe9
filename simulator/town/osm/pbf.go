package osm

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/town"
)

// ReadPBF reads streets, places and houses from an OpenStreetMap extract (.osm.pbf). It
// reads the file three times, for the places that relations outline, for the streets and then
// for their points, so that only what is used needs memory. The attribution is [town.OpenStreetMap] unless the options
// set another.
//
// It does not use a library, since it must handle any file: the usual library decodes in
// its own goroutines, where a malformed length ends the process.
func ReadPBF(r io.ReadSeeker, o town.ImportOptions) (*town.Town, error) {
	o = o.Defaulted()
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fmt.Errorf("read .osm.pbf: %w", err)
	}
	if size > o.MaxBytes {
		return nil, fmt.Errorf("read .osm.pbf: %w: %d bytes, at most %d", town.ErrTooLarge, size, o.MaxBytes)
	}
	x := extract{most: o.MaxPoints, outers: map[int64][]int{}}
	for _, pass := range []objects{{4: x.relation}, {3: x.way}, {1: x.node, 2: x.dense}} {
		if pass[1] != nil {
			x.listPoints()
		}
		if err := eachBlock(r, size, pass.visit); err != nil {
			return nil, fmt.Errorf("read .osm.pbf: %w", err)
		}
	}
	x.locateAreas()
	o.Attribution = cmp.Or(o.Attribution, town.OpenStreetMap)
	t, err := town.Import(x.assemble(), x.spots, o)
	if err != nil {
		return nil, fmt.Errorf("import .osm.pbf: %w", err)
	}
	return t, nil
}

// extract collects the streets of a file.
type extract struct {
	roads []town.Road
	refs  [][]int64 // parallel to roads: the ids of their points
	spotList
	outers map[int64][]int // by the id of a way: the spots that it outlines for a relation
	areas  []outline
	most   int
	total  int

	ids     []int64 // of the needed points, ascending
	at      []taxi.Point
	have    []bool
	barrier []bool
}

// outline is a spot that is mapped as a building or a site, with some of its corners.
type outline struct {
	spot    int // index into spotList.spots
	corners []int64
}

// objects maps the field number of a kind of objects in a block's groups to their handler.
type objects map[int]func(*pbfBlock, []byte) error

func (o objects) visit(b *pbfBlock) error {
	for _, group := range b.groups {
		err := eachField(group, func(field int, _ uint64, data []byte) error {
			if handle := o[field]; handle != nil {
				return handle(b, data)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// relation stores a spot that is mapped as a multipolygon. Its outer ways outline it.
func (x *extract) relation(b *pbfBlock, message []byte) error {
	const way = 1 // as the type of a member
	var keys, values, roles, ids, types []uint64
	if err := lists(message, map[int]*[]uint64{2: &keys, 3: &values, 8: &roles, 9: &ids, 10: &types}); err != nil {
		return err
	}
	e, err := b.entry(keys, values)
	if err != nil {
		return err
	}
	undelta(ids)
	spot := -1
	for i := range min(len(roles), len(ids), len(types)) {
		isInner := roles[i] < uint64(len(b.texts)) && string(b.texts[roles[i]]) == "inner"
		if types[i] != way || isInner {
			continue
		}
		if e.spot.At = outside; spot < 0 && (e.relation != "multipolygon" || !x.add(&e)) {
			return nil
		}
		if x.total++; x.total > x.most {
			return fmt.Errorf("%w: more than %d points", town.ErrTooLarge, x.most)
		}
		spot = len(x.spots) - 1
		x.outers[int64(ids[i])] = append(x.outers[int64(ids[i])], spot)
	}
	return nil
}

func (x *extract) way(b *pbfBlock, message []byte) error {
	var id int64
	var keys, values, refs []uint64
	err := eachField(message, func(field int, v uint64, data []byte) (err error) {
		switch field {
		case 1:
			id = int64(v)
		case 2:
			keys, err = packed(keys, data)
		case 3:
			values, err = packed(values, data)
		case 8:
			refs, err = packed(refs, data)
		}
		return err
	})
	if err != nil {
		return err
	}
	undelta(refs)
	for _, spot := range x.outers[id] {
		x.outline(spot, refs)
	}
	delete(x.outers, id) // a file that has the way again would outline without end
	e, err := b.entry(keys, values)
	switch {
	case err != nil:
		return err
	case e.road.Highway == "":
		if len(refs) > 0 && x.add(&e) {
			x.outline(len(x.spots)-1, refs)
		}
		return nil
	case !town.Drivable(e.road.Highway) || e.isClosed():
		return nil
	}
	if x.total += max(1, len(refs)); x.total > x.most {
		return fmt.Errorf("%w: more than %d points", town.ErrTooLarge, x.most)
	}
	ids := make([]int64, len(refs))
	for i, v := range refs {
		ids[i] = int64(v)
	}
	x.roads, x.refs = append(x.roads, e.road), append(x.refs, ids)
	return nil
}

// outline stores some corners of a spot.
func (x *extract) outline(spot int, refs []uint64) {
	const corners = 4
	a := outline{spot: spot}
	for i := range min(corners, len(refs)) {
		a.corners = append(a.corners, int64(refs[i*len(refs)/min(corners, len(refs))]))
	}
	x.areas = append(x.areas, a)
}

// listPoints lists the needed points, before the last pass.
func (x *extract) listPoints() {
	x.ids = make([]int64, 0, x.total)
	for _, refs := range x.refs {
		x.ids = append(x.ids, refs...)
	}
	for _, a := range x.areas {
		x.ids = append(x.ids, a.corners...)
	}
	slices.Sort(x.ids)
	x.ids = slices.Compact(x.ids)
	x.at, x.have, x.barrier = make([]taxi.Point, len(x.ids)), make([]bool, len(x.ids)), make([]bool, len(x.ids))
}

func (x *extract) node(b *pbfBlock, message []byte) error {
	var id, lat, lon int64
	var keys, values []uint64
	err := eachField(message, func(field int, v uint64, data []byte) (err error) {
		switch field {
		case 1:
			id = protowire.DecodeZigZag(v)
		case 2:
			keys, err = packed(keys, data)
		case 3:
			values, err = packed(values, data)
		case 8:
			lat = protowire.DecodeZigZag(v)
		case 9:
			lon = protowire.DecodeZigZag(v)
		}
		return err
	})
	if err != nil {
		return err
	}
	at := b.point(lat, lon)
	return x.keep(b, id, keys, values, at)
}

// keep stores a node if a street needs it, or its tags make it a spot.
func (x *extract) keep(b *pbfBlock, id int64, keys, values []uint64, at taxi.Point) error {
	i, needed := slices.BinarySearch(x.ids, id)
	if needed {
		x.at[i], x.have[i] = at, true
	}
	if len(keys) == 0 {
		return nil
	}
	e, err := b.entry(keys, values)
	if err != nil {
		return err
	}
	if needed {
		x.barrier[i] = e.isBarrier()
	}
	e.spot.At = at
	x.add(&e)
	return nil
}

// dense parses nodes that are stored as columns of differences.
func (x *extract) dense(b *pbfBlock, message []byte) error {
	var ids, lats, lons, tags []uint64
	if err := lists(message, map[int]*[]uint64{1: &ids, 8: &lats, 9: &lons, 10: &tags}); err != nil {
		return err
	}
	if len(ids) != len(lats) || len(ids) != len(lons) {
		return fmt.Errorf("%w: %d nodes with %d latitudes and %d longitudes", errWire, len(ids), len(lats), len(lons))
	}
	undelta(ids)
	undelta(lats)
	undelta(lons)
	var keys, values []uint64
	for i := range ids {
		at := b.point(int64(lats[i]), int64(lons[i]))
		keys, values, tags = nextTags(keys[:0], values[:0], tags)
		if err := x.keep(b, int64(ids[i]), keys, values, at); err != nil {
			return err
		}
	}
	return nil
}

// nextTags splits off the tags of one node from a column: pairs of key and value with a
// zero after the last.
func nextTags(keys, values, tags []uint64) (k, v, rest []uint64) {
	for len(tags) > 0 && tags[0] != 0 {
		keys = append(keys, tags[0])
		values = append(values, tags[1:min(2, len(tags))]...)
		tags = tags[min(2, len(tags)):]
	}
	return keys, values, tags[min(1, len(tags)):]
}

// outside is the pole, where no street is near: an area outside the extract stays there.
var outside = taxi.Point{Latitude: 90}

// locateAreas sets the position of areas to the middle of their corners.
func (x *extract) locateAreas() {
	corners := map[int][]taxi.Point{}
	for _, a := range x.areas {
		x.spots[a.spot].At = outside
		for _, id := range a.corners {
			if k, _ := slices.BinarySearch(x.ids, id); x.have[k] {
				corners[a.spot] = append(corners[a.spot], x.at[k])
			}
		}
	}
	for spot, points := range corners {
		x.spots[spot].At = middle(points)
	}
}

// assemble sets the points of the streets. At the edge of an extract, the points outside
// are missing; a street ends there and may begin again, as at a barrier.
func (x *extract) assemble() []town.Road {
	var roads []town.Road
	for i, refs := range x.refs {
		road := x.roads[i]
		for _, id := range refs {
			k, _ := slices.BinarySearch(x.ids, id)
			if x.have[k] && !x.barrier[k] {
				road.Points = append(road.Points, x.at[k])
				continue
			}
			roads = append(roads, road)
			road.Points = nil
		}
		roads = append(roads, road)
	}
	return roads
}
