package osm_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/simulator/town/osm"
)

// spot returns a GeoJSON feature at a point of the square.
func spot(lon, lat float64, properties string) string {
	return fmt.Sprintf(`{"type":"Feature","properties":{%s},"geometry":{"type":"Point","coordinates":[%g,%g]}}`, properties, lon, lat)
}

// surveyed imports the square with more features.
func surveyed(t *testing.T, features ...string) *town.Town {
	t.Helper()
	in := strings.Replace(square, `"features":[`, `"features":[`+strings.Join(append(features, ""), ","), 1)
	tn, err := osm.ReadGeoJSON(strings.NewReader(in), town.ImportOptions{Name: "Squareton"})
	require.NoError(t, err)
	return tn
}

func TestImportedPlacesAreFound(t *testing.T) {
	tn := surveyed(
		t,
		spot(2.102, 54.7004, `"railway":"station","name":"Squareton Parkway"`),
		spot(2.1051, 54.6975, `"railway":"station","name":"Squareton Central"`),
		spot(2.1052, 54.6976, `"railway":"station","name":"Squareton Central"`),
		spot(2.106, 54.7001, `"amenity":"pub","tourism":"hotel","name":"The Old Bell"`),
		spot(2.1095, 54.6951, `"amenity":"taxi"`),
		spot(2.1, 54.71, `"aeroway":"aerodrome","name":"Squareton International"`),
		spot(2.1, 54.71, `"amenity":"hospital","name":"Too Far Away"`),
		spot(2.1, 54.70, `"amenity":"university"`),
		spot(2.1, 54.70, `"amenity":"bench","name":"A bench"`),
		spot(1e300, -1e300, `"amenity":"hospital","name":"Nowhere"`),
		`{"type":"Feature","properties":{"leisure":"stadium","name":"The Bowl"},"geometry":{"type":"Polygon",`+
			`"coordinates":[[[2.101,54.6955],[2.103,54.6955],[2.103,54.6965],[2.101,54.6965],[2.101,54.6955]]]}}`,
	)
	for said, want := range map[string]string{
		"the station":      "Squareton Central, ",
		"parkway":          "Squareton Parkway, North Street, Squareton, ZT",
		"the old bell":     "The Old Bell, North Street, Squareton, ZT",
		"the taxi rank":    "South Street Rank, South Street, Squareton, ZT",
		"to the airport":   "Squareton International, ",
		"football ground":  "The Bowl, South Street, ",
		"the hotel please": "The Old Bell, ",
	} {
		a, err := tn.Lookup(said)
		require.NoError(t, err, said)
		require.Truef(t, strings.HasPrefix(a.Text, want), "%q gave %q", said, a.Text)
	}
	require.Len(t, tn.Places, 6)
	bowl, _ := tn.PlaceOf(town.Stadium)
	require.Equal(t, taxi.Point{Longitude: 2.102, Latitude: 54.696}, tn.Point(bowl.At), "the middle of its outline")
	require.Positive(t, bowl.Weight)
	for _, p := range tn.Places {
		require.Equal(t, p.Address, tn.Nearest(p.At), p.Name)
	}
}

