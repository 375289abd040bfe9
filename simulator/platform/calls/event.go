package calls

import (
	"encoding/json"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/hooks"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// envelope is the body of an event.generic delivery, in the format of Standard Webhooks.
type envelope struct {
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	Data      any       `json:"data"`
}

// recorded is the data of a recording.completed event.
type recorded struct {
	voice.Event
	URL       string    `json:"url"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// The events that do not come from the engine.
const (
	eventHookFailed   = "hook.failed"
	eventHookDisabled = "hook.disabled"
)

// hookTrouble is the data of an event that reports a failing or disabled hook.
type hookTrouble struct {
	Account string `json:"accountId"`
	Call    string `json:"callId,omitempty"`
	Hook    string `json:"hookId"`
	Detail  string `json:"detail"`
}

// event publishes an event of the engine.
func (c *Calls) event(e voice.Event) {
	c.notifyWatchers(e)
	if e.Owner == "" {
		return
	}
	var data any = e
	if e.Recording != nil && c.opts.Recordings != nil {
		url, expires := c.opts.Recordings.where(e.Recording.ID)
		data = recorded{e, url, expires}
	}
	out := hooks.Event{Account: e.Owner, Call: e.ID, Type: string(e.Type), Body: c.body(string(e.Type), e.Time, data)}
	out.Began, out.Over = c.storedStartOrEnd(e)
	c.opts.Deliverer.Publish(out)
}

// Publish sends an event that does not come from the engine to an account's event hooks.
func (c *Calls) Publish(account, call, kind string, data any) {
	c.publish(account, call, kind, c.opts.Clock.Now(), data)
}

func (c *Calls) publish(account, call, kind string, at time.Time, data any) {
	if body := c.body(kind, at, data); body != nil {
		c.opts.Deliverer.Publish(hooks.Event{Account: account, Call: call, Type: kind, Body: body})
	}
}

// body encodes an event.
func (c *Calls) body(kind string, at time.Time, data any) []byte {
	body, err := json.Marshal(envelope{kind, at.UTC(), data})
	if err != nil {
		c.log("an event cannot be spelled", "type", kind, "error", err)
	}
	return body
}

// HookDisabled notifies an account's other event hooks that one was switched off.
func (c *Calls) HookDisabled(account, hook, why string) {
	c.publish(account, "", eventHookDisabled, c.opts.Clock.Now(), hookTrouble{Account: account, Hook: hook, Detail: why})
}

func (c *Calls) log(message string, args ...any) {
	if c.opts.Log != nil {
		c.opts.Log.Warn(message, args...)
	}
}

// Watch calls f with the events of a call, and of the calls that are placed for it. f
// must not block. The id may be that of a call that is about to come in, or of a chat.
// stop ends it.
func (c *Calls) Watch(id string, f func(voice.Event)) (stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watchers[id] = f
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.watchers, id)
	}
}

// notifyWatchers passes an event to the functions that [Calls.Watch] has registered for its call.
func (c *Calls) notifyWatchers(e voice.Event) {
	c.mu.Lock()
	own, parents := c.watchers[e.ID], c.watchers[e.Parent]
	c.mu.Unlock()
	for _, f := range []func(voice.Event){own, parents} {
		if f != nil {
			f(e)
		}
	}
}
