package console

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/inbound"
)

// filmPage is the template of a film: a page that needs no server.
//
//go:embed film.html
var filmPage string

// film is a recorded call and its town, for a page that plays it. It contains no phone number.
type film struct {
	Caller     string          `json:"caller"`
	DurationMs int64           `json:"durationMs"`
	Lines      []filmLine      `json:"lines"`
	Requests   []filmRequest   `json:"requests"`
	Journey    *filmJourney    `json:"journey,omitempty"` // nil: nothing was booked
	Route      json.RawMessage `json:"route,omitempty"`   // of the journey, as GeoJSON
	Town       json.RawMessage `json:"town"`              // as GeoJSON
}

// filmLine is a line that was spoken in a call, or a key that was pressed.
type filmLine struct {
	AtMs  int64  `json:"atMs"`
	Party string `json:"party"`
	Kind  string `json:"kind"`
	Text  string `json:"text"`

	Unsure bool `json:"unsure,omitempty"` // it was not understood, or is asked about
}

// filmRequest is a request that the call caused.
type filmRequest struct {
	AtMs   int64  `json:"atMs"`
	Path   string `json:"path"`
	Status int    `json:"status"`
	TookMs int64  `json:"tookMs"`
}

// filmJourney is the part of a journey that a film shows.
type filmJourney struct {
	Status    string          `json:"status"`
	Pickup    json.RawMessage `json:"pickup"`
	Dropoffs  json.RawMessage `json:"dropoffs"`
	Vehicle   json.RawMessage `json:"vehicle,omitempty"`
	Price     json.RawMessage `json:"price,omitempty"`
	Passenger struct {
		Name string `json:"name"`
	} `json:"passenger"`
}

// callStory is what the voice platform reports about a call.
type callStory struct {
	JourneyID string
	Call      *struct {
		DurationMs int64
		Began      time.Time
		Transcript []struct {
			filmLine

			Leg string
		}
	}
	Turns []struct {
		AskedMs  int64
		Unsure   bool
		Requests []struct {
			Path   string
			At     time.Time
			Status int
			TookMs int64
		}
	}
}

// makeFilm responds with a call and its town as one page that plays by itself, for download. The call "latest" is the
// newest.
func (c *Console) makeFilm(w http.ResponseWriter, r *http.Request) {
	platform := c.voice(r)
	if platform == nil || c.world == nil {
		noPlatform(w)
		return
	}
	f, err := c.filmOf(r, platform, r.PathValue("call"))
	if err != nil {
		problem(w, http.StatusNotFound, "not-found", err.Error())
		return
	}
	data, err := json.Marshal(f) // < and > are escaped, so that no text can end the script
	if err != nil {
		problem(w, http.StatusInternalServerError, "internal", "internal")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="call.html"`)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(strings.Replace(filmPage, "{{film}}", string(data), 1))) // the client may have disconnected
}

func (c *Console) filmOf(r *http.Request, platform http.Handler, call string) (*film, error) {
	if call == "latest" {
		var list []struct{ CallID string }
		if err := getJSON(r, platform, "/sim/v1/calls?limit=1", &list); err != nil || len(list) == 0 {
			return nil, errors.Join(errors.New("there has been no call yet"), err)
		}
		call = list[0].CallID
	}
	var story callStory
	if err := getJSON(r, platform, "/sim/v1/stories/"+url.PathEscape(call), &story); err != nil || story.Call == nil {
		return nil, errors.Join(errors.New("there is no such call"), err)
	}
	f := story.film()
	if err := getJSON(r, c.world, "/_control/v1/town", &f.Town); err != nil {
		return nil, fmt.Errorf("the town: %w", err)
	}
	if story.JourneyID == "" {
		return f, nil
	}
	path := "/_control/v1/journeys/" + url.PathEscape(story.JourneyID)
	if getJSON(r, c.world, path, &f.Journey) == nil && getJSON(r, c.world, path+"/route", &f.Route) == nil {
		f.Caller = f.Journey.Passenger.Name
	}
	return f, nil
}

// film returns a film with what the caller heard and did, and with the requests, but without the town and the journey.
func (t *callStory) film() *film {
	f := &film{Caller: "A caller", DurationMs: t.Call.DurationMs, Lines: []filmLine{}, Requests: []filmRequest{}}
	for _, l := range t.Call.Transcript {
		if l.Leg == "" && (l.Kind == "say" || l.Kind == "speech" || l.Kind == "press") {
			for _, turn := range t.Turns {
				if l.Kind == "speech" && turn.AskedMs >= l.AtMs {
					l.Unsure = turn.Unsure
					break
				}
			}
			f.Lines = append(f.Lines, l.filmLine)
		}
	}
	for _, turn := range t.Turns {
		for _, q := range turn.Requests {
			f.Requests = append(f.Requests, filmRequest{max(0, q.At.Sub(t.Call.Began).Milliseconds()), q.Path, q.Status, q.TookMs})
		}
	}
	return f
}

// getJSON sends a GET request with the headers of r to a handler of this process, and decodes the response into into.
func getJSON(r *http.Request, handler http.Handler, path string, into any) error {
	at, err := url.Parse(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	ask := r.Clone(r.Context())
	ask.Method, ask.URL, ask.RequestURI = http.MethodGet, at, path
	ask.Header.Del("Accept-Encoding")
	ask.Header.Del("If-None-Match")
	var answer inbound.Recorder
	handler.ServeHTTP(&answer, ask)
	if answer.Status >= http.StatusBadRequest {
		return fmt.Errorf("%s: %d", path, answer.Status)
	}
	if err := json.Unmarshal(answer.Body.Bytes(), into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
