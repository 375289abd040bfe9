// Package chat is the messaging channel: the same conversation as on the phone, with text
// instead of speech and buttons instead of keys, and with news of the journey.
package chat

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Message is one message of a chat.
type Message struct {
	At       time.Time   `json:"at"`
	From     Party       `json:"from"`
	Text     string      `json:"text,omitempty"`
	Location *taxi.Point `json:"location,omitempty"` // of the car, on a map
	Buttons  []Button    `json:"buttons,omitempty"`  // that can be pressed until a later message has buttons

	about taxi.JourneyID // the journey of news; "": part of a conversation
}

// Party is the author of a message.
type Party string

// The parties.
const (
	Customer Party = "customer"
	Firm     Party = "firm"
)

// Button is a choice that the customer can press.
type Button struct {
	ID    string `json:"id"` // "cancel", "place2"
	Label string `json:"label"`
}

// Limits of a chat.
const (
	mostMessages = 1000 // stored messages; the oldest are removed first
	longestText  = 1000 // bytes of a customer's message
)

// Options configures a chat; all are required.
type Options struct {
	Desk  *booking.Desk
	Clock voice.Clock // for polling the third party

	// Step receives each step before its messages are added; may be nil.
	Step func(booking.Step)
}

// Chat is one customer's thread. It is safe for concurrent use; actions of the customer
// are handled one at a time.
type Chat struct {
	opts     Options
	customer booking.Customer

	turn sync.Mutex // held during an action

	mu       sync.Mutex
	session  *booking.Session
	over     bool // the session is over
	messages []Message
	changes  voice.Changes // counts all messages, including removed ones
	closed   bool
	follow   *following // nil: no journey is followed
	located  string     // the journey and status whose location was shown last
}

// New returns an empty chat.
func New(opts Options, customer booking.Customer) *Chat {
	customer.Channel = booking.FeatureMessaging
	if opts.Step == nil {
		opts.Step = func(booking.Step) {}
	}
	return &Chat{opts: opts, customer: customer, over: true}
}

// Begin opens a request of the customer without a message.
func (c *Chat) Begin(ctx context.Context) {
	c.turn.Lock()
	defer c.turn.Unlock()
	c.begin(ctx, c.customer)
}

// Write handles a message of the customer.
func (c *Chat) Write(ctx context.Context, text string) {
	c.turn.Lock()
	defer c.turn.Unlock()
	text = strings.ToValidUTF8(text[:min(len(text), longestText)], "")
	c.add(Message{From: Customer, Text: text})
	if !c.ended() {
		c.hear(ctx, booking.Input{Words: text})
		return
	}
	if c.begin(ctx, c.customer).Then != booking.ThenListen {
		return
	}
	s := c.now()
	if step := s.Hear(ctx, booking.Input{Words: text}); !step.Missed { // the greeting has answered a "hello"
		c.show(ctx, s, step)
	}
}

// Press handles a button. It returns false if the button is no longer valid. A button
// below news is about that journey, whatever the conversation is about; the buttons of an
// open question stay valid beside those of later news.
func (c *Chat) Press(ctx context.Context, id string) bool {
	c.turn.Lock()
	defer c.turn.Unlock()
	label, about, ok := c.button(id)
	if !ok {
		return false
	}
	c.add(Message{From: Customer, Text: label})
	if about != "" || c.ended() {
		who := c.customer
		if known, follows := c.followed(); follows && about == "" {
			about = known.JourneyID
		}
		if about != "" {
			who.Wish = &booking.Wish{Journey: about}
		}
		if c.begin(ctx, who).Then != booking.ThenListen {
			return true
		}
	}
	c.hear(ctx, pressed(id))
	return true
}

// button finds a valid button, and the journey of its news; "": it belongs to a question.
func (c *Chat) button(id string) (label string, about taxi.JourneyID, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	latest := true // no later message has buttons
	for _, m := range slices.Backward(c.messages) {
		if len(m.Buttons) == 0 || !latest && m.about != "" {
			continue
		}
		for _, b := range m.Buttons {
			if b.ID == id {
				return b.Label, m.about, true
			}
		}
		if m.about == "" || c.over {
			break
		}
		latest = false
	}
	return "", "", false
}

// pressed converts a button to an input.
func pressed(id string) booking.Input {
	if n, isPlace := strings.CutPrefix(id, buttonPlace); isPlace {
		return booking.Input{Keys: n}
	}
	return booking.Input{Choice: spoken.Choice(id)}
}

