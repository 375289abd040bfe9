package host

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/simulator/town/osm"
)

// The sizes of a town that is made: the side of the square it lies in, in metres.
const (
	SmallestTown = 2_000
	LargestTown  = 30_000
)

// MaxImport is how large a map may be that is read, in bytes.
const MaxImport = 256 << 20

// Streets returns the town of a name: a number of metres is a town of that size
// which grows from the seed, a path that ends in .geojson, .json or .pbf is a map
// that is read, and "none" is nil, straight lines everywhere.
func Streets(name string, seed uint64) (*town.Town, error) {
	if name == "none" {
		return nil, nil
	}
	size, err := strconv.Atoi(name)
	if err != nil {
		t, err := ImportTown(name)
		if err != nil {
			return nil, refuseFor("town", err)
		}
		return t, nil
	}
	if size < SmallestTown || size > LargestTown {
		return nil, refuse("town", " is %d metres, want %d to %d, a file, or none", size, SmallestTown, LargestTown)
	}
	return town.Generate(town.Options{Seed: seed, Size: size}), nil
}

// beginStreets begins to make the streets beside the opening of the database, which
// mostly waits for the disk. The function returned waits for them; a database that was
// begun with another seed has other streets.
func (h *Host) beginStreets() func() (*town.Town, error) {
	seed := h.config.GrowsFrom()
	if h.deps.FreshSeed != nil { // it is not known yet
		return func() (*town.Town, error) { return h.streets(h.config.GrowsFrom()) }
	}
	type streets struct {
		town *town.Town
		err  error
	}
	made := make(chan streets, 1)
	go func() { // ends when the town is made; made has room for it
		t, err := h.streets(seed)
		made <- streets{t, err}
	}()
	return func() (*town.Town, error) {
		if s := <-made; h.config.GrowsFrom() == seed {
			return s.town, s.err
		}
		return h.streets(h.config.GrowsFrom())
	}
}

// streets returns the host's town as it grows from a seed.
func (h *Host) streets(seed uint64) (*town.Town, error) {
	if h.deps.Streets != nil {
		return h.deps.Streets(h.config.Town, seed)
	}
	return Streets(h.config.Town, seed)
}

// ImportTown reads a user's own streets; the file's ending says what it is.
func ImportTown(path string) (*town.Town, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	defer file.Close()
	options := town.ImportOptions{MaxBytes: MaxImport}
	var t *town.Town
	switch {
	case strings.HasSuffix(path, ".pbf"):
		t, err = osm.ReadPBF(file, options)
	case strings.HasSuffix(path, ".geojson"), strings.HasSuffix(path, ".json"):
		t, err = osm.ReadGeoJSON(file, options)
	default:
		return nil, fmt.Errorf("import %s: want a .geojson or .osm.pbf file", path)
	}
	if err != nil {
		return nil, fmt.Errorf("import %s: %w", path, err)
	}
	return t, nil
}
