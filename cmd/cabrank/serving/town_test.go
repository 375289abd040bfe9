package serving

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/simulator/town/osm"
)

func TestTown(t *testing.T) {
	s := newShell(t)
	require.Contains(t, s.OK("town"), "Otterbridge: 235 streets")
	require.True(t, json.Valid([]byte(s.OK("town", "--json"))))
	require.Contains(t, s.OK("town", "--locate", "the station"), "Station")
	require.True(t, json.Valid([]byte(s.OK("town", "--locate", "fourteen mill lane", "--json"))))
	require.Contains(t, s.Fails(cli.ExitFindings, "town", "--locate", "xyzzy plugh"), "no such address")

	own := `{"type":"FeatureCollection","attribution":"© Own Survey","name":"Ownby","features":[{"type":"Feature","properties":{"name":"Own Road","highway":"primary"},` +
		`"geometry":{"type":"LineString","coordinates":[[0.1,52.2],[0.11,52.2],[0.11,52.21],[0.1,52.2]]}}]}`
	s.Write("own.geojson", own)
	require.Contains(t, s.OK("town", "--import", "own.geojson"), "© Own Survey")
	url, _ := s.Serve("--town", "own.geojson", "--speed", "2000", "--behaviour", "typical")
	booked := strings.Fields(s.OK("book", "--url", url, "--from", "here@52.2,0.1", "--to", "there@52.21,0.11"))[0]
	require.Contains(t, s.OK("status", booked, "--url", url, "--follow", "--every", "100ms"), "C") // COMPLETE, or CANCELLED by somebody typical
}

// An address is found by its point.
func TestTownLocatesPoints(t *testing.T) {
	s := newShell(t)
	found := strings.TrimSpace(s.OK("town", "--locate", "fourteen mill lane"))
	first, _, _ := strings.Cut(found, "\n")
	text, point, ok := strings.Cut(first, "@")
	require.True(t, ok)
	require.Equal(t, first+"\n", s.OK("town", "--locate", point))
	require.Contains(t, s.OK("town", "--locate", strings.Replace(point, ",", " , ", 1), "--json"), text)
	require.Contains(t, s.Fails(cli.ExitFindings, "town", "--locate", "51.5,-0.1"), "not on the map")
	require.Contains(t, s.Fails(cli.ExitFindings, "town", "--locate", "91,200"), `cabrank: --locate "91,200": no such address in Otterbridge`)
}

func TestTownRefusesWhatDoesNotFit(t *testing.T) {
	s := newShell(t)
	line := strings.Repeat("[0,0],[0.91,0.91],", 10)
	long := `{"features":[{"geometry":{"type":"LineString","coordinates":[` + strings.TrimSuffix(line, ",") + `]}}]}`
	s.Write("long.geojson", long)
	require.Contains(t, s.Fails(cli.ExitUsage, "town", "--import", "long.geojson"), "map too large")
	require.Contains(t, s.Fails(cli.ExitUsage, "serve", "--listen", "127.0.0.1:0", "--town", "long.geojson"), "map too large")
}

// The sample journey lies in the town that is served, whatever it has.
func TestSampleTripIsInTown(t *testing.T) {
	from, to := sampleTrip(nil)
	require.Contains(t, from.Address.Address, "Otterbridge Station")
	require.Contains(t, to.Address.Address, "Hospital")

	from, to = sampleTrip(town.Default())
	require.Contains(t, from.Address.Address, "University of Otterbridge")
	require.Contains(t, to.Address.Address, "Hospital")

	bare, err := osm.ReadGeoJSON(strings.NewReader(`{"features":[{"properties":{"name":"Own Road"},`+
		`"geometry":{"type":"LineString","coordinates":[[13.4,52.2],[13.41,52.21]]}}]}`), town.ImportOptions{})
	require.NoError(t, err)
	from, to = sampleTrip(bare)
	require.Contains(t, from.Address.Address, "Own Road")
	require.NotEqual(t, from, to)
	require.InDelta(t, 13.4, from.Location.Longitude, 0.02)
}