const buttonPlace = "place"

func (c *Chat) ended() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.over
}

// begin opens a new request and returns its first step; a current request is ended.
func (c *Chat) begin(ctx context.Context, who booking.Customer) booking.Step {
	s := c.opts.Desk.Session(who)
	c.mu.Lock()
	before := c.session
	c.session, c.over = s, false
	c.mu.Unlock()
	if before != nil {
		before.Leave()
	}
	step := s.Begin(ctx)
	c.show(ctx, s, step)
	return step
}

func (c *Chat) hear(ctx context.Context, in booking.Input) {
	s := c.now()
	c.show(ctx, s, s.Hear(ctx, in))
}

func (c *Chat) now() *booking.Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session
}

// show adds the messages of a step, and continues with the next step if this one asks nothing.
func (c *Chat) show(ctx context.Context, s *booking.Session, step booking.Step) {
	c.opts.Step(step)
	c.add(Message{From: Firm, Text: strings.Join(step.Said, " "), Buttons: buttons(s, step)})
	switch {
	case step.State == booking.Cancellation: // the customer has cancelled
		c.unwatch()
	case step.Journey != nil:
		c.locate(s, c.watch(s, *step.Journey))
	}
	switch step.Then {
	case booking.ThenListen:
	case booking.ThenPerson: // a person reads this chat from now on
		c.show(ctx, s, s.Hear(ctx, booking.Input{Reached: booking.ReachedThem}))
	case booking.ThenDriver: // calls the customer, and then the driver
		in := booking.Input{Reached: booking.ReachedNobody}
		if c.opts.Desk.Connect(c.customer, *step.Journey) == nil {
			in.Reached = booking.ReachedThem
		}
		c.show(ctx, s, s.Hear(ctx, in))
	case booking.ThenWait:
		if step.Telling != nil {
			select {
			case <-step.Telling.Done():
			case <-ctx.Done():
			}
		}
		if ctx.Err() == nil {
			c.show(ctx, s, s.Hear(ctx, booking.Input{}))
		}
	default:
		c.mu.Lock()
		c.over = true
		c.mu.Unlock()
	}
}

// buttons returns the choices of a step, and the places and bookings that it lists.
func buttons(s *booking.Session, step booking.Step) []Button {
	var list []Button
	if step.Then != booking.ThenListen {
		return nil
	}
	for i, p := range step.Places {
		list = append(list, Button{buttonPlace + strconv.Itoa(i+1), s.Place(p)})
	}
	for i, j := range step.Bookings {
		list = append(list, Button{buttonPlace + strconv.Itoa(i+1), s.Booking(j)})
	}
	for _, choice := range step.Offered {
		list = append(list, Button{string(choice), s.Label(choice)})
	}
	return list
}

// add adds a message, unless it is empty.
func (c *Chat) add(m Message) {
	if m.Text == "" && m.Location == nil && len(m.Buttons) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	if len(c.messages) >= mostMessages {
		c.messages = slices.Delete(c.messages, 0, 1)
	}
	m.At = c.opts.Clock.Now()
	c.messages = append(c.messages, m)
	c.changes.Tell()
}

// followed returns the journey whose news the customer receives; false if there is none.
func (c *Chat) followed() (operations.Journey, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.follow == nil {
		return operations.Journey{}, false
	}
	return c.follow.journey, true
}

// View is the state of a chat.
type View struct {
	Messages  []Message `json:"messages"`
	First     int       `json:"first"`     // the number of the first of Messages; only the latest are stored
	Version   int       `json:"version"`   // number of messages, including removed ones
	Following bool      `json:"following"` // news of a journey may arrive
}

// View returns the stored messages from number from on. The first message of a chat has
// the number 0.
func (c *Chat) View(from int) View {
	c.mu.Lock()
	defer c.mu.Unlock()
	version := c.changes.Version()
	gone := version - len(c.messages)
	first := min(max(from, gone), version)
	v := View{Messages: slices.Clone(c.messages[first-gone:]), First: first, Version: version, Following: c.follow != nil}
	if v.Messages == nil {
		v.Messages = []Message{}
	}
	return v
}

// Wait returns when there are messages after a version, or ctx ends.
func (c *Chat) Wait(ctx context.Context, version int) { c.changes.Wait(ctx, version) }

// Close ends the chat, and stops polling for news.
func (c *Chat) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stop()
	c.closed = true
	if c.session != nil {
		c.opts.Clock.Go(c.session.Leave) // in the background, since it may wait for the third party
	}
}