func TestImportedHousesKeepNumberAndPosition(t *testing.T) {
	tn := surveyed(
		t,
		spot(2.1081, 54.7002, `"addr:housenumber":"14","addr:street":"North Street","addr:postcode":"LS21 3AB"`),
		spot(2.1021, 54.7002, `"addr:housenumber":"2a","addr:street":"North Street"`),
		spot(2.1022, 54.7002, `"addr:housenumber":2,"addr:street":"North Street"`),
		spot(2.1041, 54.6998, `"addr:housenumber":"7-9","addr:street":"North Street"`),
		spot(2.1041, 54.6998, `"addr:housenumber":"7","addr:street":"Nowhere Street"`),
		spot(2.1041, 54.6998, `"addr:housenumber":"Rose Cottage","addr:street":"North Street"`),
		spot(2.1041, 54.9, `"addr:housenumber":"11","addr:street":"North Street"`),
	)
	for said, want := range map[string]struct {
		text     string
		lon, lat float64
	}{
		"14 north street":                               {"14 North Street, Squareton, LS21 3AB", 2.1081, 54.7002},
		"fourteen north street":                         {"14 North Street, Squareton, LS21 3AB", 2.1081, 54.7002},
		"14 North Street, Squareton, LS21 3AB":          {"14 North Street, Squareton, LS21 3AB", 2.1081, 54.7002},
		"2a north street":                               {"2 North Street, Squareton", 2.1021, 54.7002},
		"9 north street":                                {"7 North Street, Squareton", 2.1041, 54.6998},
		"13 north street":                               {"7 North Street, Squareton", 2.1041, 54.6998},
		"North Street, the one with the hospital, 9999": {"North Street, Squareton", 2.105, 54.70},
	} {
		a, err := tn.Lookup(said)
		require.NoError(t, err, said)
		require.Equal(t, want.text, a.Text, said)
		require.InDelta(t, want.lon, tn.Point(a.At).Longitude, 1e-6, said)
		require.InDelta(t, want.lat, tn.Point(a.At).Latitude, 1e-6, said)
		if strings.Contains(a.Text, "14 ") {
			require.Equal(t, a, tn.Nearest(a.At))
		}
	}
	texts := map[string]bool{}
	for i := range tn.Doors() {
		texts[tn.Door(tn.NthDoor(i)).Text] = true
	}
	require.Len(t, texts, tn.Doors(), "each door is one of its own")
	require.True(t, texts["14 North Street, Squareton, LS21 3AB"])
	require.False(t, texts["1 North Street, Squareton"], "no number is made up where they are known")
	made, err := tn.Lookup("12 south street")
	require.NoError(t, err)
	require.Equal(t, made, tn.Nearest(made.At), "where none is known they are")
}

func TestUnnamedStreetsGetAName(t *testing.T) {
	in := strings.ReplaceAll(square, `"name":"East Street"`, `"ref":"A65"`)
	in = strings.ReplaceAll(in, `"name":"North Street",`, ``)
	tn, err := osm.ReadGeoJSON(strings.NewReader(in), town.ImportOptions{})
	require.NoError(t, err)
	numbered := map[string]bool{}
	for _, s := range tn.Streets {
		numbered[s.Name] = s.Numbers() > 0
	}
	require.Equal(t, map[string]bool{"Unnamed Road 1": false, "A65": false, "South Street": true}, numbered)
	a, err := tn.Lookup("Unnamed Road 1")
	require.NoError(t, err)
	require.Equal(t, "Unnamed Road 1, x", a.Text)
	for _, shown := range tn.Picture().Streets {
		require.NotContains(t, shown.Name, "Unnamed")
	}

	nameless := strings.NewReplacer(`"name":"North Street",`, ``, `"name":"East Street",`, ``, `"name":"South Street",`, ``).Replace(square)
	tn, err = osm.ReadGeoJSON(strings.NewReader(nameless), town.ImportOptions{})
	require.NoError(t, err)
	require.Positive(t, tn.Doors(), "somebody lives there")
}

func TestInventedRanksAreApart(t *testing.T) {
	for name, in := range map[string]string{"square": square, "one street": collection(road("Only Street", "[2.1,54.7],[2.101,54.7]"))} {
		tn, err := osm.ReadGeoJSON(strings.NewReader(in), town.ImportOptions{})
		require.NoError(t, err)
		names := map[string]bool{}
		for i, p := range tn.Places {
			require.Equal(t, town.Rank, p.Kind)
			require.Regexp(t, `^\w+ Street Rank( 2)?, \w+ Street, `, p.Text)
			require.False(t, names[p.Name])
			names[p.Name] = true
			for _, o := range tn.Places[:i] {
				require.Greater(t, math.Hypot(float64(p.At.X-o.At.X), float64(p.At.Y-o.At.Y)), 100_000.0, "%s, in millimetres", name)
			}
		}
		require.NotEmpty(t, tn.Places, name)
	}
}

