package osm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/simulator/town/osm"
)

// A square of streets with one that is one-way and one that cars cannot use.
const square = `{"type":"FeatureCollection","name":"x","features":[
 {"type":"Feature","properties":{"name":"North Street","highway":"primary","maxspeed":"30 mph"},
  "geometry":{"type":"LineString","coordinates":[[2.100,54.700],[2.105,54.700,12],[2.110,54.700]]}},
 {"type":"Feature","properties":{"name":"East Street","highway":"residential","oneway":true},
  "geometry":{"type":"MultiLineString","coordinates":[[[2.110,54.700],[2.110,54.695]]]}},
 {"type":"Feature","properties":{"name":"South Street","maxspeed":50},
  "geometry":{"type":"LineString","coordinates":[[2.110,54.695],[2.100,54.695],[2.100,54.700]]}},
 {"type":"Feature","properties":{"name":"Towpath","highway":"footway"},
  "geometry":{"type":"LineString","coordinates":[[2.105,54.700],[2.105,54.695]]}},
 {"type":"Feature","properties":null,"geometry":null},
 {"type":"Feature","properties":{"name":"A tree"},"geometry":{"type":"Point","coordinates":[2.1,54.7]}}]}`

func TestReadGeoJSON(t *testing.T) {
	tn, err := osm.ReadGeoJSON(strings.NewReader(square), town.ImportOptions{Name: "Squareton"})
	require.NoError(t, err)
	require.Empty(t, tn.Attribution, "nobody says whose map it is")
	require.Len(t, tn.Streets, 3, "nobody drives on the towpath")
	require.Len(t, tn.Nodes, 3)

	a, err := tn.Lookup("12 south street")
	require.NoError(t, err)
	require.Regexp(t, `^12 South Street, Squareton, ZT`, a.Text)
	require.Equal(t, a, tn.Nearest(tn.XY(tn.Point(a.At))))

	r := tn.NewRouter()
	down, ok := r.Route(at(t, tn, "1 east street"), at(t, tn, "99 east street"), nil)
	require.True(t, ok)
	up, ok := r.Route(at(t, tn, "99 east street"), at(t, tn, "1 east street"), nil)
	require.True(t, ok)
	require.Greater(t, up.Length, 3*down.Length, "East Street is one-way")
	north := tn.Links[at(t, tn, "north street").Link]
	require.Equal(t, town.Main, north.Class)
	require.InDelta(t, 13_411, north.Speed, 1)
	require.InDelta(t, 13_889, tn.Links[at(t, tn, "south street").Link].Speed, 1)

	oneWays := 0
	for _, l := range tn.Links {
		if l.OneWay {
			oneWays++
		}
	}
	require.Equal(t, 1, oneWays)
}

// TestAccessTagsDecideWhichRoadsAreRead checks which tags exclude a road: the one that is more exact
// decides.
func TestAccessTagsDecideWhichRoadsAreRead(t *testing.T) {
	for tags, streets := range map[string]int{
		`"access":"no"`: 2, `"access":"private"`: 2, `"motor_vehicle":"no"`: 2, `"access":"no","bus":"yes"`: 2, `"motorcar":"no","access":"yes"`: 2,
		`"access":"no","taxi":"yes"`: 3, `"motor_vehicle":"no","psv":"yes"`: 3, `"access":"no","motor_vehicle":"destination"`: 3, `"access":"customers"`: 3,
	} {
		in := strings.Replace(square, `"name":"South Street",`, `"name":"South Street",`+tags+`,`, 1)
		in = strings.Replace(in, `"oneway":true`, `"oneway":false`, 1)
		tn, err := osm.ReadGeoJSON(strings.NewReader(in), town.ImportOptions{})
		require.NoError(t, err)
		require.Len(t, tn.Streets, streets, tags)
	}
}

// ring is a street of four corners, with a bridge over one of its sides and something on the bridge, at longitudes
// from west to east.
func ring(west, middle, east float64, on string) string {
	return fmt.Sprintf(`{"features":[
		{"properties":{%[4]s},"geometry":{"type":"Point","coordinates":[%[2]v,54]}},
		{"properties":{"name":"Bridge"},"geometry":{"type":"LineString","coordinates":[[%[1]v,54],[%[2]v,54],[%[3]v,54]]}},
		{"properties":{"name":"Ring"},"geometry":{"type":"LineString","coordinates":[[%[3]v,54],[%[3]v,54.01],[%[1]v,54.01],[%[1]v,54]]}}]}`, west, middle, east, on)
}

