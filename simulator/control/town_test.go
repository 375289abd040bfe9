package control_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/host"
)

// kinds counts the features of a town by their kind.
func kinds(c *geojson.FeatureCollection) map[string]int {
	n := map[string]int{}
	for _, f := range c.Features {
		n[f.Properties.MustString("kind")]++
	}
	return n
}

func TestTownIsReturnedAsGeoJSON(t *testing.T) {
	config := still()
	config.Town = host.DefaultTown
	r := newRig(t, config, host.Deps{})
	c := do[*geojson.FeatureCollection](r, "GET", "/town", "")
	require.Equal(t, "Otterbridge", c.ExtraMembers["name"])
	require.InDelta(t, 4000, c.ExtraMembers["size"], 0)
	require.Len(t, c.BBox, 4)
	n := kinds(c)
	require.Greater(t, n["street"], 200)
	require.Greater(t, n["place"], 10)
	for _, kind := range []string{"outline", "river", "rail", "runway", "apron"} {
		require.Equal(t, 1, n[kind], kind)
	}
	streets := map[string]bool{}
	for _, f := range c.Features {
		if f.Properties["kind"] == "street" {
			streets[f.Properties.MustString("name")] = true
			require.Positive(t, f.Properties.MustFloat64("width"))
		}
	}
	require.True(t, streets["High Street"])

	_, text := r.send("GET", "/town", "")
	require.Less(t, len(text), 250_000)
	ask := func(header, value string) (status int, answered http.Header, body []byte) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+control.Prefix+"/town", nil)
		require.NoError(t, err)
		req.Header.Set(header, value)
		resp, err := r.http.Client().Do(req)
		require.NoError(t, err)
		defer resp.Body.Close()
		body, err = io.ReadAll(resp.Body)
		require.NoError(t, err)
		return resp.StatusCode, resp.Header, body
	}
	_, answered, zipped := ask("Accept-Encoding", "gzip")
	require.Equal(t, "gzip", answered.Get("Content-Encoding"))
	z, err := gzip.NewReader(bytes.NewReader(zipped))
	require.NoError(t, err)
	plain, err := io.ReadAll(z)
	require.NoError(t, err)
	require.Equal(t, text, string(plain))
	status, _, _ := ask("If-None-Match", answered.Get("ETag"))
	require.Equal(t, http.StatusNotModified, status)
}

// TestImportedTownIsReturnedAsGeoJSON checks that an imported map is returned with its attribution, its
// streets and places, and nothing else.
func TestImportedTownIsReturnedAsGeoJSON(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.geojson")
	require.NoError(t, os.WriteFile(file, []byte(`{"type":"FeatureCollection","name":"Ours","attribution":"© us","features":[
		{"type":"Feature","properties":{"highway":"primary","name":"North Road"},"geometry":{"type":"LineString","coordinates":[[0,0],[0,0.01]]}},
		{"type":"Feature","properties":{"highway":"residential"},"geometry":{"type":"LineString","coordinates":[[0,0],[0.01,0],[0.01,0.01]]}}]}`), 0o600))
	config := still()
	config.Town = file
	c := do[*geojson.FeatureCollection](newRig(t, config, host.Deps{}), "GET", "/town", "")
	require.Equal(t, "© us", c.ExtraMembers["attribution"])
	require.Equal(t, "North Road", c.Features[0].Properties["name"])
	require.Equal(t, "main", c.Features[0].Properties["class"])
	require.NotContains(t, c.Features[1].Properties, "name")
	n := kinds(c)
	require.Equal(t, len(c.Features), n["street"]+n["place"])
}

func TestTownlessWorldIsReturnedAsGeoJSON(t *testing.T) {
	config := still()
	config.Town = "none"
	c := do[*geojson.FeatureCollection](newRig(t, config, host.Deps{}), "GET", "/town", "")
	n := kinds(c)
	require.Equal(t, map[string]int{"place": len(c.Features)}, n)
	b := orb.Bound{Min: orb.Point{c.BBox[0], c.BBox[1]}, Max: orb.Point{c.BBox[2], c.BBox[3]}}
	require.True(t, b.Contains(c.Features[0].Geometry.(orb.Point)))
}

// TestJourneyRouteIsReturnedAsGeoJSON checks that a drive under way is returned as two lines, one driven and
// one ahead.
func TestJourneyRouteIsReturnedAsGeoJSON(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	j, err := r.desk.Book(t.Context(), r.request(monday))
	require.NoError(t, err)
	path := "/journeys/" + string(j.JourneyID)
	require.Len(t, do[*geojson.FeatureCollection](r, "GET", path+"/route", "").Features, 1)
	do[simulator.JourneyView](r, "POST", path+"/transition", `{"to":"EN_ROUTE","force":true}`)
	do[control.Advanced](r, "POST", "/clock/advance", `{"by":"10s"}`)
	c := do[*geojson.FeatureCollection](r, "GET", "/journeys/latest/route", "")
	require.Equal(t, string(j.JourneyID), c.ExtraMembers["journeyId"])
	require.Equal(t, monday.Add(10*time.Second).Format(time.RFC3339), c.ExtraMembers["at"])
	require.Len(t, c.Features, 3)
	for i, want := range []string{`{"to":"pickup","done":true`, `{"to":"pickup","done":false`, `{"to":"dropoff","stop":0,"done":false`} {
		p := c.Features[i].Properties
		var all map[string]any
		require.NoError(t, json.Unmarshal([]byte(want+"}"), &all))
		require.Subset(t, p, all)
		require.Positive(t, p.MustFloat64("metres"))
	}
	done, ahead := c.Features[0].Geometry.(orb.LineString), c.Features[1].Geometry.(orb.LineString)
	require.Equal(t, done[len(done)-1], ahead[0])
	r.refused("GET", "/journeys/J0/route", "", 404)
}

func TestJourneysAreListedByTheirIDs(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	first, second := r.bookAt(monday), r.bookAt(monday.Add(time.Second))
	list := do[control.JourneyList](r, "GET", "/journeys?id="+string(first.JourneyID)+",J0,"+string(second.JourneyID)+"&id="+string(first.JourneyID), "")
	require.Len(t, list.Journeys, 2)
	require.Equal(t, first.JourneyID, list.Journeys[0].JourneyID)
	require.Empty(t, do[control.JourneyList](r, "GET", "/journeys?status=POB&id="+string(first.JourneyID), "").Journeys)
	require.Contains(t, r.refused("GET", "/journeys?id="+strings.Repeat("J,", 501), "", 422).Detail, "at most 500")
}