// TestReadPBFReadsPlacesAndHouses checks that places and houses are read from nodes and
// outlines, as a real extract has them.
func TestReadPBFReadsPlacesAndHouses(t *testing.T) {
	texts := message{}
	words := []string{"", "highway", "residential", "name", "Mill Lane", "railway", "station", "Mill Halt", "addr:housenumber", "14", "addr:street", "amenity", "hospital", "The Infirmary", "16", "inner", "outer", "university", "The College", "type", "multipolygon"}
	for _, s := range words {
		texts = texts.bytes(1, []byte(s))
	}
	dense := message{}.bytes(1, deltas(10, 20, 30, 40, 50)).
		bytes(8, deltas(547_000_000, 547_040_000, 547_000_000, 547_002_000, 547_006_000)).
		bytes(9, deltas(21_000_000, 21_000_000, 21_060_000, 21_020_000, 21_024_000)).
		bytes(10, list(0, 5, 6, 3, 7, 0, 0, 0, 8, 9, 10, 4, 0)) // 20 is a station, 50 a house
	plain := message{}.number(1, 60<<1).bytes(2, list(8, 10)).bytes(3, list(14, 4)).number(8, 547_003_000<<1).number(9, 21_030_000<<1)
	way := func(id uint64, keys, values, refs []byte) message {
		return message{}.number(1, id).bytes(2, keys).bytes(3, values).bytes(8, refs)
	}
	relation := func(name uint64, ways []byte) message { // of a node and two ways
		return message{}.bytes(2, list(11, 3, 19)).bytes(3, list(17, name, 20)).bytes(8, list(0, 15, 16)).bytes(9, ways).bytes(10, list(0, 1, 1))
	}
	data := message{}.bytes(1, texts).
		bytes(2, message{}.bytes(2, dense)).
		bytes(2, message{}.bytes(1, plain)).
		bytes(2, message{}.
			bytes(3, way(1, list(1, 3), list(2, 4), deltas(10, 20, 30, 10))).
			bytes(3, way(2, list(11, 3), list(12, 13), deltas(40, 50, 40))).
			bytes(3, way(3, list(11, 3), list(12, 4), deltas(98, 99))).
			bytes(3, way(4, nil, nil, deltas(40, 40))).
			bytes(3, way(5, nil, nil, deltas(10, 60, 10)))).
		bytes(2, message{}.
			bytes(4, relation(18, deltas(20, 4, 5))).
			bytes(4, relation(4, deltas(20, 4, 6))))
	file := append(blob(t, "OSMHeader", nil), blob(t, "OSMData", data)...)
	tn, err := osm.ReadPBF(bytes.NewReader(file), town.ImportOptions{Name: "Cornhill"})
	require.NoError(t, err)
	for said, want := range map[string]taxi.Point{
		"the station":  {Longitude: 2.1, Latitude: 54.704},
		"14 mill lane": {Longitude: 2.1024, Latitude: 54.7006},
		"16 mill lane": {Longitude: 2.103, Latitude: 54.7003},
		"infirmary":    {Longitude: 2.1022, Latitude: 54.7004},
		"the college":  {Longitude: 2.101, Latitude: 54.7001}, // as the outer way of its relation is
	} {
		a, err := tn.Lookup(said)
		require.NoError(t, err, said)
		p := tn.Point(a.At)
		require.InDelta(t, want.Longitude, p.Longitude, 3e-4, said)
		require.InDelta(t, want.Latitude, p.Latitude, 3e-4, said)
	}
	require.Len(t, tn.Places, 4, "station, infirmary, college and a rank; what is outside is not")
}
