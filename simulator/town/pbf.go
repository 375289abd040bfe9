package town

import (
	"fmt"
	"io"
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// ImportPBF reads streets from an OpenStreetMap extract (.osm.pbf). It goes
// over the file twice, for the streets and then for the points they are made
// of, so memory is needed for the streets alone.
//
// The reader is our own because it must survive any file: the usual library
// decodes in goroutines of its own, where a malformed length ends the process.
func ImportPBF(r io.ReadSeeker, o ImportOptions) (*Town, error) {
	o = o.Defaulted()
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fmt.Errorf("read .osm.pbf: %w", err)
	}
	if size > o.MaxBytes {
		return nil, fmt.Errorf("read .osm.pbf: %w: %d bytes, at most %d", ErrTooLarge, size, o.MaxBytes)
	}
	x := extract{most: o.MaxPoints}
	for _, pass := range []func(*pbfBlock) error{x.ways, x.points} {
		if err := eachBlock(r, pass); err != nil {
			return nil, fmt.Errorf("read .osm.pbf: %w", err)
		}
		x.wanted()
	}
	t, err := Import(x.assemble(), o)
	if err != nil {
		return nil, fmt.Errorf("import .osm.pbf: %w", err)
	}
	return t, nil
}

// extract gathers the streets of a file.
type extract struct {
	roads []Road
	refs  [][]int64 // parallel to roads: the ids of their points
	most  int
	total int

	ids  []int64 // of the points wanted, ascending
	at   []taxi.Point
	have []bool
}

// ways is the first pass.
func (x *extract) ways(b *pbfBlock) error {
	for _, group := range b.groups {
		err := eachField(group, func(field int, _ uint64, data []byte) error {
			if field != 3 {
				return nil
			}
			return x.way(b, data)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (x *extract) way(b *pbfBlock, message []byte) error {
	var keys, values, refs []uint64
	err := eachField(message, func(field int, _ uint64, data []byte) (err error) {
		switch field {
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
	road, err := b.road(keys, values)
	if err != nil || road.Highway == "" || !Drivable(road.Highway) {
		return err
	}
	if x.total += len(refs); x.total > x.most {
		return fmt.Errorf("%w: more than %d points", ErrTooLarge, x.most)
	}
	running(refs)
	ids := make([]int64, len(refs))
	for i, v := range refs {
		ids[i] = int64(v)
	}
	x.roads, x.refs = append(x.roads, road), append(x.refs, ids)
	return nil
}

// wanted lists the points of all streets, between the passes.
func (x *extract) wanted() {
	if x.ids != nil {
		return
	}
	x.ids = make([]int64, 0, x.total)
	for _, refs := range x.refs {
		x.ids = append(x.ids, refs...)
	}
	slices.Sort(x.ids)
	x.ids = slices.Compact(x.ids)
	x.at, x.have = make([]taxi.Point, len(x.ids)), make([]bool, len(x.ids))
}

// points is the second pass.
func (x *extract) points(b *pbfBlock) error {
	for _, group := range b.groups {
		err := eachField(group, func(field int, _ uint64, data []byte) error {
			switch field {
			case 1:
				return x.node(b, data)
			case 2:
				return x.dense(b, data)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (x *extract) node(b *pbfBlock, message []byte) error {
	var id, lat, lon int64
	err := eachField(message, func(field int, v uint64, _ []byte) error {
		switch field {
		case 1:
			id = zigzag(v)
		case 8:
			lat = zigzag(v)
		case 9:
			lon = zigzag(v)
		}
		return nil
	})
	x.keep(b, id, lat, lon)
	return err
}

// dense reads nodes that are stored as columns of differences.
func (x *extract) dense(b *pbfBlock, message []byte) error {
	var ids, lats, lons []uint64
	err := eachField(message, func(field int, _ uint64, data []byte) (err error) {
		switch field {
		case 1:
			ids, err = packed(ids, data)
		case 8:
			lats, err = packed(lats, data)
		case 9:
			lons, err = packed(lons, data)
		}
		return err
	})
	if err != nil {
		return err
	}
	if len(ids) != len(lats) || len(ids) != len(lons) {
		return fmt.Errorf("%w: %d nodes with %d latitudes and %d longitudes", errWire, len(ids), len(lats), len(lons))
	}
	running(ids)
	running(lats)
	running(lons)
	for i := range ids {
		x.keep(b, int64(ids[i]), int64(lats[i]), int64(lons[i]))
	}
	return nil
}

func (x *extract) keep(b *pbfBlock, id, lat, lon int64) {
	if i, ok := slices.BinarySearch(x.ids, id); ok {
		x.at[i] = taxi.Point{
			Latitude:  float64(b.lat+b.granularity*lat) / 1e9,
			Longitude: float64(b.lon+b.granularity*lon) / 1e9,
		}
		x.have[i] = true
	}
}

// assemble gives the streets their points. Where an extract was cut off, the
// points outside are missing; a street ends there and may begin again.
func (x *extract) assemble() []Road {
	var roads []Road
	for i, refs := range x.refs {
		road := x.roads[i]
		for _, id := range refs {
			k, _ := slices.BinarySearch(x.ids, id)
			if x.have[k] {
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