// TestBarriersBlockRoads checks that no street leads past a barrier, unless its tags allow taxis.
func TestBarriersBlockRoads(t *testing.T) {
	for tags, streets := range map[string]int{
		`"barrier":"bollard"`: 1, `"barrier":"gate","access":"private"`: 1, `"barrier":"lift_gate","motor_vehicle":"no"`: 1,
		`"barrier":"gate"`: 2, `"barrier":"bollard","motor_vehicle":"yes"`: 2, `"barrier":"bollard","access":"no","taxi":"yes"`: 2, `"access":"no"`: 2,
	} {
		tn, err := osm.ReadGeoJSON(strings.NewReader(ring(2, 2.005, 2.01, tags)), town.ImportOptions{})
		require.NoError(t, err)
		require.Len(t, tn.Streets, streets, tags)
	}
}

// TestTownMayCrossThe180thMeridian checks that a town on both sides of 180 degrees has the size and the
// routes of one elsewhere.
func TestTownMayCrossThe180thMeridian(t *testing.T) {
	read := func(west, middle, east float64) (*town.Town, int64) {
		tn, err := osm.ReadGeoJSON(strings.NewReader(ring(west, middle, east, "")), town.ImportOptions{})
		require.NoError(t, err)
		for _, lon := range []float64{west, middle, east} {
			at := tn.Point(tn.XY(taxi.Point{Longitude: lon, Latitude: 54}))
			require.InDelta(t, lon, at.Longitude, 1e-6)
		}
		length, _ := tn.NewRouter().Measure(tn.Kerb(tn.XY(taxi.Point{Longitude: west, Latitude: 54})), tn.Kerb(tn.XY(taxi.Point{Longitude: east, Latitude: 54})))
		return tn, length
	}
	want, far := read(2.001, 2.002, 2.004)
	for _, lon := range [][3]float64{{179.998, 179.999, -179.999}, {179.999, -179.999, -179.998}} {
		got, length := read(lon[0], lon[1], lon[2])
		require.Equal(t, want.Size, got.Size)
		require.InDelta(t, far, length, 100)
	}
	_, err := osm.ReadGeoJSON(strings.NewReader(`{"features":[{"geometry":{"type":"LineString","coordinates":[[1,54],[170,54],[-170,54],[-1,54]]}}]}`), town.ImportOptions{})
	require.ErrorIs(t, err, town.ErrTooLarge)
}

// TestReadGeoJSONHandlesBOMAndMultiPolygon checks that a file may have a byte-order mark, a place of several
// outlines, and names with control characters.
func TestReadGeoJSONHandlesBOMAndMultiPolygon(t *testing.T) {
	in := strings.Replace(square, `"name":"A tree"},"geometry":{"type":"Point","coordinates":[2.1,54.7]}`,
		`"amenity":"hospital","name":"St \u001b[31mLuke's\u202e"},"geometry":{"type":"MultiPolygon","coordinates":[[[[2.1,54.7],[2.101,54.7],[2.101,54.701],[2.1,54.7]]]]}`, 1)
	tn, err := osm.ReadGeoJSON(strings.NewReader("\ufeff"+strings.Replace(in, "North Street", "North\\u001b Street", 1)), town.ImportOptions{})
	require.NoError(t, err)
	require.True(t, slices.ContainsFunc(tn.Places, func(p town.Place) bool { return p.Name == "St [31mLuke's" }), "%v", tn.Places)
	require.True(t, slices.ContainsFunc(tn.Streets, func(s town.Street) bool { return s.Name == "North Street" }))
}

// TestReadGeoJSONKeepsAttribution checks that the members of a file give the attribution and
// the name of the town, unless the options do.
func TestReadGeoJSONKeepsAttribution(t *testing.T) {
	const survey = "© Crown copyright, Ordnance Survey & others"
	for _, tc := range []struct {
		name, members, town, attribution string
		o                                town.ImportOptions
	}{
		{name: "nothing said", members: ``, town: "Imported"},
		{name: "attribution", members: `"attribution":"` + survey + `","name":"Otley",`, town: "Otley", attribution: survey},
		{name: "copyright", members: `"generator":"overpass-turbo","copyright":" from OpenStreetMap ",`, town: "Imported", attribution: "from OpenStreetMap"},
		{
			name: "both", members: `"copyright":"theirs","attribution":"` + survey + `","bbox":[0,1,2,3],`,
			town: "Imported", attribution: survey,
		},
		{
			name: "told otherwise", members: `"attribution":"` + survey + `","name":"Otley",`,
			o: town.ImportOptions{Name: "Ilkley", Attribution: town.OpenStreetMap}, town: "Ilkley", attribution: town.OpenStreetMap,
		},
		{name: "no text", members: `"attribution":{"by":"me"},"name":["a"],`, town: "Imported"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := `{` + tc.members + strings.TrimPrefix(strings.Replace(square, `"name":"x",`, "", 1), "{")
			tn, err := osm.ReadGeoJSON(strings.NewReader(in), tc.o)
			require.NoError(t, err)
			require.Equal(t, tc.town, tn.Name)
			require.Equal(t, tc.attribution, tn.Attribution)
		})
	}
}

