package calling

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
)

// gazetteer finds the places that users name in the town of the server that they book
// with. Other dispatch systems have no list: their places are those of the fixtures.
type gazetteer struct {
	client *http.Client
	url    string
	known  []fixtures.Place // nil: not asked for yet
}

// find reads "ADDRESS@LATITUDE,LONGITUDE", or finds a place by its name, its kind or a
// word of its name.
func (g *gazetteer) find(ctx context.Context, text string) (taxi.Address, error) {
	if strings.LastIndexByte(text, '@') > 0 {
		return ParsePlace(text)
	}
	if g.known == nil {
		if g.known = g.ask(ctx); g.known == nil {
			g.known = fixtures.Places()
		}
	}
	return placeAmong(g.known, text)
}

// ask asks the server for its places; nil: it has no list, or none that can be read.
func (g *gazetteer) ask(ctx context.Context) []fixtures.Place {
	const most = 4 << 20
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(g.url, "/")+"/places", nil)
	if err != nil {
		return nil
	}
	resp, err := g.client.Do(r)
	if err != nil {
		return nil // booking says why nobody answers
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

// placeAmong finds a place by its kind or a word of its name.
func placeAmong(places []fixtures.Place, text string) (taxi.Address, error) {
	wanted := strings.ToLower(strings.TrimSpace(text))
	for _, p := range places {
		if wanted != "" && (strings.EqualFold(p.Kind, wanted) || strings.Contains(strings.ToLower(p.Name), wanted)) {
			return p.Address, nil
		}
	}
	return taxi.Address{}, fmt.Errorf("no place %q here; GET /places of the server and 'cabrank samples --places' list them, or give ADDRESS@LATITUDE,LONGITUDE", text)
}
