package serving

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// ownMap is a map with a station and an airport.
const ownMap = `{"type":"FeatureCollection","name":"Ownby","features":[
	{"type":"Feature","properties":{"name":"Own Road","highway":"primary"},"geometry":{"type":"LineString","coordinates":[[0.1,52.2],[0.11,52.2],[0.11,52.21],[0.1,52.2]]}},
	{"type":"Feature","properties":{"railway":"station","name":"Own Halt"},"geometry":{"type":"Point","coordinates":[0.101,52.2001]}},
	{"type":"Feature","properties":{"aeroway":"aerodrome","name":"Own Field"},"geometry":{"type":"Point","coordinates":[0.109,52.2001]}}]}`

// TestPlacesAreThoseOfTheTownServed books by name at a server with another town than the default.
func TestPlacesAreThoseOfTheTownServed(t *testing.T) {
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

// TestARepeatedBookingIsReported books twice, byte for byte.
func TestARepeatedBookingIsReported(t *testing.T) {
	s := newShell(t)
	url, _ := s.Serve()
	at := cli.Now().Add(24 * time.Hour).Format(time.RFC3339)
	book := []string{"book", "--url", url, "--at", at, "--json"}
	first, said, code := s.Run(book...)
	require.Equal(t, cli.ExitOK, code, said)
	require.Empty(t, said)
	second, said, code := s.Run(book...)
	require.Equal(t, cli.ExitOK, code)
	require.Contains(t, said, "the same booking as before")
	require.JSONEq(t, first, second)
}
