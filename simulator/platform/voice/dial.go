package voice

import (
	"cmp"
	"strings"
	"time"
)

// dialling runs a dial: it calls the targets, connects the call to the first that
// answers, and lasts until one side hangs up.
type dialling struct {
	c      *Call
	v      Dial
	hunt   *hunt
	from   string
	began  time.Time
	tone   bool // the caller hears a ringback tone
	peer   *side
	to     string // the peer's label
	joined time.Time
	limit  Timer
	tape   *taping
}

func (v Dial) run(c *Call) {
	d := &dialling{c: c, v: v, began: c.now(), from: v.CallerID}
	c.e.guard("CallerID", func() { d.from = c.e.options.CallerID(c.info, v.CallerID) })
	if v.CallerID != "" && !sameNumber(d.from, v.CallerID) {
		c.warn(VerbDial, "the caller id is not a number of this account, so it is not shown")
	}
	c.at = d
	d.hunt = &hunt{
		c: c, targets: v.Targets, from: d.from, first: c.legs + 1, id: c.e.options.NewID,
		progress: d.progress, won: d.won, lost: d.lost,
	}
	c.legs += len(v.Targets)
	c.emit(Event{Type: EventDialStarted, Dial: &DialResult{From: d.from, To: d.names()}})
	if c.state.Answered() {
		d.tone = true
		c.tone(ToneRingback, true)
	}
	d.hunt.begin(cmp.Or(v.Ringing, ringTime(v.Timeout)))
}

// sameNumber reports whether two numbers are the same in different notations: with
// spaces, or without the country code.
func sameNumber(number, written string) bool {
	digits := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, s)
	}
	core := strings.TrimLeft(digits(written), "0")
	return number == written || core != "" && strings.HasSuffix(digits(number), core)
}

// names returns the labels of the targets: for one target, its address or its role.
func (d *dialling) names() string {
	if len(d.v.Targets) > 1 {
		return ""
	}
	return shown(d.v.Targets[0])
}

// shown returns a target in events, which are for the owner of the call.
func shown(t Target) string { return cmp.Or(t.Role, t.Address()) }

// progress passes the early media of a target on to an inbound call that is not answered yet.
func (d *dialling) progress(kind LegEventKind) {
	if kind == LegEarlyMedia && d.c.info.Direction == Inbound {
		d.c.progress(kind)
	}
}

// quiet stops the ringback tone.
func (d *dialling) quiet() {
	if d.tone && !d.c.own.gone {
		d.c.own.Stop()
	}
	d.tone = false
}

// won connects the call to the target that has answered.
func (d *dialling) won(t *try) {
	c := d.c
	d.quiet()
	c.answer()
	d.peer, d.to, d.joined = t.side, shown(t.target), c.now()
	d.peer.on = d.peerEvent
	c.own.Bridge(d.peer.Leg)
	d.peer.Bridge(c.own.Leg)
	c.line(PartyPlatform, d.peer.number, LineBridge, d.peer.label)
	d.limit = c.after(seconds(cmp.Or(d.v.TimeLimit, 14400)), func() {
		c.line(PartyPlatform, d.peer.number, LineHangup, "time limit")
		c.drop(d.peer, CauseNormal, "time limit")
		d.end(PartyPlatform)
	})
	if d.v.Record != nil {
		d.tape = d.record()
	}
}

// heard ignores events: while two people talk, their keys and words are not for the
// platform.
func (d *dialling) heard(LegEvent) {}

// peerEvent handles events on the other leg of the bridge.
func (d *dialling) peerEvent(ev LegEvent) {
	if ev.Kind == LegEnded {
		d.end(PartyCallee)
	}
}

// lost is called when no target has answered.
func (d *dialling) lost(cause Cause, _ string) {
	d.quiet()
	result := d.unanswered(cause)
	result.EndedBy = d.hunt.loser()
	d.done(result)
}

// unanswered returns the result of a dial without an answer.
func (d *dialling) unanswered(cause Cause) *DialResult {
	r := &DialResult{To: d.names(), From: d.from, Status: StateOf(cause.SIP), Cause: cause, RingDuration: Seconds(d.c.now().Sub(d.began))}
	if best := d.hunt.best(); best.side != nil {
		r.CallID, r.To = best.side.id, shown(best.target)
	}
	return r
}

// end is called when one side of the bridge has hung up.
func (d *dialling) end(by Party) {
	result := d.part(by)
	d.done(result)
}

// part disconnects the two sides, hangs up the other leg and returns the result of the dial.
func (d *dialling) part(by Party) *DialResult {
	c := d.c
	d.limit.Stop()
	if !c.own.gone {
		c.own.Bridge(nil)
	}
	if !d.peer.gone {
		d.peer.Bridge(nil)
		c.line(PartyPlatform, d.peer.number, LineHangup, "")
		c.drop(d.peer, CauseNormal, "")
	}
	r := &DialResult{
		CallID: d.peer.id, To: d.to, From: d.from, Status: StateCompleted, Cause: CauseNormal, EndedBy: by,
		RingDuration: Seconds(d.joined.Sub(d.began)), Duration: Seconds(c.now().Sub(d.joined)),
	}
	if d.tape != nil {
		r.RecordingID = d.tape.id
		d.tape.stop()
	}
	return r
}

// done continues the call after the dial: with a turn if the dial has an action, and otherwise with the next verb.
func (d *dialling) done(result *DialResult) {
	c := d.c
	d.report(result)
	c.lastDial = result
	if d.v.Action == "" || c.program.Turn == nil {
		c.at = nil
		c.step()
		return
	}
	c.ask(TurnRequest{Action: d.v.Action, Reason: ReasonDial, Dial: result})
}

func (d *dialling) report(result *DialResult) {
	d.c.emit(Event{Type: EventDialCompleted, Dial: result})
	d.c.verbDone(VerbDial, string(result.Status), "")
}

// stop ends the dial because the call has ended.
func (d *dialling) stop() {
	c := d.c
	d.quiet()
	if d.peer != nil {
		by := PartyPlatform
		if c.own.gone {
			by = PartyCaller
		}
		c.lastDial = d.part(by)
	} else {
		d.hunt.stop()
		c.lastDial = d.unanswered(CauseCanceled)
		c.lastDial.EndedBy = PartyCaller
	}
	d.report(c.lastDial)
}
