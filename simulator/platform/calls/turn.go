package calls

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// turnBody is the request to a flow hook. Decision: the interface does not show it. The
// first six members are always present.
type turnBody struct {
	CallID string `json:"callId"`
	From   string `json:"from"` // "anonymous" when withheld
	To     string `json:"to"`
	Digits string `json:"digits"`
	Speech string `json:"speech"`
	Action string `json:"action"`

	Account      string           `json:"accountId"`
	Data         string           `json:"data,omitempty"` // the plugin device's
	Tag          *voice.Tag       `json:"tag,omitempty"`
	Reason       voice.TurnReason `json:"reason"`
	Confidence   float64          `json:"confidence,omitempty"`
	DialCall     string           `json:"dialCallId,omitempty"`
	DialStatus   voice.State      `json:"dialCallStatus,omitempty"`
	DialDuration *voice.Seconds   `json:"dialCallDuration,omitempty"`
	DialRinging  *voice.Seconds   `json:"dialRingDuration,omitempty"`
	DialSIP      int              `json:"dialSipStatus,omitempty"`
	RecordingURL string           `json:"recordingUrl,omitempty"`
}

// hookTurn returns a turn that asks a flow hook, with its settings at the time of each
// turn.
func (c *Calls) hookTurn(account, hook, data string) voice.Turn {
	return func(ctx context.Context, r voice.TurnRequest) (voice.Document, error) {
		row, known := c.opts.Records.Hooks.Get(account, hook)
		if !known {
			return nil, api.Refuse(api.CodeNotFound, "the hook is gone")
		}
		if row.Value.URL == GreetingURL {
			return c.greet(r), nil
		}
		body, err := json.Marshal(c.turnBody(r, data))
		if err != nil {
			return nil, err
		}
		answer, err := c.opts.Client.Ask(ctx, row.Value.Hook, r.URL, "msg_"+c.opts.Chance.Hex(12), body)
		if err == nil && r.Action == voice.ActionHangup {
			return nil, nil
		}
		var document voice.Document
		if err == nil {
			document, err = voice.ParseDocument(answer)
		}
		if err != nil {
			c.log("a flow hook failed", "account", account, "call", r.ID, "hook", hook, "error", err)
			c.publish(account, r.ID, eventHookFailed, c.opts.Clock.Now(), hookTrouble{account, r.ID, hook, err.Error()})
		}
		return document, err
	}
}

func (c *Calls) turnBody(r voice.TurnRequest, data string) turnBody {
	b := turnBody{
		CallID: r.ID, From: r.From, To: r.To, Digits: r.Digits, Speech: r.Speech, Action: r.Action,
		Account: r.Owner, Data: data, Tag: r.Tag, Reason: r.Reason, Confidence: r.Confidence,
	}
	if d := r.Dial; d != nil {
		b.DialCall, b.DialStatus, b.DialSIP = d.CallID, d.Status, d.SIP
		b.DialDuration, b.DialRinging = &d.Duration, &d.RingDuration
		if d.RecordingID != "" && c.opts.Recordings != nil {
			b.RecordingURL, _ = c.opts.Recordings.where(d.RecordingID)
		}
	}
	return b
}

// accountTurn returns the turns of a call that was placed by a request: they ask the
// account's flow hook with the lowest priority. Without one there are no turns. Decision:
// the interface does not say which hook such a call asks.
func (c *Calls) accountTurn(account string) voice.Turn {
	var flows []*records.Row[records.Hook]
	for _, row := range c.opts.Records.Hooks.List(account) {
		if row.Value.App == api.AppFlow && row.Value.URL != GreetingURL {
			flows = append(flows, row)
		}
	}
	if len(flows) == 0 {
		return nil
	}
	first := slices.MinFunc(flows, func(a, b *records.Row[records.Hook]) int {
		return cmp.Compare(a.Value.Priority, b.Value.Priority)
	})
	return c.reporting(c.hookTurn(account, first.ID, ""))
}

// GreetingURL is the address of a flow hook that the platform implements itself, without
// a request: it greets the caller and ends. Hosts of the top-level domain example never
// exist, so it conflicts with no real hook.
const GreetingURL = "https://greeting.cabrank.example/"

// greet returns the response of the built-in greeting hook.
func (c *Calls) greet(r voice.TurnRequest) voice.Document {
	a, known := c.opts.Records.Account(r.Owner)
	if !known || r.Action != voice.ActionStart {
		return voice.Document{}
	}
	return voice.Document{voice.Say{Text: []string{
		"Welcome to " + a.Name + ".", "Nobody has said yet what happens on this number.", "Goodbye.",
	}}}
}

// Turned is a completed turn of a call: its request, and the verbs or the error of its response.
type Turned struct {
	Call            string
	Asked, Answered time.Time // by the line's clock
	Request         voice.TurnRequest
	Verbs           voice.Document
	Err             error // the turn has failed
}

// reporting wraps a turn so that it is reported. The final turn of a finished call is not
// reported.
func (c *Calls) reporting(turn voice.Turn) voice.Turn {
	return func(ctx context.Context, r voice.TurnRequest) (voice.Document, error) {
		asked := c.opts.Clock.Now()
		verbs, err := turn(ctx, r)
		if r.Action != voice.ActionHangup {
			c.opts.Turned(Turned{Call: r.ID, Asked: asked, Answered: c.opts.Clock.Now(), Request: r, Verbs: verbs, Err: err})
		}
		return verbs, err
	}
}

// reportInitialVerbs reports the initial verbs of a call, as a turn that was complete when the call
// began.
func (c *Calls) reportInitialVerbs(call string, verbs voice.Document) {
	if len(verbs) == 0 {
		return
	}
	now := c.opts.Clock.Now()
	c.opts.Turned(Turned{Call: call, Asked: now, Answered: now, Verbs: verbs, Request: voice.TurnRequest{Action: voice.ActionStart, Reason: voice.ReasonStart}})
}
