package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/town"
)

// What towns can be made, in metres, and read, in bytes.
const (
	smallestTown = 2_000
	largestTown  = 30_000
	maxImport    = 256 << 20
)

// townFlags say which town to make and what to do with it.
type townFlags struct {
	seed        uint64
	size        int
	file        string
	svg, locate string
	asJSON      bool
}

func newTown(out outside) *cobra.Command {
	var f townFlags
	cmd := &cobra.Command{
		Use:   "town",
		Short: "Make a town, draw it, and find addresses in it",
		Long: `Make the town that a seed gives, or read your own streets from GeoJSON or an OpenStreetMap
extract (.osm.pbf), whose attribution is kept with the map. Streets, names, house numbers,
postcodes and places of a seed are always the same.`,
		Example: `  cabrank town --seed 7 --svg town.svg
  cabrank town --size 8000 --locate "fourteen mill lane"
  cabrank town --import streets.geojson --svg mine.svg`,
		Args: exactArgs(),
		RunE: func(*cobra.Command, []string) error { return f.run(out) },
	}
	fs := cmd.Flags()
	fs.Uint64Var(&f.seed, "seed", 1, "what the town grows from")
	fs.IntVar(&f.size, "size", town.SmallTown, "side of the map in metres, 2000 to 30000")
	fs.StringVar(&f.file, "import", "", "read streets from this file instead, .geojson or .osm.pbf")
	fs.StringVar(&f.svg, "svg", "", "draw the map into this file (- for the standard output)")
	fs.StringVar(&f.locate, "locate", "", "find an address as somebody says it")
	fs.BoolVar(&f.asJSON, "json", false, "print one JSON object")
	return cmd
}

func (f *townFlags) run(out outside) error {
	t, err := f.town()
	if err != nil {
		return err
	}
	switch {
	case f.locate != "":
		return f.find(t, out.stdout)
	case f.svg == "-":
		return t.SVG(out.stdout)
	case f.svg != "":
		if err := drawInto(f.svg, t); err != nil {
			return &exitError{exitUsage, fmt.Errorf("--svg: %w", err)}
		}
	}
	return f.describe(t, out.stdout)
}

// town makes the town or reads it.
func (f *townFlags) town() (*town.Town, error) {
	if f.file != "" {
		t, err := importTown(f.file, maxImport)
		if err != nil {
			return nil, &exitError{exitUsage, err}
		}
		return t, nil
	}
	if f.size < smallestTown || f.size > largestTown {
		return nil, usageError("--size is %d metres, want %d to %d", f.size, smallestTown, largestTown)
	}
	return town.Generate(town.Options{Seed: f.seed, Size: f.size}), nil
}

// importTown reads a user's own streets; the file's ending says what it is.
func importTown(path string, most int64) (*town.Town, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	defer file.Close()
	options := town.ImportOptions{MaxBytes: most}
	var t *town.Town
	switch {
	case strings.HasSuffix(path, ".pbf"):
		t, err = town.ImportPBF(file, options)
	case strings.HasSuffix(path, ".geojson"), strings.HasSuffix(path, ".json"):
		t, err = town.ImportGeoJSON(file, options)
	default:
		return nil, fmt.Errorf("import %s: want a .geojson or .osm.pbf file", path)
	}
	if err != nil {
		return nil, fmt.Errorf("import %s: %w", path, err)
	}
	return t, nil
}

func drawInto(path string, t *town.Town) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(t.SVG(file), file.Close())
}

// find prints what somebody may mean by an address, best first.
func (f *townFlags) find(t *town.Town, w io.Writer) error {
	matches, err := t.Locate(f.locate)
	if err != nil {
		return &exitError{exitFindings, fmt.Errorf("%q in %s: %w", f.locate, t.Name, err)}
	}
	if f.asJSON {
		found := make([]taxi.Address, len(matches))
		for i, m := range matches {
			at := t.Point(m.At)
			found[i] = taxi.Address{Address: m.Text, Location: &at}
		}
		return printJSON(w, found)
	}
	for _, m := range matches {
		at := t.Point(m.At)
		fmt.Fprintf(w, "%s@%.5f,%.5f\n", m.Text, at.Latitude, at.Longitude)
	}
	return nil
}

// townSummary is a town in numbers.
type townSummary struct {
	Name        string            `json:"name"`
	Seed        uint64            `json:"seed,omitempty"`
	Size        int               `json:"sizeMetres"`
	Streets     int               `json:"streets"`
	Junctions   int               `json:"junctions"`
	Links       int               `json:"links"`
	Doors       int               `json:"doors"`
	Places      map[string]string `json:"places"`
	Attribution string            `json:"attribution,omitempty"`
}

func (f *townFlags) describe(t *town.Town, w io.Writer) error {
	s := townSummary{
		Name: t.Name, Seed: t.Seed, Size: t.Size, Streets: len(t.Streets), Junctions: len(t.Nodes), Links: len(t.Links),
		Doors: t.Doors(), Places: map[string]string{}, Attribution: t.Attribution,
	}
	for _, p := range t.Places {
		s.Places[p.Name] = p.Text
	}
	if f.asJSON {
		return printJSON(w, s)
	}
	fmt.Fprintf(w, "%s: %d streets, %d junctions, %d links, %d doors on %.0f km\n",
		s.Name, s.Streets, s.Junctions, s.Links, s.Doors, float64(s.Size)/1000)
	for _, p := range t.Places {
		fmt.Fprintf(w, "  %-12s %-32s %s\n", p.Kind, p.Name, p.Text)
	}
	if s.Attribution != "" {
		fmt.Fprintln(w, s.Attribution)
	}
	return nil
}
