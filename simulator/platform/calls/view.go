package calls

import (
	"slices"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// View is a call in the control API.
type View struct {
	ID         string          `json:"callId"`
	Account    string          `json:"accountId"`
	Parent     string          `json:"parentCallId,omitempty"`
	Direction  voice.Direction `json:"direction"`
	From       string          `json:"from"`
	To         string          `json:"to"`
	Status     voice.State     `json:"status"`
	Verb       string          `json:"verb,omitempty"`  // the current verb
	Cause      int             `json:"cause,omitempty"` // Q.850, once the call is over
	SIPStatus  int             `json:"sipStatus,omitempty"`
	HungUpBy   voice.Party     `json:"hangupParty,omitempty"`
	Reason     string          `json:"hangupReason,omitempty"`
	Began      time.Time       `json:"began"`
	DurationMs int64           `json:"durationMs"` // until the end, or until now
	Tag        *voice.Tag      `json:"tag,omitempty"`
	Transcript []voice.Line    `json:"transcript,omitzero"` // nil in lists
}

// Find returns a live or recent call.
func (c *Calls) Find(id string) (View, bool) {
	if call, up := c.engine.Call(id); up {
		return c.liveView(call.View()), true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, past := range slices.Backward(c.past) {
		if past.ID == id {
			return PastView(past), true
		}
	}
	return View{}, false
}

// List returns the calls of an account, or of all accounts if it is empty, without their
// transcripts: first those that are up, then those that are over, latest first.
func (c *Calls) List(account string, most int) []View {
	list := []View{}
	up := c.engine.Calls()
	for i := len(up) - 1; i >= 0 && len(list) < most; i-- {
		if v := up[i].Summary(); account == "" || v.Owner == account {
			list = append(list, c.liveSummary(v))
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := len(c.past) - 1; i >= 0 && len(list) < most; i-- {
		if account == "" || c.past[i].Owner == account {
			list = append(list, pastSummary(c.past[i]))
		}
	}
	return list
}

func (c *Calls) liveView(v voice.View) View {
	view := c.liveSummary(v)
	view.Transcript = lines(v.Transcript)
	return view
}

func (c *Calls) liveSummary(v voice.View) View {
	view := infoView(v.Info)
	view.Status, view.Verb, view.Began = v.State, v.Verb, v.Began
	view.DurationMs = c.opts.Clock.Now().Sub(v.Began).Milliseconds()
	return view
}

// PastView returns the view of a finished call.
func PastView(r voice.Result) View {
	view := pastSummary(r)
	view.Transcript = lines(r.Transcript)
	return view
}

func pastSummary(r voice.Result) View {
	view := infoView(r.Info)
	view.Status, view.Began = r.State, r.Began
	view.Cause, view.SIPStatus, view.HungUpBy, view.Reason = r.Q850, r.SIP, r.HangupParty, voice.Mask(r.HangupReason)
	view.DurationMs = r.Ended.Sub(r.Began).Milliseconds()
	return view
}

func infoView(i voice.Info) View {
	return View{ID: i.ID, Account: i.Owner, Parent: i.Parent, Direction: i.Direction, From: i.From, To: shownTo(i), Tag: i.Tag}
}

// shownTo returns the target of a call for its transcript: the number of a called person
// is hidden, a number of the platform is not. The id of a device is complete.
func shownTo(i voice.Info) string {
	if i.Direction == voice.Outbound {
		return i.ToShown
	}
	return i.To
}

// lines returns a list that is not nil, since nil would be left out.
func lines(list []voice.Line) []voice.Line {
	if list == nil {
		return []voice.Line{}
	}
	return list
}
