package calls

import "github.com/cabrank/cabrank/simulator/platform/voice"

// GreetingURL is the address of a flow hook that the platform answers by itself,
// without a request: it greets the caller and is done. No host of the top-level
// domain example exists, so it takes nothing from anybody.
const GreetingURL = "https://greeting.cabrank.example/"

// greet is what that hook answers.
func (c *Calls) greet(r voice.TurnRequest) voice.Document {
	a, known := c.opts.Records.Account(r.Owner)
	if !known || r.Action != voice.ActionStart {
		return voice.Document{}
	}
	return voice.Document{voice.Say{Text: []string{
		"Welcome to " + a.Name + ".", "Nobody has said yet what happens on this number.", "Goodbye.",
	}}}
}
