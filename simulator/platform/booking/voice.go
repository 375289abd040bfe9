package booking

import (
	"context"
	"sync"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// The labels of turns.
const (
	actionAnswer = "taxi.answer"
	actionPerson = "taxi.person"
	actionDriver = "taxi.driver"
)

// Seconds that people's phones ring.
const (
	ringPerson = 30
	ringDriver = 25
	talkDriver = 300
)

// Roles of the people whom the platform calls, shown instead of their numbers.
const (
	RoleDriver = "driver"
	RolePerson = "person"
	RoleUser   = "user" // the customer
)

// Turn returns the turns of a phone call of an account, each a step of a spoken
// conversation.
func (d *Desk) Turn(account string) voice.Turn {
	c := &call{desk: d, account: account}
	return c.turn
}

// call is a conversation on the phone.
type call struct {
	desk    *Desk
	account string
	watch   Watch // set in the first turn

	mu      sync.Mutex
	session *Session // nil before the first turn
}

func (c *call) turn(ctx context.Context, r voice.TurnRequest) (voice.Document, error) {
	switch r.Action {
	case voice.ActionStart:
		number, _ := c.desk.opts.Number(c.account, r.From)
		c.watch = c.desk.watcher(r.ID)
		s := c.desk.Session(Customer{
			Account: c.account, Call: r.ID, Number: number, Channel: taxi.FeatureVoice, Settings: c.watch.Settings, Wish: c.watch.Wish,
		})
		c.mu.Lock()
		c.session = s
		c.mu.Unlock()
		return c.document(s, s.Begin(ctx)), nil
	case voice.ActionHangup:
		if s := c.now(); s != nil {
			s.Leave()
		}
		return nil, nil
	}
	s := c.now()
	if s == nil {
		return voice.Document{}, nil
	}
	return c.document(s, s.Hear(ctx, heard(r))), nil
}

// document converts a step to verbs, and passes the step to the watch of the call.
func (c *call) document(s *Session, step Step) voice.Document {
	c.watch.Step(step)
	return s.document(step)
}

func (c *call) now() *Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session
}

// heard converts the caller's input of a turn.
func heard(r voice.TurnRequest) Input {
	in := Input{Keys: r.Digits, Words: r.Speech, Confidence: r.Confidence, Noise: r.Reason == voice.ReasonNoMatch}
	if r.Sound || in.Noise {
		in.Sound = &Sound{Witness: r.Witness, Loud: r.Loud}
		for _, other := range r.Alternatives {
			in.Sound.Others = append(in.Sound.Others, other.Text)
		}
	}
	if r.Dial != nil {
		in.Reached = ReachedNobody
		if r.Dial.Status == voice.StateCompleted {
			in.Reached = ReachedThem
		}
	}
	return in
}

// document converts a step to verbs.
func (s *Session) document(step Step) voice.Document {
	s.desk.opts.Asked(s.customer.Call, s.Prompt(step))
	switch step.Then {
	case ThenReject:
		return voice.Document{voice.Reject{Reason: voice.RejectRejected}}
	case ThenPerson:
		operator := s.request().settings.Operator
		if operator == "" {
			return s.document(s.Hear(context.Background(), Input{Reached: ReachedNobody}).after(step))
		}
		return append(says(step.Said), voice.Dial{
			Timeout: ringPerson, Action: actionPerson,
			Targets: []voice.Target{{Extension: &voice.Extension{Extension: operator}, Role: RolePerson}},
		})
	case ThenDriver:
		return append(says(step.Said), voice.Dial{
			Timeout: ringDriver, TimeLimit: talkDriver, Action: actionDriver,
			Targets: []voice.Target{{PhoneNumber: &voice.PhoneNumber{Number: string(step.Journey.Driver.PhoneNumber.International())}, Role: RoleDriver}},
		})
	case ThenEnd:
		end := voice.Hangup{}
		if step.Absent {
			end.Reason = "nobody answered"
		}
		return append(says(step.Said), end)
	case ThenFail:
		return append(says(step.Said), voice.Hangup{Cause: voice.Cause{SIP: voice.CauseNormal.SIP, Q850: voice.CauseTrouble.Q850}})
	}
	return voice.Document{s.gather(step)}
}

// after prepends the sentences of an earlier step.
func (s Step) after(earlier Step) Step {
	s.Said = append(earlier.Said[:len(earlier.Said):len(earlier.Said)], s.Said...)
	return s
}

// gather returns the verb that listens for a step's answer.
func (s *Session) gather(step Step) voice.Gather {
	l := step.Listen
	g := voice.Gather{
		Input: []voice.Input{voice.InputDigits}, Action: actionAnswer, Verbs: says(step.Said),
		Timeout: l.Within, MaxDigits: max(l.Keys, 1), MinDigits: 1, InterDigit: betweenKeys,
		Language: s.request().speaker.Language(), Hints: l.Hints, Expected: l.Expected, Firm: l.Firm,
	}
	if l.Words {
		g.Input = append(g.Input, voice.InputSpeech)
	}
	if l.Hash {
		none := ""
		g.FinishOnKey = &none // the hash counts as a key
	}
	return g
}

// betweenKeys is how many seconds may pass between two keys.
const betweenKeys = 2

// Limits of the verb say.
const (
	mostTexts   = 20
	longestText = 1000
)

// says speaks sentences, each as a separate piece, so that there is a pause between them.
func says(sentences []string) voice.Document {
	var d voice.Document
	for len(sentences) > 0 {
		n := min(len(sentences), mostTexts)
		var say voice.Say
		for _, text := range sentences[:n] {
			runes := []rune(text)
			say.Text = append(say.Text, string(runes[:min(len(runes), longestText)]))
		}
		d, sentences = append(d, say), sentences[n:]
	}
	return d
}
