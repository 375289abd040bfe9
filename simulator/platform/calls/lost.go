package calls

import (
	"context"
	"encoding/json"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/hooks"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// liveBody is the stored form of a call that is up.
type liveBody struct {
	voice.Info
	Began time.Time `json:"began"`
}

func liveCall(info voice.Info, began time.Time) (records.LiveCall, error) {
	body, err := json.Marshal(liveBody{info, began.UTC()})
	return records.LiveCall{ID: info.ID, Account: info.Owner, Body: string(body)}, err
}

// Key is the Idempotency-Key of a request for a call, with the hash of the request. The
// zero value means that there is none.
type Key struct{ Name, Hash string }

// begin stores a call before it is placed, if its end matters after a restart: its
// account receives events, or may repeat the request.
func (c *Calls) begin(ctx context.Context, info voice.Info, key Key) error {
	if key.Name == "" && !c.opts.Deliverer.HasEventHook(info.Owner) {
		return nil
	}
	call, err := liveCall(info, c.opts.Clock.Now())
	if err != nil {
		return err
	}
	if err := c.opts.Records.Begin(ctx, call, key.Name, records.Repeat{Hash: key.Hash}, c.opts.Now()); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept[info.ID] = true
	return nil
}

// removeUnplaced removes a stored call that could not be placed.
func (c *Calls) removeUnplaced(ctx context.Context, id string) {
	c.mu.Lock()
	kept := c.kept[id]
	delete(c.kept, id)
	c.mu.Unlock()
	if !kept {
		return
	}
	if err := c.opts.Records.Unbegin(ctx, id); err != nil {
		c.log("a call that was not placed is still in the database", "call", id, "error", err)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.voided[id] = true
	}
}

// Voided reports whether a call was not placed although its Idempotency-Key, which could not be removed, still names
// it.
func (c *Calls) Voided(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.voided[id]
}

// storedStartOrEnd returns the call that must be stored with its first event, or nil for other events; over reports
// whether the event is the last of a stored call.
func (c *Calls) storedStartOrEnd(e voice.Event) (began *records.LiveCall, over bool) {
	hears := c.opts.Deliverer.HasEventHook(e.Owner)
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.Type == voice.EventCompleted {
		over = c.kept[e.ID]
		delete(c.kept, e.ID)
		return nil, over
	}
	if !hears || c.kept[e.ID] {
		return nil, false
	}
	call, err := liveCall(e.Info, e.Time)
	if err != nil {
		c.log("a call cannot be spelled", "call", e.ID, "error", err)
		return nil, false
	}
	c.kept[e.ID] = true
	return &call, false
}

// lostReason is the reason in the last event of a call that was up when the platform was
// killed.
const lostReason = "the platform was restarted while the call was up"

// EndLost publishes the end of calls that were up when the platform was killed.
func (c *Calls) EndLost(ctx context.Context) error {
	lost, err := c.opts.Records.Lost(ctx)
	if err != nil || len(lost) == 0 {
		return err
	}
	events, err := c.opts.Records.EventsOfLost(ctx)
	if err != nil {
		return err
	}
	for _, call := range lost {
		e := lastEvent(call, events[call.ID])
		c.opts.Deliverer.Publish(hooks.Event{
			Account: call.Account, Call: call.ID, Type: string(e.Type), Body: c.body(string(e.Type), c.opts.Clock.Now(), e), Over: true,
		})
	}
	c.log("calls were up when the platform was last stopped; they have ended", "calls", len(lost))
	return nil
}

// lastEvent returns the last event of a call with stored events. Its duration is known up
// to the last of them.
func lastEvent(call records.LiveCall, events []records.Delivery) voice.Event {
	var kept liveBody
	if json.Unmarshal([]byte(call.Body), &kept) != nil { // a damaged row ends, too
		kept.Info = voice.Info{ID: call.ID, Owner: call.Account}
	}
	kept.Owner = call.Account
	var answered, last time.Time
	seq := 0
	for _, d := range events {
		var e struct {
			Timestamp time.Time
			Data      struct{ Seq int }
		}
		if json.Unmarshal([]byte(d.Body), &e) != nil || e.Data.Seq <= seq {
			continue
		}
		seq, last = e.Data.Seq, e.Timestamp
		if d.Type == string(voice.EventAnswered) {
			answered = e.Timestamp
		}
	}
	return ending(kept, seq+1, answered, last)
}

func ending(call liveBody, seq int, answered, last time.Time) voice.Event {
	end := voice.Ending{Cause: voice.CauseTrouble, HangupParty: voice.PartyPlatform, HangupReason: lostReason}
	state := voice.StateFailed
	switch {
	case !answered.IsZero():
		state, end.SIP = voice.StateCompleted, voice.CauseNormal.SIP
		end.RingDuration, end.CallDuration = voice.Seconds(answered.Sub(call.Began)), voice.Seconds(last.Sub(answered))
	case !last.IsZero():
		end.RingDuration = voice.Seconds(last.Sub(call.Began))
	}
	return voice.Event{
		Type: voice.EventCompleted, Info: call.Info, Seq: seq, Status: state, Outcome: string(voice.OutcomeFail), Ending: &end,
	}
}
