package voice_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/simline"
)

// lab is an engine on a virtual clock, with simulated phones and a log of everything that is reported about a call.
type lab struct {
	t       testing.TB
	clock   *voice.Virtual
	engine  *voice.Engine
	options voice.Options
	phones  map[string]simline.Behaviour // by the target's address
	offers  []voice.Offer

	mu     sync.Mutex
	ids    int
	log    strings.Builder
	events []voice.Event
}

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// newLab returns a lab; change may alter the engine's options.
func newLab(t testing.TB, change func(*voice.Options)) *lab {
	l := &lab{t: t, clock: voice.NewVirtual(noon), phones: map[string]simline.Behaviour{}}
	exchange := &simline.Exchange{Clock: l.clock, Phone: func(o voice.Offer) simline.Behaviour {
		l.offers = append(l.offers, o)
		return l.phones[o.Target.Address()]
	}}
	l.options = voice.Options{
		Clock:  l.clock,
		NewID:  l.newID,
		Events: l.event,
		Route: func(_ voice.Info, target voice.Target) ([]voice.Route, error) {
			switch address := target.Address(); {
			case strings.HasPrefix(address, "+999"):
				return nil, &voice.Failure{Cause: voice.CauseOf(404), Reason: "not a number in use"}
			case strings.HasSuffix(address, "-second"): // the first of two routes has no line
				return []voice.Route{func(voice.Offer) voice.Leg { return nil }, exchange.Route}, nil
			}
			return []voice.Route{exchange.Route}, nil
		},
	}
	if change != nil {
		change(&l.options)
	}
	l.engine = voice.New(l.options)
	t.Cleanup(func() { require.NoError(t, l.engine.Close(context.WithoutCancel(t.Context()))) })
	return l
}

func (l *lab) newID() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ids++
	return fmt.Sprintf("id-%d", l.ids)
}

// note adds a line with the current time to the log.
func (l *lab) note(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(&l.log, "%8d  %s\n", l.clock.Now().Sub(noon).Milliseconds(), strings.TrimRight(fmt.Sprintf(format, args...), " "))
}

func (l *lab) event(ev voice.Event) {
	l.mu.Lock()
	l.events = append(l.events, ev)
	l.mu.Unlock()
	var more string
	switch {
	case ev.Ending != nil:
		more = fmt.Sprintf("outcome=%s sip=%d q850=%d by=%s reason=%q ring=%s talk=%s", ev.Outcome, ev.SIP, ev.Q850, ev.HangupParty,
			ev.HangupReason, time.Duration(ev.RingDuration), time.Duration(ev.CallDuration))
	case ev.Dial != nil:
		d := ev.Dial
		more = fmt.Sprintf("to=%s from=%s %s sip=%d q850=%d by=%s ring=%s talk=%s %s", d.To, d.From, d.Status, d.SIP, d.Q850, d.EndedBy,
			time.Duration(d.RingDuration), time.Duration(d.Duration), d.RecordingID)
	case ev.Recording != nil:
		more = fmt.Sprintf("%s %s", ev.Recording.ID, time.Duration(ev.Recording.Duration))
		for _, line := range ev.Recording.Transcript {
			more += fmt.Sprintf(" | %s: %s", line.Party, line.Text)
		}
	case ev.Type == voice.EventGathered:
		more = fmt.Sprintf("%s digits=%q speech=%q confidence=%g", ev.Reason, ev.Digits, ev.Speech, ev.Confidence)
	case ev.Verb != "" || ev.Detail != "":
		more = strings.TrimSpace(ev.Verb + " " + ev.Outcome + " " + ev.Detail)
	}
	l.note("event %d %s (%s) %s", ev.Seq, ev.Type, ev.Status, more)
}

// turns returns a hook that answers each turn with the next document. "!" is an error, "panic" panics, and after the
// last document nothing is left to do.
func (l *lab) turns(documents ...string) voice.Turn {
	return func(_ context.Context, r voice.TurnRequest) (voice.Document, error) {
		more := ""
		switch {
		case r.Dial != nil:
			more = string(r.Dial.Status)
		case r.URL != "":
			more = r.URL
		case r.Result != nil:
			more = string(r.Result.State)
		}
		l.note("turn %d action=%s reason=%s digits=%q speech=%q %s", r.Number, r.Action, r.Reason, r.Digits, r.Speech, more)
		if r.Action == voice.ActionHangup || len(documents) == 0 {
			return nil, nil
		}
		next := documents[0]
		documents = documents[1:]
		switch next {
		case "!":
			return nil, errors.New("the hook answered 500")
		case "panic":
			panic("a plugin went wrong")
		}
		return voice.ParseDocument([]byte(next))
	}
}

// caller returns a calling phone whose person follows a script.
func (l *lab) caller(script string) *simline.Phone {
	steps, err := simline.ParseScript([]byte(script))
	require.NoError(l.t, err)
	actor := steps.Person(l.clock, func(err error) {
		if err != nil {
			l.note("script: %v", err)
		}
	})
	var phone *simline.Phone
	phone = simline.NewCaller(l.clock, func(h simline.Happening) { actor.Notice(phone, h) })
	return phone
}

// person returns a called phone that is answered after some time by a person who follows a script.
func (l *lab) person(after time.Duration, script string) simline.Behaviour {
	steps, err := simline.ParseScript([]byte(script))
	require.NoError(l.t, err)
	actor := steps.Person(l.clock, func(err error) {
		if err != nil {
			l.note("callee's script: %v", err)
		}
	})
	return simline.Behaviour{Setup: 50 * time.Millisecond, AnswerAfter: after, Party: actor.Notice}
}

// receive lets the phone call the platform.
func (l *lab) receive(phone *simline.Phone, program voice.Program, next voice.Next) *voice.Call {
	call, err := l.engine.Receive(voice.Incoming{
		Info: voice.Info{From: "+441632960100", To: "441632960000"}, Leg: phone.Leg(), Program: program, Next: next, Done: l.done,
	})
	require.NoError(l.t, err)
	return call
}

// place places a call.
func (l *lab) place(target voice.Target, timeout int, program voice.Program) *voice.Call {
	call, err := l.engine.Place(voice.Outgoing{
		Info: voice.Info{From: "+441632960000"}, Target: voice.CallTarget{Target: target, Timeout: timeout}, Program: program, Done: l.done,
	})
	require.NoError(l.t, err)
	return call
}

func (l *lab) done(r voice.Result) {
	l.note("done %s outcome=%s", r.State, r.Outcome)
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range r.Transcript {
		fmt.Fprintf(&l.log, "%12d %s/%d %s %s\n", line.AtMs, line.Party, line.Leg, line.Kind, line.Text)
	}
}

// golden runs the clock until nothing is pending, and compares the log with the golden file.
func (l *lab) golden(name string) {
	l.clock.Run(10 * time.Hour)
	require.Empty(l.t, l.engine.Calls(), "a call is still up")
	golden.Equal(l.t, filepath.Join("testdata", "scenarios", name+".golden"), l.log.String())
}

func number(n string) voice.Target {
	return voice.Target{PhoneNumber: &voice.PhoneNumber{Number: n}}
}

func parsed(t testing.TB, document string) voice.Document {
	t.Helper()
	d, err := voice.ParseDocument([]byte(document))
	require.NoError(t, err)
	return d
}
