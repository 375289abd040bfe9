package room

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// View is the content of a guest's page: their own phone, and the taxi that they booked.
type View struct {
	Name    string   `json:"name"`
	Speaks  bool     `json:"speaks"`      // calls with a microphone are possible, and prompts are heard
	Listens bool     `json:"understands"` // speech is understood
	Call    *Call    `json:"call,omitempty"`
	Answers []Answer `json:"answers"` // the keys that may be pressed now
	Ride    *Ride    `json:"ride,omitempty"`
}

// Call is a guest's latest call.
type Call struct {
	Up    bool   `json:"up"`
	Sound bool   `json:"sound"` // it is made with the microphone
	Lines []Line `json:"lines"`
}

// Line is something that was said.
type Line struct {
	You  bool   `json:"you"`
	Text string `json:"text"`
	Sure int    `json:"sure,omitempty"` // confidence of the recogniser, in percent

	Unsure bool `json:"unsure,omitempty"` // it was not understood, or is asked about
}

// Answer is a key and its meaning.
type Answer struct {
	Key   string `json:"key"`
	Label string `json:"label"`
}

// Ride is the journey that a call was about.
type Ride struct {
	Status  string `json:"status"`
	Vehicle string `json:"vehicle,omitempty"`
	Driver  string `json:"driver,omitempty"`
	Minutes int    `json:"minutes,omitempty"` // until the taxi comes, or arrives

	Car *taxi.Point `json:"car,omitempty"` // where it is
}

// way is the route of a journey's taxi as GeoJSON: a line for each drive, but two for the current one, of which the
// first has been driven already.
type way struct {
	Features []leg `json:"features"`
}

type leg struct {
	Geometry struct {
		Coordinates [][2]float64 `json:"coordinates"`
	} `json:"geometry"`
	Properties struct {
		To   string `json:"to"`
		Stop int    `json:"stop"`
		Done bool   `json:"done"`
	} `json:"properties"`
}

// story is the part of the platform's record of a call that a guest sees.
type story struct {
	Call *struct {
		Status     string
		Transcript []struct {
			Party, Kind, Text string
			Leg               int
		}
	}
	Sound bool
	Turns []struct {
		Speech     string
		Confidence float64
		Unsure     bool
	}
	JourneyID string `json:"journeyId"`
	Answers   []Answer
}

var ended = []string{"completed", "busy", "no-answer", "failed", "canceled"}

func (s *story) up() bool { return s.Call != nil && !slices.Contains(ended, s.Call.Status) }

// call returns the call with its transcript; nil: the platform no longer has it.
func (s *story) call() *Call {
	if s.Call == nil {
		return nil
	}
	c := &Call{Up: s.up(), Sound: s.Sound, Lines: []Line{}}
	for _, l := range s.Call.Transcript {
		switch {
		case l.Leg != 0 || l.Text == "":
		case l.Kind == "say":
			c.Lines = append(c.Lines, Line{Text: l.Text})
		case l.Kind == "press":
			c.Lines = append(c.Lines, Line{You: true, Text: "key " + l.Text})
		case l.Kind == "speech":
			c.Lines = append(c.Lines, s.heard(l.Text))
		}
	}
	return c
}

// heard returns a line with what the guest has said. On calls with a microphone, it includes the confidence of the
// recogniser.
func (s *story) heard(text string) Line {
	line := Line{You: true, Text: text}
	for _, t := range s.Turns {
		if s.Sound && t.Speech == text {
			line.Sure, line.Unsure = int(100*t.Confidence), t.Unsure
		}
	}
	return line
}

// storeName stores the guest's name in the world, so that the taxi firm knows it.
func (r *Room) storeName(ctx context.Context, g *guest) error {
	return ask(ctx, r.options.World, http.MethodPut, "/_control/v1/users/"+g.number, map[string]string{"name": g.name}, nil)
}

// look returns the content of a guest's page.
func (r *Room) look(ctx context.Context, g *guest) (View, error) {
	v := View{Name: g.name, Answers: []Answer{}}
	var sound struct{ Speaks, Understands bool }
	if err := ask(ctx, r.options.Platform, http.MethodGet, "/sim/v1/sound", nil, &sound); err != nil {
		return v, err
	}
	v.Speaks, v.Listens = sound.Speaks, sound.Understands
	g.mu.Lock()
	call, phone := g.call, g.phone
	g.mu.Unlock()
	if call == "" {
		return v, nil
	}
	s, err := r.story(ctx, call)
	if err != nil {
		return v, err
	}
	if s.up() && phone != "" { // who looks no longer has left: the platform then hangs up
		_ = ask(ctx, r.options.Platform, http.MethodGet, "/sim/v1/phones/"+phone+"?version=-1", nil, nil)
	}
	v.Call = s.call()
	if s.up() && s.Answers != nil {
		v.Answers = s.Answers
	}
	v.Ride = r.ride(ctx, s.JourneyID)
	return v, nil
}

