package serving

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/simulator/town/osm"
)

func TestTownCommandDescribesMaps(t *testing.T) {
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
	s.Write("island.geojson", strings.Replace(own, `"features":[`, `"features":[{"geometry":{"type":"LineString","coordinates":[[0.12,52.2],[0.12,52.21]]}},`, 1))
	require.Contains(t, s.OK("town", "--import", "island.geojson"), "cannot drive there and back: 1\n")
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
	for _, point := range []string{"91,200", "NaN,2", "54.7,Inf"} {
		require.Contains(t, s.Fails(cli.ExitFindings, "town", "--locate", point), fmt.Sprintf("cabrank: --locate %q: the point is not on the map", point))
	}
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

// ownMap is a map with a station and an airport.
const ownMap = `{"type":"FeatureCollection","name":"Ownby","features":[
	{"type":"Feature","properties":{"name":"Own Road","highway":"primary"},"geometry":{"type":"LineString","coordinates":[[0.1,52.2],[0.11,52.2],[0.11,52.21],[0.1,52.2]]}},
	{"type":"Feature","properties":{"railway":"station","name":"Own Halt"},"geometry":{"type":"Point","coordinates":[0.101,52.2001]}},
	{"type":"Feature","properties":{"aeroway":"aerodrome","name":"Own Field"},"geometry":{"type":"Point","coordinates":[0.109,52.2001]}}]}`

// TestBookFindsPlacesOfTheServedTown books by name at a server with another town than the default.
func TestBookFindsPlacesOfTheServedTown(t *testing.T) {
	s := newShell(t)
	s.Write("own.geojson", ownMap)
	url, _ := s.Serve("--town", "own.geojson")
	var made struct {
		Name   string
		Places []struct {
			Name, Kind, Address string
			Location            struct{ Latitude, Longitude float64 }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(s.OK("town", "--import", "own.geojson", "--json")), &made))
	var booked struct {
		Pickup struct {
			Address  string
			Location struct{ Latitude, Longitude float64 }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(s.OK("book", "--url", url, "--from", "station", "--to", "airport", "--json")), &booked))
	require.NotEmpty(t, made.Places)
	for _, p := range made.Places {
		if p.Kind == "station" {
			require.Equal(t, p.Address, booked.Pickup.Address)
			require.Equal(t, p.Location, booked.Pickup.Location)
			return
		}
	}
	t.Fatal("the town has no station")
}

// addressesIn are the addresses with their points anywhere in a document.
func addressesIn(t *testing.T, document []byte) []taxi.Address {
	t.Helper()
	var found []taxi.Address
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, member := range v {
				walk(member)
			}
		case map[string]any:
			text, err := json.Marshal(v)
			require.NoError(t, err)
			var a taxi.Address
			if json.Unmarshal(text, &a) == nil && a.Address != "" && a.Location != nil {
				found = append(found, a)
			}
			for _, member := range v {
				walk(member)
			}
		}
	}
	var tree any
	require.NoError(t, json.Unmarshal(document, &tree))
	walk(tree)
	return found
}

// TestExampleAddressesExistInTheTown checks that all addresses in examples are places of the default town, so that
// a pasted example books a taxi to the street that it names.
func TestExampleAddressesExistInTheTown(t *testing.T) {
	s := newShell(t)
	places := clitest.Decode[[]taxi.Address](t, s.OK("samples", "--places", "--json"))
	url, _ := s.Serve()
	require.JSONEq(t, s.OK("samples", "--places", "--json", "--url", url), s.OK("samples", "--places", "--json"))
	document, err := yaml.YAMLToJSON(taxi.OpenAPI())
	require.NoError(t, err)
	examples := addressesIn(t, document)
	require.Greater(t, len(examples), 15)
	for _, sample := range fixtures.Samples() {
		if sample.Kind == fixtures.Minimal || sample.Kind == fixtures.Rich {
			examples = append(examples, addressesIn(t, sample.Body)...)
		}
	}
	for _, a := range examples {
		require.Contains(t, places, taxi.Address{Address: a.Address, Location: a.Location})
	}
	for _, other := range fixtures.Places() { // of the open plane
		require.NotContains(t, string(taxi.OpenAPI()), other.Address.Address)
	}
}

// TestSamplesUseTheServersTown prints bodies for a server with another town.
func TestSamplesUseTheServersTown(t *testing.T) {
	s := newShell(t)
	s.Write("own.geojson", ownMap)
	url, _ := s.Serve("--town", "own.geojson")
	places := clitest.Decode[[]taxi.Address](t, s.OK("samples", "--places", "--json", "--url", url))
	for _, a := range addressesIn(t, []byte(s.OK("samples", "book", "rich", "--url", url))) {
		require.Contains(t, places, a)
	}
	require.Contains(t, s.Fails(cli.ExitUnreachable, "samples", "book", "rich", "--url", url+"/nowhere"), "has no places")
}

// TestPeopleArePrintedInColumns expects names, which have any width, in the last column.
func TestPeopleArePrintedInColumns(t *testing.T) {
	row := regexp.MustCompile(`^\d{12}  [a-z-]{4,13} *  .{64}  \S`)
	lines := strings.Split(strings.TrimSpace(newShell(t).OK("samples", "--people")), "\n")
	require.Len(t, lines, len(fixtures.People()))
	for i, line := range lines {
		require.Regexp(t, row, line)
		require.True(t, strings.HasSuffix(line, "  "+fixtures.People()[i].Name), line)
	}
	require.Contains(t, lines[0], calling.DemoCaller)
}
