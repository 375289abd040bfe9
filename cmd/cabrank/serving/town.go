package serving

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/town"
)

// townFlags are the flags of 'cabrank town'.
type townFlags struct {
	file, locate string
	asJSON       bool
}

func newTown(out cli.Outside) *cobra.Command {
	var f townFlags
	cmd := &cobra.Command{
		Use:   "town",
		Short: "Read a map, and find addresses in it or in the default town",
		Long: `Describe the default town, or read streets from GeoJSON or an OpenStreetMap extract (.osm.pbf), and find addresses.

An imported map keeps its attribution (in GeoJSON the member "attribution"), and its stations, hospitals, hotels,
taxi ranks and house numbers.`,
		Example: `  cabrank town --locate "fourteen mill lane"
  cabrank town --locate 54.7012,2.0978
  cabrank town --import streets.geojson`,
		Args: cli.ExactArgs(),
		RunE: func(*cobra.Command, []string) error { return f.run(out) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.file, "import", "", "read streets from this file, .geojson or .osm.pbf, instead of the default town")
	fs.StringVar(&f.locate, "locate", "", "find a spoken address, or the address nearest to LATITUDE,LONGITUDE")
	fs.BoolVar(&f.asJSON, "json", false, "print one JSON object")
	return cmd
}

func (f *townFlags) run(out cli.Outside) error {
	t, err := f.town()
	if err != nil {
		return err
	}
	if f.locate != "" {
		return f.find(t, out.Stdout)
	}
	return f.describe(t, out.Stdout)
}

// town returns the default town, or reads another.
func (f *townFlags) town() (*town.Town, error) {
	if f.file == "" {
		return town.Default(), nil
	}
	t, err := host.ImportTown(f.file)
	if err != nil {
		return nil, cli.Exit(cli.ExitUsage, err)
	}
	return t, nil
}

// find prints the addresses that a spoken address may mean, best first.
func (f *townFlags) find(t *town.Town, w io.Writer) error {
	found, err := f.addresses(t)
	if err != nil {
		return cli.Exit(cli.ExitFindings, fmt.Errorf("--locate %q: %w in %s", f.locate, err, cli.Printable(t.Name)))
	}
	if f.asJSON {
		return cli.PrintJSON(w, found)
	}
	for _, a := range found {
		fmt.Fprintf(w, "%s@%.5f,%.5f\n", cli.Printable(a.Address), a.Location.Latitude, a.Location.Longitude)
	}
	return nil
}

// addresses returns the matches for --locate: the address nearest to a point, or those
// that sound like the text.
func (f *townFlags) addresses(t *town.Town) ([]taxi.Address, error) {
	if p, ok := calling.ParsePoint(f.locate); ok {
		at, edge := t.XY(p), int64(t.Size)*500
		if max(int64(at.X), -int64(at.X), int64(at.Y), -int64(at.Y)) > edge {
			return nil, errOffTheMap
		}
		return []taxi.Address{t.Wire(t.Nearest(at))}, nil
	}
	if calling.NamesNoPoint(f.locate) {
		return nil, errOffTheMap
	}
	matches, err := t.Locate(f.locate)
	if errors.Is(err, town.ErrNoSuchAddress) {
		return nil, town.ErrNoSuchAddress // the caller names the address
	}
	var found []taxi.Address
	for _, m := range matches {
		found = append(found, t.Wire(m.Address))
	}
	return found, err
}

// errOffTheMap means that a point is outside the map of a town.
var errOffTheMap = errors.New("the point is not on the map, so that no address is near it")

// townSummary describes a town in numbers.
type townSummary struct {
	Name        string           `json:"name"`
	Size        int              `json:"sizeMetres"`
	Streets     int              `json:"streets"`
	LeftOut     int              `json:"streetsLeftOut,omitempty"` // see [town.Town]
	Junctions   int              `json:"junctions"`
	Links       int              `json:"links"`
	Doors       int              `json:"doors"`
	Places      []dispatch.Place `json:"places"`
	Attribution string           `json:"attribution,omitempty"`
}

func (f *townFlags) describe(t *town.Town, w io.Writer) error {
	s := townSummary{
		Name: t.Name, Size: t.Size, Streets: len(t.Streets), LeftOut: t.LeftOut, Junctions: len(t.Nodes), Links: len(t.Links),
		Doors: t.Doors(), Places: []dispatch.Place{}, Attribution: t.Attribution,
	}
	for _, p := range t.Places {
		s.Places = append(s.Places, dispatch.Place{Name: p.Name, Kind: string(p.Kind), Address: t.Wire(p.Address)})
	}
	if f.asJSON {
		return cli.PrintJSON(w, s)
	}
	fmt.Fprintf(w, "%s: %d streets, %d junctions, %d links, %d doors on %.0f km\n",
		cli.Printable(s.Name), s.Streets, s.Junctions, s.Links, s.Doors, float64(s.Size)/1000)
	if s.LeftOut > 0 {
		fmt.Fprintf(w, "streets of the map that are left out, since cars cannot drive there and back: %d\n", s.LeftOut)
	}
	for _, p := range t.Places {
		fmt.Fprintf(w, "  %-12s %-32s %s\n", p.Kind, cli.Printable(p.Name), cli.Printable(p.Text))
	}
	if s.Attribution != "" {
		fmt.Fprintln(w, cli.Printable(s.Attribution))
	}
	return nil
}
