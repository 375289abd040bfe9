package calling

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/town"
)

// TownPlaces returns the well-known places of the default town of serve and demo.
func TownPlaces() []fixtures.Place {
	t := town.Default()
	places := make([]fixtures.Place, len(t.Places))
	for i, p := range t.Places {
		places[i] = fixtures.Place{Name: p.Name, Kind: string(p.Kind), Address: t.Wire(p.Address)}
	}
	return places
}

// gazetteer finds places by name in the town of the server that is called. Other dispatch
// systems have no list of places: for them it uses the default town of serve.
type gazetteer struct {
	client *http.Client
	url    string
	note   func(words string) // reports the place that was chosen if several match
	known  []fixtures.Place   // nil: not requested yet
}

// find returns the address for a text: ADDRESS@LATITUDE,LONGITUDE, or the name, the kind or a word of the name of a
// place. flag is the flag with the text, for errors.
func (g *gazetteer) find(ctx context.Context, flag, text string) (taxi.Address, error) {
	if strings.LastIndexByte(text, '@') > 0 {
		at, err := ParsePlace(text)
		if err != nil {
			return at, fmt.Errorf("%s: %w", flag, err)
		}
		return at, nil
	}
	if g.known == nil {
		if g.known = AskPlaces(ctx, g.client, g.url); g.known == nil {
			g.known = TownPlaces()
		}
	}
	found := placesAmong(g.known, text)
	if len(found) == 0 {
		return taxi.Address{}, fmt.Errorf("%s: %w", flag, noPlace(text))
	}
	if len(found) > 1 {
		g.note(ambiguityNote(flag, text, found))
	}
	return found[0].Address, nil
}

// ambiguityNote returns a note that the first of several matching places was chosen, with the names of the others.
func ambiguityNote(flag, text string, found []fixtures.Place) string {
	const most = 6 // an imported town may have hundreds of pubs
	var names []string
	for _, p := range found[:min(len(found), most)] {
		names = append(names, cli.Line(p.Name))
	}
	if len(found) > most {
		names = append(names, "…")
	}
	return fmt.Sprintf("%s %s is %s, the first of %d matches; the others are %s", flag, cli.Line(text), names[0], len(found), strings.Join(names[1:], ", "))
}

// AskPlaces asks a server for its places; it returns nil if the server has no valid list.
func AskPlaces(ctx context.Context, client *http.Client, url string) []fixtures.Place {
	const most = 4 << 20
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(url, "/")+"/places", nil)
	if err != nil {
		return nil
	}
	resp, err := client.Do(r)
	if err != nil {
		return nil // the booking itself reports an unreachable server
	}
	defer resp.Body.Close()
	var list struct{ Places []fixtures.Place }
	if resp.StatusCode != http.StatusOK || json.NewDecoder(io.LimitReader(resp.Body, most)).Decode(&list) != nil {
		return nil
	}
	for _, p := range list.Places {
		if p.Location == nil {
			return nil
		}
	}
	return list.Places
}

// placesAmong returns the places that a text may mean: those with that name, or else those of that kind, or else those
// with that text in their names; nil: there are none.
func placesAmong(places []fixtures.Place, text string) []fixtures.Place {
	wanted := strings.ToLower(strings.TrimSpace(text))
	if wanted == "" {
		return nil
	}
	for _, means := range []func(fixtures.Place) bool{
		func(p fixtures.Place) bool { return strings.EqualFold(p.Name, wanted) },
		func(p fixtures.Place) bool { return strings.EqualFold(p.Kind, wanted) },
		func(p fixtures.Place) bool { return strings.Contains(strings.ToLower(p.Name), wanted) },
	} {
		var found []fixtures.Place
		for _, p := range places {
			if means(p) {
				found = append(found, p)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

func noPlace(text string) error {
	return fmt.Errorf("no place %q here; GET /places of the server and 'cabrank samples --places' list them, or give ADDRESS@LATITUDE,LONGITUDE", text)
}

// ParsePoint parses LATITUDE,LONGITUDE in degrees; false: it is not a point on the Earth.
func ParsePoint(text string) (taxi.Point, bool) {
	p, numbers := twoNumbers(text)
	return p, numbers && math.Abs(p.Latitude) <= 90 && math.Abs(p.Longitude) <= 180
}

// twoNumbers parses LATITUDE,LONGITUDE without limits on their size; false: the text is not two numbers.
func twoNumbers(text string) (taxi.Point, bool) {
	lat, lon, _ := strings.Cut(text, ",")
	y, errY := strconv.ParseFloat(strings.TrimSpace(lat), 64)
	x, errX := strconv.ParseFloat(strings.TrimSpace(lon), 64)
	return taxi.Point{Longitude: x, Latitude: y}, errY == nil && errX == nil
}

// NamesNoPoint reports whether a text is two numbers that are not the coordinates of a point on the Earth.
func NamesNoPoint(text string) bool {
	_, numbers := twoNumbers(text)
	_, is := ParsePoint(text)
	return numbers && !is
}

// ParsePlace parses "ADDRESS@LATITUDE,LONGITUDE", or finds a place of the fixtures by its
// name or a word of its name.
func ParsePlace(text string) (taxi.Address, error) {
	if i := strings.LastIndexByte(text, '@'); i > 0 {
		at, ok := ParsePoint(text[i+1:])
		if !ok {
			return taxi.Address{}, fmt.Errorf("%q: want ADDRESS@LATITUDE,LONGITUDE in degrees", text)
		}
		return taxi.Address{Address: text[:i], Location: &at}, nil
	}
	found := placesAmong(fixtures.Places(), text)
	if len(found) == 0 {
		return taxi.Address{}, noPlace(text)
	}
	return found[0].Address, nil
}
