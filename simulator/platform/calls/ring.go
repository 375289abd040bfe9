package calls

import (
	"fmt"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Ring is a call by the platform that speaks a text to somebody, or connects them.
type Ring struct {
	Account string
	Parent  string // the call on whose behalf it is placed, or ""
	Number  string
	Role    string // the role of the called person, shown instead of the number
	Seconds int    // duration of ringing
	Say     []string
	Times   int              // number of repetitions of the text
	Done    func(heard bool) // called once, when the call is over

	// Then is the target that the called person is connected to after answering; nil: nobody.
	Then *voice.Target
}

// Ring places a call that shows the account's main billing number.
func (c *Calls) Ring(r Ring) error {
	a, known := c.opts.Records.Account(r.Account)
	if !known {
		return api.Refuse(api.CodeNotFound, "no such account")
	}
	digits, err := c.opts.Numbers.Read(r.Number, a.Country)
	if err != nil {
		return fmt.Errorf("the number of the %s %w", r.Role, err)
	}
	release, err := c.enter(a.ID)
	if err != nil {
		return err
	}
	program := voice.Document{voice.Say{Text: r.Say, Loop: voice.Loop(r.Times)}}
	if r.Then != nil {
		program = voice.Document{voice.Dial{Targets: []voice.Target{*r.Then}, Timeout: r.Seconds}}
	}
	id := c.NewID()
	c.reportInitialVerbs(id, program)
	_, err = c.engine.Place(voice.Outgoing{
		Info: voice.Info{ID: id, Owner: a.ID, Parent: r.Parent, From: international(a.MBN)},
		Target: voice.CallTarget{
			Target: voice.Target{PhoneNumber: &voice.PhoneNumber{Number: international(digits)}, Role: r.Role}, Timeout: r.Seconds,
		},
		Program: voice.Program{Verbs: program},
		Done: func(result voice.Result) {
			release()
			c.done(result)
			r.Done(!result.Answered.IsZero())
		},
	})
	if err != nil {
		release()
		return refusal(err)
	}
	return nil
}