// story returns the record of a call. It is empty if the platform no longer has the call.
func (r *Room) story(ctx context.Context, call string) (s story, err error) {
	err = ask(ctx, r.options.Platform, http.MethodGet, "/sim/v1/stories/"+url.PathEscape(call), nil, &s)
	if gone, ok := errors.AsType[*refusal](err); ok && gone.status == http.StatusNotFound {
		return story{}, nil
	}
	return s, err
}

// ride returns the journey of a guest's call; nil: there is none.
func (r *Room) ride(ctx context.Context, journey string) *Ride {
	if journey == "" {
		return nil
	}
	var j struct {
		Status   string
		Vehicle  struct{ Description, Registration string }
		Driver   struct{ Name string }
		ETA      struct{ Value float64 } `json:"eta"`
		Location *taxi.Point
	}
	if ask(ctx, r.options.World, http.MethodGet, "/_control/v1/journeys/"+url.PathEscape(journey), nil, &j) != nil {
		return nil // it is in another world
	}
	vehicle := j.Vehicle.Description
	if j.Vehicle.Registration != "" {
		vehicle += ", " + j.Vehicle.Registration
	}
	return &Ride{Status: j.Status, Vehicle: vehicle, Driver: j.Driver.Name, Minutes: int(j.ETA.Value), Car: j.Location}
}

// wayOf returns the route of the taxi that the guest's call was about. It has no lines if there is no taxi.
func (r *Room) wayOf(ctx context.Context, g *guest) (w way) {
	g.mu.Lock()
	call := g.call
	g.mu.Unlock()
	w.Features = []leg{}
	if s, err := r.story(ctx, call); call != "" && err == nil && s.JourneyID != "" {
		_ = ask(ctx, r.options.World, http.MethodGet, "/_control/v1/journeys/"+url.PathEscape(s.JourneyID)+"/route", nil, &w) // it may be in another world
	}
	return w
}

var errBusy = errors.New("you are on the phone")

// begin reserves the guest's phone while a call starts, since a guest has one call at a time; done ends the
// reservation.
func (r *Room) begin(ctx context.Context, g *guest) (done func(), err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.busy {
		return nil, errBusy
	}
	if g.call != "" {
		s, err := r.story(ctx, g.call)
		if err != nil {
			return nil, err
		}
		if s.up() {
			return nil, errBusy
		}
	}
	g.busy = true
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.busy = false
	}, nil
}

// storeCall stores a guest's call and the phone that makes it. If the guest has been removed meanwhile, the call ends.
func (r *Room) storeCall(ctx context.Context, g *guest, call, phone string) {
	g.mu.Lock()
	g.call, g.phone = call, phone
	g.mu.Unlock()
	if !r.has(g) {
		r.hangUp(ctx, g)
	}
}

// step is one step of a script that a guest's phone follows by itself.
type step map[string]any

// comingNow is the script with which a phone tells the firm that the guest is coming to the taxi at the door.
var comingNow = []step{{"wait": "1s"}, {"say": "I am coming now"}, {"expect": "driver"}, {"hangup": true}}

// dial calls the taxi firm from a guest's number. With a script, the phone follows it.
func (r *Room) dial(ctx context.Context, g *guest, script ...step) error {
	done, err := r.begin(ctx, g)
	if err != nil {
		return err
	}
	defer done()
	var phone struct{ ID, CallID string }
	err = ask(ctx, r.options.Platform, http.MethodPost, "/sim/v1/phones", struct {
		From   string `json:"from"`
		To     string `json:"to"`
		Script []step `json:"script,omitempty"`
	}{"+" + g.number, "taxi", script}, &phone)
	if err == nil {
		r.storeCall(ctx, g, phone.CallID, phone.ID)
	}
	return err
}

// act is an action on a guest's phone; one member is set.
type act struct {
	Press  string `json:"press,omitempty"`
	Say    string `json:"say,omitempty"`
	Hangup bool   `json:"hangup,omitempty"`
}

var errNoCall = errors.New("you are not on the phone")

// do performs an action on a guest's call. On a call with a microphone, keys and words come over its line instead.
func (r *Room) do(ctx context.Context, g *guest, a act) error {
	g.mu.Lock()
	call, phone := g.call, g.phone
	g.mu.Unlock()
	switch {
	case call == "":
		return errNoCall
	case a.Hangup:
		r.hangUp(ctx, g)
		return nil
	case phone == "":
		return errNoCall
	}
	return ask(ctx, r.options.Platform, http.MethodPost, "/sim/v1/phones/"+phone, a, nil)
}

// hangUp ends a guest's call, if there is one.
func (r *Room) hangUp(ctx context.Context, g *guest) {
	g.mu.Lock()
	call := g.call
	g.mu.Unlock()
	if call != "" {
		_ = ask(ctx, r.options.Platform, http.MethodDelete, "/sim/v1/calls/"+call, nil, nil) // it may be over
	}
}
