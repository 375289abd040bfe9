package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/simulator/town/osm"
)

// DefaultTown is the name of the town that is part of the program, see [town.Default].
const DefaultTown = "otterbridge"

// MaxImport is the largest size of a map file, in bytes.
const MaxImport = 256 << 20

// Streets returns the town with a name: [DefaultTown], a path of a map file, which ends in
// .geojson, .json or .pbf, or "none", which is nil: straight lines everywhere.
func Streets(name string) (*town.Town, error) {
	switch name {
	case "none":
		return nil, nil
	case DefaultTown:
		return town.Default(), nil
	}
	t, err := ImportTown(name)
	if err != nil {
		return nil, refuseFor("town", err)
	}
	return t, nil
}

// beginStreets begins to create the streets while the database is being opened, which
// mostly waits for the disk. The returned function waits for the streets.
func (h *Host) beginStreets() func() (*town.Town, error) {
	name, read := h.config.Town, Streets
	if h.deps.Streets != nil {
		read = h.deps.Streets
	}
	streets := sync.OnceValues(func() (*town.Town, error) { return read(name) })
	go func() { _, _ = streets() }() // ends when the town is complete; whoever waits for it gets the error
	return streets
}

// ImportTown reads a map file; the file name's suffix gives its format.
func ImportTown(path string) (*town.Town, error) {
	suffix := strings.ToLower(filepath.Ext(path))
	pbf := suffix == ".pbf"
	if !pbf && suffix != ".geojson" && suffix != ".json" {
		return nil, fmt.Errorf("import %s: want a .geojson or .osm.pbf file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	defer file.Close()
	options := town.ImportOptions{MaxBytes: MaxImport}
	var t *town.Town
	if pbf {
		t, err = osm.ReadPBF(file, options)
	} else {
		t, err = osm.ReadGeoJSON(file, options)
	}
	if err != nil {
		return nil, fmt.Errorf("import %s: %w", path, err)
	}
	return t, nil
}
