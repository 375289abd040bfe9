package simapi

import (
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/phones"
	"github.com/cabrank/cabrank/simulator/platform/rest"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Limits of the stories of calls and chats.
const (
	mostStories  = 200
	mostTurns    = voice.MaxTurns + 10
	mostRequests = 300       // of one story, outside of turns
	mostVerbs    = 256 << 10 // size of one story
)

// StoryView is what a call or a chat has caused: the verbs of each turn, and the requests
// to the third party.
type StoryView struct {
	ID      string      `json:"id"`
	Version int         `json:"version"`        // counts changes
	Call    *calls.View `json:"call,omitempty"` // of a call that is still known

	Sound    bool      `json:"sound,omitempty"`   // the caller has a microphone
	Hearing  bool      `json:"hearing,omitempty"` // they are speaking into it
	Turns    []Turn    `json:"turns"`
	Requests []Request `json:"requests"` // outside of turns: of the current turn, or of a chat

	State   string           `json:"state,omitempty"`     // of the taxi plugin's conversation
	Journey string           `json:"journeyId,omitempty"` // the journey that was mentioned last
	Answers []booking.Answer `json:"answers"`             // the keys that the caller may press now

	Asks  []booking.Question `json:"asks,omitempty"` // the current question
	Frame *booking.Frame     `json:"frame"`          // the trip as understood so far; null: nothing yet
}

// Turn is a turn of a call: the caller's input, and its effects.
type Turn struct {
	AskedMs    int64             `json:"askedMs"` // since the call began
	AnsweredMs int64             `json:"answeredMs"`
	Action     string            `json:"action"`
	Reason     voice.TurnReason  `json:"reason"`
	Digits     string            `json:"digits,omitempty"`
	Speech     string            `json:"speech,omitempty"`
	Confidence float64           `json:"confidence,omitempty"` // of the speech, 0 to 1
	Dial       *voice.DialResult `json:"dial,omitempty"`
	Verbs      json.RawMessage   `json:"verbs"`         // the document in the response
	Cut        bool              `json:"cut,omitempty"` // the verbs were too long to be stored
	Error      string            `json:"error,omitempty"`
	Requests   []Request         `json:"requests"`

	Alternatives []voice.Alternative `json:"alternatives,omitempty"` // to the speech
	Unsure       bool                `json:"unsure,omitempty"`       // the taxi plugin has not understood it, or asks whether it was said

	asked, answered time.Time
}

// Request is a request to a third party.
type Request struct {
	Path   string    `json:"path"`
	At     time.Time `json:"at"`
	TookMs int64     `json:"tookMs"`
	Status int       `json:"status"` // HTTP status; 0: no response
	Error  string    `json:"error,omitempty"`

	// Journal is the id in the third party's journal, if it has one.
	Journal string `json:"request,omitempty"` // if the third party has a journal
	Verdict string `json:"verdict,omitempty"`
	Fault   string `json:"fault,omitempty"`
}

// Stories are the stored stories, oldest first.
type Stories struct {
	Phones *phones.Registry // the phones of callers

	mu   sync.Mutex
	list []*story
	byID map[string]*story
}

// story is what one call or chat has caused; it is guarded by the lock of Stories.
type story struct {
	id       string
	changes  voice.Changes
	turns    []Turn
	requests []Request
	prompt   booking.Prompt
	frame    *booking.Frame // the last frame with a trip
	journey  string
	sound    bool
	hearing  bool
	bytes    int
}

// change changes a story, which is created if necessary, and notifies waiting requests.
func (s *Stories) change(id string, do func(*story)) {
	if id == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.byID[id]
	if of == nil {
		if s.byID == nil {
			s.byID = map[string]*story{}
		}
		if len(s.list) >= mostStories {
			delete(s.byID, s.list[0].id)
			s.list = slices.Delete(s.list, 0, 1)
		}
		of = &story{id: id}
		s.byID[id] = of
		s.list = append(s.list, of)
	}
	do(of)
	of.changes.Tell()
}

func (s *Stories) find(id string) *story {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byID[id]
}

// forget removes all stories; waiting requests end at their timeout.
func (s *Stories) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, of := range s.list {
		of.changes.Tell()
	}
	s.list, s.byID = nil, nil
}

// Called adds a request that was sent to the third party.
func (s *Stories) Called(id string, c operations.Call) {
	s.change(id, func(of *story) {
		if len(of.requests) >= mostRequests {
			of.requests = slices.Delete(of.requests, 0, 1)
		}
		of.requests = append(of.requests, Request{
			Path: c.Path, At: c.At.UTC(), TookMs: c.Took.Milliseconds(), Status: c.Status, Error: c.Error,
			Journal: c.Request, Verdict: c.Verdict, Fault: c.Fault,
		})
	})
}

// Asked stores the possible answers to the question that a caller was asked.
func (s *Stories) Asked(id string, p booking.Prompt) {
	s.change(id, func(of *story) {
		of.prompt = p
		if p.Frame.Pickup != nil || len(p.Frame.Dropoffs) > 0 {
			of.frame = &p.Frame
		}
		if p.Journey != "" {
			of.journey = string(p.Journey)
		}
	})
}

// prompted returns the last prompt of a caller.
func (s *Stories) prompted(id string) booking.Prompt {
	s.mu.Lock()
	defer s.mu.Unlock()
	if of := s.byID[id]; of != nil {
		return of.prompt
	}
	return booking.Prompt{}
}

