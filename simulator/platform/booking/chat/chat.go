// Package chat is the messaging channel: the same conversation as on the phone,
// with text in place of speech and buttons in place of keys, and news of the
// journey as it goes on.
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
	Location *taxi.Point `json:"location,omitempty"` // of the vehicle, on a map
	Buttons  []Button    `json:"buttons,omitempty"`  // that may be pressed as long as no later message has any

	about taxi.JourneyID // of news; "": it is part of a conversation
}

// Party is who writes.
type Party string

// Who writes.
const (
	Customer Party = "customer"
	Firm     Party = "firm"
)

// Button is something to press in place of writing.
type Button struct {
	ID    string `json:"id"` // "cancel", "place2"
	Label string `json:"label"`
}

// Bounds of a chat.
const (
	mostMessages = 1000 // that are kept: the oldest make room
	longestText  = 1000 // bytes of what a customer writes
)

// Options is what a chat needs; all are required.
type Options struct {
	Desk  *booking.Desk
	Clock voice.Clock // of the third party: news are asked for at its pace

	// Step is told each step before its messages are there; nil: nobody is.
	Step func(booking.Step)
}

// Chat is one customer's thread. It is safe for concurrent use; what the customer
// does waits for what they did before.
type Chat struct {
	opts     Options
	customer booking.Customer

	turn sync.Mutex // one thing at a time

	mu       sync.Mutex
	session  *booking.Session
	over     bool // the session is
	messages []Message
	changes  voice.Changes // one for each message, with those that made room
	closed   bool
	follow   *following // nil: no journey is followed
	located  string     // the journey and status whose place was shown last
}

// New returns an empty chat.
func New(opts Options, customer booking.Customer) *Chat {
	customer.Channel = booking.FeatureMessaging
	if opts.Step == nil {
		opts.Step = func(booking.Step) {}
	}
	return &Chat{opts: opts, customer: customer, over: true}
}

// Begin opens a request of the customer without a word.
func (c *Chat) Begin(ctx context.Context) {
	c.turn.Lock()
	defer c.turn.Unlock()
	c.begin(ctx, c.customer)
}

// Write is the customer writing.
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
	if step := s.Hear(ctx, booking.Input{Words: text}); !step.Missed { // a "hello" has been answered by the greeting
		c.show(ctx, s, step)
	}
}

// Press is the customer pressing a button. It reports false for one that is not
// there any more. One below news is about their journey, whatever is being talked
// about; the buttons of an open question stay beside those of later news.
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

// button finds a button that may be pressed, and the journey whose news it is below;
// "": it belongs to a question.
func (c *Chat) button(id string) (label string, about taxi.JourneyID, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	latest := true // of the messages with buttons
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

// pressed is what a button stands for.
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

// begin opens a request. One that is still open is left.
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

// show shows a step, and goes on where nobody is asked.
func (c *Chat) show(ctx context.Context, s *booking.Session, step booking.Step) {
	c.opts.Step(step)
	c.add(Message{From: Firm, Text: strings.Join(step.Said, " "), Buttons: buttons(s, step)})
	switch {
	case step.State == booking.Cancellation: // the customer knows
		c.unwatch()
	case step.Journey != nil:
		c.locate(s, c.watch(s, *step.Journey))
	}
	switch step.Then {
	case booking.ThenListen:
	case booking.ThenPerson: // who reads this chat from now on
		c.show(ctx, s, s.Hear(ctx, booking.Input{Reached: booking.ReachedThem}))
	case booking.ThenDriver: // rings the customer's telephone, and then the driver's
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

// buttons are the choices of a step, and the places and bookings that it lists.
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

// followed is the journey that the customer is told news of.
func (c *Chat) followed() (operations.Journey, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.follow == nil {
		return operations.Journey{}, false
	}
	return c.follow.journey, true
}

// View is a chat as it is at one moment.
type View struct {
	Messages  []Message `json:"messages"`
	First     int       `json:"first"`     // the number of the first of Messages; a long chat keeps only the latest
	Version   int       `json:"version"`   // counts messages, with those that are kept no more
	Following bool      `json:"following"` // there may be news of a journey without a word of the customer
}

// View returns the messages from one on, as far as they are kept. The first message of
// a chat has the number 0.
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

// Wait returns once there are other messages than at a version, or ctx ends.
func (c *Chat) Wait(ctx context.Context, version int) { c.changes.Wait(ctx, version) }

// Close ends the chat: no more news is asked for.
func (c *Chat) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stop()
	c.closed = true
	if c.session != nil {
		c.opts.Clock.Go(c.session.Leave) // it may be waiting for the third party
	}
}
