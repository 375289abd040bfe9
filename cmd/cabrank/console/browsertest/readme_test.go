//go:build browser

package browsertest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

var picture = flag.String("picture", "", "the file into which TestReadmePicture writes")

// TestReadmePicture makes the picture at the head of the README:
//
//	go test -tags browser ./cmd/cabrank/console/browsertest -run ReadmePicture -picture ../../docs/console.png
func TestReadmePicture(t *testing.T) {
	if *picture == "" {
		t.Skip("-picture says where the picture is to be")
	}
	s := serve(t, "serve", "--log", "off", "--cars", "120", "--demand", "city")
	s.call("POST", "/_control/v1/reset", map[string]any{"now": "2026-06-19T02:30:00Z", "seed": 1})
	s.call("PUT", "/_control/v1/clock", map[string]any{"mode": "manual", "callers": "world"})
	s.call("POST", "/_control/v1/clock/advance", map[string]any{"to": "2026-06-19T02:45:00Z"})
	journey, user := s.onItsWay()
	for range 3 { // so that there are answers to be seen
		s.call("POST", "/status", map[string]any{"journeyId": journey, "userId": user})
		s.call("POST", "/_control/v1/clock/advance", map[string]any{"by": "12s"})
	}
	p := newTab(t, s)
	p.look("light", size{1400, 875})
	p.shown(view{path: "/console/live?journey=" + journey})
	shot, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	require.NoError(t, err)
	shot = fewColours(t, shot)
	require.LessOrEqual(t, len(shot), 300_000)
	require.NoError(t, os.WriteFile(*picture, shot, 0o600))
}

// onItsWay is a journey whose taxi has some way to go to its passenger: the one that lies most
// in the middle of the town.
func (s *server) onItsWay() (journey, user string) {
	s.t.Helper()
	type point struct{ Longitude, Latitude float64 }
	type place struct{ Location point }
	var town struct{ Places []place }
	s.read("/places", &town)
	require.NotEmpty(s.t, town.Places)
	hall, least := town.Places[0].Location, math.Inf(1)
	var list struct {
		Journeys []struct {
			JourneyID, UserID string
			Eta               struct{ Value int }
			Pickup            place
			Dropoffs          []place
		}
	}
	s.read("/_control/v1/journeys?status=EN_ROUTE&limit=500", &list)
	for _, j := range list.Journeys {
		from, to := j.Pickup.Location, j.Dropoffs[0].Location
		off := math.Hypot((from.Longitude+to.Longitude)/2-hall.Longitude, (from.Latitude+to.Latitude)/2-hall.Latitude)
		if j.Eta.Value >= 3 && off < least {
			journey, user, least = j.JourneyID, j.UserID, off
		}
	}
	require.NotEmpty(s.t, journey, "no taxi is on its way")
	return journey, user
}

// read reads what a GET answers.
func (s *server) read(path string, v any) {
	s.t.Helper()
	status, _, said := s.ask("GET", path, nil)
	require.Equal(s.t, 200, status, "%s: %s", path, said)
	require.NoError(s.t, json.Unmarshal(said, v))
}

// fewColours is a picture with at most 256 colours, which nobody sees in a map, and a third of
// the bytes.
func fewColours(t *testing.T, picture []byte) []byte {
	t.Helper()
	whole, err := png.Decode(bytes.NewReader(picture))
	require.NoError(t, err)
	few := image.NewPaletted(whole.Bounds(), palette(whole))
	draw.Draw(few, few.Bounds(), whole, whole.Bounds().Min, draw.Src)
	var b bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, few))
	return b.Bytes()
}

// palette are the colours that stand for most of a picture: each is the mean of those that
// are near to each other.
func palette(of image.Image) (p color.Palette) {
	type sum struct{ n, red, green, blue int }
	near := map[[3]uint32]sum{}
	for y := of.Bounds().Min.Y; y < of.Bounds().Max.Y; y++ {
		for x := of.Bounds().Min.X; x < of.Bounds().Max.X; x++ {
			r, g, b, _ := of.At(x, y).RGBA()
			at := [3]uint32{r >> 12, g >> 12, b >> 12}
			s := near[at]
			near[at] = sum{s.n + 1, s.red + int(r>>8), s.green + int(g>>8), s.blue + int(b>>8)}
		}
	}
	sums := slices.SortedFunc(maps.Values(near), func(a, b sum) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.red, b.red), cmp.Compare(a.green, b.green), cmp.Compare(a.blue, b.blue))
	})
	for _, s := range sums[:min(256, len(sums))] {
		p = append(p, color.RGBA{uint8(s.red / s.n), uint8(s.green / s.n), uint8(s.blue / s.n), 255})
	}
	return p
}