// Listening notifies a caller's phone that the taxi plugin waits for an answer.
func (s *Stories) Listening(call string, since time.Duration) {
	prompt := s.prompted(call)
	asks := prompt.Asks
	if asks == nil {
		asks = []booking.Question{booking.AsksMenu} // a flow without the taxi plugin
	}
	s.Phones.Listens(call, phones.Listening{AtMs: since.Milliseconds(), Asks: asks, Frame: prompt.Frame})
}

// Booked sets the journey that a customer has booked or changed.
func (s *Stories) Booked(id string, e booking.Event) {
	if e.Journey != "" {
		s.change(id, func(of *story) { of.journey = e.Journey })
	}
}

// setMicrophone records that a call is made with a microphone.
func (s *Stories) setMicrophone(call string) { s.change(call, func(of *story) { of.sound = true }) }

// setSpeaking records whether the caller is speaking.
func (s *Stories) setSpeaking(call string, speaks bool) {
	s.change(call, func(of *story) { of.hearing = speaks })
}

// Changed records that a call's transcript has changed, or that the call is over.
func (s *Stories) Changed(call string) { s.change(call, func(*story) {}) }

// Turned adds a turn. The requests since the previous turn belong to it.
func (s *Stories) Turned(t calls.Turned) {
	verbs := shownVerbs(t.Verbs)
	s.change(t.Call, func(of *story) {
		turn := Turn{
			Action: t.Request.Action, Reason: t.Request.Reason, Digits: t.Request.Digits, Speech: t.Request.Speech, Confidence: t.Request.Confidence, Dial: shownDial(t.Request.Dial),
			Alternatives: t.Request.Alternatives, Unsure: of.prompt.Strange,
			Verbs: verbs, Requests: of.requests, asked: t.Asked, answered: t.Answered,
		}
		if of.requests = nil; t.Err != nil {
			turn.Error = t.Err.Error()
		}
		if of.bytes += len(verbs); of.bytes > mostVerbs {
			turn.Verbs, turn.Cut = noVerbs, true
		}
		if len(of.turns) < mostTurns {
			of.turns = append(of.turns, turn)
		}
	})
}

// view returns the current state of a story, without its call.
func (s *Stories) view(of *story) StoryView {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := StoryView{
		ID: of.id, Version: of.changes.Version(), Sound: of.sound, Hearing: of.hearing, Turns: slices.Clone(of.turns), Requests: slices.Clone(of.requests),
		State: string(of.prompt.State), Journey: of.journey, Answers: of.prompt.Answers,
		Asks: of.prompt.Asks, Frame: of.frame,
	}
	v.Turns, v.Requests, v.Answers = listed(v.Turns), listed(v.Requests), listed(v.Answers)
	for i := range v.Turns {
		v.Turns[i].Requests = listed(v.Turns[i].Requests)
	}
	return v
}

// listed returns a list that is [] in JSON if it is empty.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// getStory returns what a call or a chat has caused. With version, it waits for changes
// since that version.
func (p *API) getStory(r *rest.Request) (rest.Reply, error) {
	id := r.C.Param("id")
	of := p.Stories.find(id)
	if _, known := p.Calls.Find(id); known && of == nil { // nothing has happened yet
		p.Stories.Changed(id)
		of = p.Stories.find(id)
	}
	if of == nil {
		return rest.Reply{}, api.Refuse(api.CodeNotFound, "there is no such call or chat, or it was long ago")
	}
	news(r, of.changes.Wait)
	v := p.Stories.view(of)
	call, known := p.Calls.Find(id)
	if !known {
		return rest.OK(v), nil
	}
	v.Call = &call
	for i := range v.Turns {
		t := &v.Turns[i]
		t.AskedMs, t.AnsweredMs = since(call.Began, t.asked), since(call.Began, t.answered)
	}
	return rest.OK(v), nil
}

// since returns the milliseconds from the beginning of a call until a time, as in its transcript.
func since(began, at time.Time) int64 {
	return max(0, at.Sub(began).Round(time.Millisecond).Milliseconds())
}

// shownVerbs encodes a document for people: as on the wire, but without the phone numbers
// that are called or shown.
func shownVerbs(d voice.Document) json.RawMessage {
	shown := slices.Clone(d)
	for i, v := range shown {
		dial, ok := v.(voice.Dial)
		if !ok {
			continue
		}
		dial.CallerID = voice.MaskAddress(dial.CallerID)
		dial.Targets = slices.Clone(dial.Targets)
		for j, t := range dial.Targets {
			dial.Targets[j] = maskedTarget(t)
		}
		shown[i] = dial
	}
	text, err := json.Marshal(shown)
	if err != nil || shown == nil {
		return noVerbs // the verbs always encode
	}
	return text
}

// shownDial returns the result of a dial without phone numbers; nil: there was none.
func shownDial(d *voice.DialResult) *voice.DialResult {
	if d == nil {
		return nil
	}
	shown := *d
	shown.To, shown.From = voice.MaskAddress(d.To), voice.MaskAddress(d.From)
	return &shown
}

var noVerbs = json.RawMessage("[]")

func maskedTarget(t voice.Target) voice.Target {
	switch {
	case t.PhoneNumber != nil:
		t.PhoneNumber = &voice.PhoneNumber{Number: voice.MaskAddress(t.PhoneNumber.Number)}
	case t.Extension != nil:
		t.Extension = &voice.Extension{Extension: t.Extension.Extension, OverrideTo: voice.MaskAddress(t.Extension.OverrideTo)}
	case t.SIPURI != nil:
		t.SIPURI = &voice.SIPURI{URI: voice.MaskAddress(t.SIPURI.URI)}
	}
	return t
}
