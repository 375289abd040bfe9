package host

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/simulator/town/osm"
)

// The sizes of a generated town: the side of its square, in metres.
const (
	SmallestTown = 2_000
	LargestTown  = 30_000
)

// MaxImport is the largest size of a map file, in bytes.
const MaxImport = 256 << 20

// Streets returns the town with a name: a number of metres is a town of that size
// generated from the seed, a path ending in .geojson, .json or .pbf is a map file, and
// "none" is nil, straight lines everywhere.
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

// beginStreets begins to create the streets while the database is being opened, which
// mostly waits for the disk. The returned function waits for the streets; it creates
// others if the database has another seed.
func (h *Host) beginStreets() func() (*town.Town, error) {
	seed := h.config.GrowsFrom()
	if h.deps.FreshSeed != nil { // the seed is not known yet
		return func() (*town.Town, error) { return h.streets(h.config.GrowsFrom()) }
	}
	type streets struct {
		town *town.Town
		err  error
	}
	made := make(chan streets, 1)
	go func() { // ends when the town is complete; made is buffered
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

// streets returns the host's town for a seed.
func (h *Host) streets(seed uint64) (*town.Town, error) {
	if h.deps.Streets != nil {
		return h.deps.Streets(h.config.Town, seed)
	}
	return Streets(h.config.Town, seed)
}

// ImportTown reads a map file; the file name's suffix gives its format.
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