// TestOneWayTagsSetTheDirection checks that a one-way street with oneway=-1 or reverse
// leads to its first point.
func TestOneWayTagsSetTheDirection(t *testing.T) {
	for oneWay, forwards := range map[string]bool{"yes": true, "-1": false, "reverse": false, "1": true} {
		in := strings.Replace(square, `"oneway":true`, `"oneway":"`+oneWay+`"`, 1)
		tn, err := osm.ReadGeoJSON(strings.NewReader(in), town.ImportOptions{})
		require.NoError(t, err)
		north := tn.Kerb(tn.XY(taxi.Point{Longitude: 2.110, Latitude: 54.6995}))
		south := tn.Kerb(tn.XY(taxi.Point{Longitude: 2.110, Latitude: 54.6955}))
		down, _ := tn.NewRouter().Measure(north, south)
		up, _ := tn.NewRouter().Measure(south, north)
		require.Equal(t, forwards, down < up, "oneway=%s: %d mm down, %d mm up", oneWay, down, up)
	}
}

func at(t *testing.T, tn *town.Town, text string) town.Kerb {
	t.Helper()
	a, err := tn.Lookup(text)
	require.NoError(t, err)
	return a.Kerb
}

func TestReadGeoJSONRefusesInvalidFiles(t *testing.T) {
	line := `{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":%s}}`
	one := func(coordinates string) string {
		return `{"features":[` + fmt.Sprintf(line, coordinates) + `]}`
	}
	for _, tc := range []struct {
		name, in, says string
		is             error
	}{
		{name: "nothing", in: "", says: "ends too soon"},
		{name: "a list", in: "[]", says: `"[" where there should be "{"`},
		{name: "cut off", in: square[:200], says: "feature 0"},
		{name: "no features", in: `{"type":"Point","coordinates":[1,2]}`, says: "not a FeatureCollection"},
		{name: "empty", in: `{"features":[]}`, is: town.ErrNoStreets, says: "no streets"},
		{name: "only footpaths", in: strings.ReplaceAll(one(`[[2,54],[2,55]]`), `{}`, `{"highway":"path"}`), is: town.ErrNoStreets, says: "no streets"},
		{name: "one number", in: one(`[[1],[2]]`), says: "feature 0: a position has 1 numbers"},
		{name: "words", in: one(`["a"]`), says: "feature 0: coordinates"},
		{name: "swapped", in: one(`[[54.7,182],[54.7,181]]`), says: "not degrees"},
		{name: "a point twice", in: one(`[[2,54],[2,54]]`), is: town.ErrNoStreets, says: "no streets"},
		{name: "a continent", in: one(`[[2,54],[12,44]]`), is: town.ErrTooLarge, says: "km across"},
		{name: "too many points", in: one(`[[2,54],[2.1,54],[2.2,54],[2,54]]`), is: town.ErrTooLarge, says: "more than 3 points"},
		{name: "more after it", in: `{"features":[]}{}`, says: "after the end"},
		{name: "too many bytes", in: `{"features":[]}` + strings.Repeat(" ", 4_000), is: town.ErrTooLarge, says: "more than 4000 bytes"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := town.ImportOptions{MaxBytes: 4_000, MaxPoints: 3}
			_, err := osm.ReadGeoJSON(strings.NewReader(tc.in), o)
			require.ErrorContains(t, err, tc.says)
			if tc.is != nil {
				require.ErrorIs(t, err, tc.is)
			}
		})
	}
}

func FuzzReadGeoJSON(f *testing.F) {
	f.Add(square)
	f.Add(`{"features":[{"geometry":{"type":"LineString","coordinates":[[0,0],[0,0.001],[0,0]]}}]}`)
	f.Add(`{"features":null}`)
	for _, in := range tooLarge() {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		tn, err := osm.ReadGeoJSON(strings.NewReader(in), town.ImportOptions{MaxBytes: 1 << 16, MaxPoints: 500})
		if err != nil {
			require.Nil(t, tn)
			return
		}
		require.NotEmpty(t, tn.Links)
		route, ok := tn.NewRouter().Route(town.Kerb{}, tn.Kerb(town.XY{X: 1, Y: 1}), nil)
		require.True(t, ok)
		require.GreaterOrEqual(t, route.Duration, int64(0))
	})
}
