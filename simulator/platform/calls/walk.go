package calls

import (
	"context"
	"slices"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// walk is the course of an inbound call through its account's flow.
type walk struct {
	calls   *Calls
	account string
	number  string // the DDI that was called, E.164 digits
	at      api.Device
	hops    int
}

// Receive handles a call to a number of the platform: it enters the flow whose
// ROUTE_START has the number. An unknown number, or one without a flow, is refused with
// cause 1. The id comes from NewID.
func (c *Calls) Receive(id string, leg voice.Leg, from, to string) error {
	ddi, known := c.opts.Records.Number(to)
	if !known {
		return api.Refuse(api.CodeNotFound, "+%s is no number of this platform", voice.Mask(to))
	}
	return c.receive(ddi, leg, voice.Info{ID: id, From: international(from)}, 0)
}

// receive handles a call to a number after hops devices in earlier calls.
func (c *Calls) receive(ddi *records.DDI, leg voice.Leg, info voice.Info, hops int) error {
	release, err := c.enter(ddi.Account)
	if err != nil {
		return err
	}
	id := info.ID
	info.Owner, info.To = ddi.Account, international(ddi.Name)
	w := &walk{calls: c, account: ddi.Account, number: ddi.Name, hops: hops}
	program := w.start(ddi)
	c.mu.Lock()
	c.walks[id] = w
	c.mu.Unlock()
	in := voice.Incoming{
		Info:    info,
		Leg:     leg,
		Program: program,
		Next:    w.next,
		Done: func(r voice.Result) {
			release()
			c.done(r)
		},
	}
	if _, err := c.engine.Receive(in); err != nil {
		release()
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.walks, id)
		return refusal(err)
	}
	return nil
}

// NewID returns an id for a call that is about to come in.
func (c *Calls) NewID() string { return c.opts.Chance.Hex(12) }

// international adds a plus sign to a number; an empty number is anonymous.
func international(digits string) string {
	if digits == "" || digits == voice.Anonymous {
		return voice.Anonymous
	}
	return "+" + digits
}

// start returns the first program of an inbound call.
func (w *walk) start(ddi *records.DDI) voice.Program {
	for _, row := range w.calls.opts.Records.Devices.List(w.account) {
		if d := row.Value; d.StartRoute != nil {
			if slices.Contains(d.StartRoute.DDIs, ddi.ID) {
				return w.enter(d.ID)
			}
		}
	}
	return ends(voice.CauseUnrouted, "the number leads nowhere")
}

// ends returns a program that hangs up.
func ends(cause voice.Cause, why string) voice.Program {
	return voice.Program{Verbs: voice.Document{voice.Hangup{Cause: cause, Reason: why}}}
}

// next returns the program of the next device: the one that the finished program's exit leads to.
func (w *walk) next(_ context.Context, _ voice.Info, ended voice.Ended) *voice.Program {
	p := w.enter(exit(w.at, ended))
	return &p
}

// exit returns the id of the device that follows a device, given the result of its program.
func exit(d api.Device, ended voice.Ended) string {
	switch {
	case d.SIPGateway != nil:
		return pick(ended.Outcome, map[voice.Outcome]string{
			voice.OutcomeComplete: d.SIPGateway.OnComplete, voice.OutcomeBusy: d.SIPGateway.OnBusy,
			voice.OutcomeNoAnswer: d.SIPGateway.OnNoAnswer,
		}, d.SIPGateway.OnFail)
	case d.Plugin != nil && ended.Outcome == voice.OutcomeComplete && ended.Dial != nil && !api.Ends(d.Plugin.OnTransfer):
		return d.Plugin.OnTransfer // the last verb of the plugin was a dial that was answered
	case d.Plugin != nil:
		return pick(ended.Outcome, map[voice.Outcome]string{
			voice.OutcomeComplete: d.Plugin.OnComplete, voice.OutcomeBusy: d.Plugin.OnBusy,
			voice.OutcomeNoAnswer: d.Plugin.OnNoAnswer, voice.OutcomeError: d.Plugin.OnError,
		}, d.Plugin.OnFail)
	}
	return api.Hangup
}

func pick(outcome voice.Outcome, exits map[voice.Outcome]string, otherwise string) string {
	if to, ok := exits[outcome]; ok {
		return to
	}
	return otherwise
}

// enter returns the program of a device. A device that cannot be entered counts as a
// failure of the previous device.
func (w *walk) enter(id string) voice.Program {
	for w.hops++; w.hops <= api.MostHops && !api.Ends(id); w.hops++ {
		row, known := w.calls.opts.Records.Devices.Get(w.account, id)
		before := w.at
		switch {
		case known && row.Value.StartRoute != nil:
			w.set(row.Value)
			id = row.Value.StartRoute.ConnectTo
		case known && row.Value.SIPGateway != nil:
			w.set(row.Value)
			return w.gateway(row.Value)
		case known && row.Value.Plugin != nil:
			w.set(row.Value)
			return w.plugin(row.Value)
		default:
			id = exit(before, voice.Ended{Outcome: voice.OutcomeFail})
			w.set(api.Device{})
		}
	}
	if w.hops > api.MostHops {
		return ends(voice.CauseTooFar, "the call has passed too many devices")
	}
	return ends(voice.Cause{}, "")
}

// set stores the call's current device.
func (w *walk) set(d api.Device) {
	w.calls.mu.Lock()
	defer w.calls.mu.Unlock()
	w.at = d
}

// gateway calls the device's trunks.
func (w *walk) gateway(d api.Device) voice.Program {
	dial := voice.Dial{
		Ringing: time.Duration(d.SIPGateway.RingTime) * time.Second, TimeLimit: d.SIPGateway.MaxCallTime,
		Targets: []voice.Target{{Device: &voice.Device{ID: d.ID}}},
	}
	if d.SIPGateway.Record {
		dial.Record = &voice.Record{}
	}
	return voice.Program{Verbs: voice.Document{dial}}
}

// plugin asks the built-in plugin, or the device's hook.
func (w *walk) plugin(d api.Device) voice.Program {
	if turn, own := w.calls.opts.Plugins[d.Plugin.Plugin]; own {
		return voice.Program{Turn: w.calls.reporting(turn(w.account))}
	}
	return voice.Program{Turn: w.calls.reporting(w.calls.hookTurn(w.account, d.Plugin.Plugin, d.Plugin.Data))}
}
