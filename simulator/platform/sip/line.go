package sip

import (
	"net/netip"
	"sync"
	"time"

	message "github.com/emiago/sipgo/sip"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/soundline"
)

// state is how far a line is.
type state int

const (
	setUp    state = iota // not answered
	talking               // answered
	finished              // hung up, by either side
)

// line is one leg: a dialog (RFC 3261, section 12) and its sound. It is the wire of a soundline.
type line struct {
	s     *Server
	calls bool // the platform calls

	reporting sync.Mutex // one report at a time
	far       soundline.Far

	mu    sync.Mutex
	state state
	media *media

	// The dialog.
	callID            string
	localTag          string
	remoteTag         string
	local, remote     message.Uri // as they stand in From and To
	localName         string
	target            message.Uri   // where requests are for: the other side's Contact
	routes            []message.Uri // on the way there
	peer              netip.AddrPort
	transport         string
	localSeq          uint32
	remoteSeq         uint32
	origin            origin
	terms             terms
	session           session
	busy              bool   // an INVITE of our own waits for its answer
	unacked           uint32 // the number of the INVITE whose answer waits for its ACK; 0: none
	repeating         voice.Timer
	ticking           voice.Timer
	understandsUpdate bool

	incoming incoming
	outgoing outgoing
}

var _ soundline.Wire = (*line)(nil)

// newLine makes a line. sound may come as soon as it has terms.
func (s *Server) newLine() (*line, error) {
	l := &line{s: s, localTag: s.random(8)}
	m, err := s.openMedia(
		func(at time.Time, pcm []int16) { l.report(func(f soundline.Far) { f.Frame(at, pcm) }) },
		func(key byte) { l.report(func(f soundline.Far) { f.Key(key) }) },
	)
	if err != nil {
		return nil, err
	}
	l.media = m
	l.origin = origin{id: uint64(m.sender.source), address: m.address()}
	return l, nil
}

// dialogID names a dialog by what its requests carry: the tag is the platform's.
func dialogID(callID, tag string) string { return callID + "\n" + tag }

// keep enters a line into the book. There may be too many.
func (s *Server) keep(l *line) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(s.lines) >= s.options.MaxCalls {
		return false
	}
	s.lines[dialogID(l.callID, l.localTag)] = l
	return true
}

// forget strikes a line out of the book.
func (s *Server) forget(l *line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.lines, dialogID(l.callID, l.localTag))
}

// lineOf returns the line that a request is for.
func (s *Server) lineOf(r *message.Request) *line {
	s.mu.Lock()
	l := s.lines[dialogID(string(*r.CallID()), tagOf(r.To().Params))]
	s.mu.Unlock()
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.remoteTag != tagOf(r.From().Params) {
		return nil
	}
	return l
}

// Lines returns how many there are.
func (s *Server) Lines() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.lines)
}

// Rate is a telephone's.
func (l *line) Rate() int { return voice.SampleRate }

// Start begins to report, and to call.
func (l *line) Start(far soundline.Far) {
	l.reporting.Lock()
	l.far = far
	l.reporting.Unlock()
	if l.calls {
		go l.call() // ends with the answer
	}
}

// report reports, unless the line is over.
func (l *line) report(what func(soundline.Far)) {
	l.reporting.Lock()
	defer l.reporting.Unlock()
	l.mu.Lock()
	over := l.state == finished
	l.mu.Unlock()
	if l.far != nil && !over {
		what(l.far)
	}
}

// Send writes a frame.
func (l *line) Send(frame []int16) { l.media.send(frame) }

// Key sends a key on: as a telephone-event, or by INFO to a telephone that knows none.
func (l *line) Key(k byte) {
	l.mu.Lock()
	talks := l.state == talking
	l.mu.Unlock()
	if talks && !l.media.key(k) {
		r := l.request(message.INFO)
		r.AppendHeader(message.NewHeader("Content-Type", "application/dtmf-relay"))
		r.SetBody(keyInfo(k))
		go l.ask(r) // ends with the answer
	}
}

// Hangup ends the line.
func (l *line) Hangup(cause voice.Cause, reason string) {
	was, first := l.finish()
	if !first {
		return
	}
	switch {
	case was == talking:
		l.sendBye(cause, reason)
	case l.calls:
		l.outgoing.giveUp(cause, reason)
	default:
		l.refuse(cause, reason)
	}
}

// finish frees what the line holds. It reports how far the line was, and whether this is the first
// time.
func (l *line) finish() (was state, first bool) {
	l.mu.Lock()
	was = l.state
	if was == finished {
		l.mu.Unlock()
		return was, false
	}
	l.state = finished
	for _, timer := range []voice.Timer{l.repeating, l.ticking} {
		if timer != nil {
			timer.Stop()
		}
	}
	l.mu.Unlock()
	l.media.close()
	l.s.forget(l)
	return was, true
}

// end is the far end's end of the line.
func (l *line) end(cause voice.Cause, reason string) {
	l.reporting.Lock()
	defer l.reporting.Unlock()
	if _, first := l.finish(); first && l.far != nil {
		l.far.Ended(cause, reason)
	}
}

// drop hangs up a line that cannot go on, and reports it.
func (l *line) drop(cause voice.Cause, reason string) {
	l.mu.Lock()
	talks := l.state == talking
	l.mu.Unlock()
	if talks {
		l.sendBye(cause, reason)
	}
	l.end(cause, reason)
}

// sendBye ends an answered call.
func (l *line) sendBye(cause voice.Cause, reason string) {
	r := l.request(message.BYE)
	r.AppendHeader(reasonOf(cause, reason))
	l.s.farewell(func() { l.ask(r) })
}

// Figures of a line that is up.
const (
	lookEvery  = 10 * time.Second // at whether it still is
	mostSilent = time.Minute      // without a packet of sound
)

// watch begins to look at whether the line is still up.
func (l *line) watch() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state != talking {
		return
	}
	l.ticking = l.s.after(lookEvery, func() {
		now := l.s.options.Clock.Now()
		l.mu.Lock()
		late, refresh := l.session.due(now)
		l.mu.Unlock()
		switch {
		case l.media.silentFor() >= mostSilent:
			l.drop(voice.Cause{SIP: 200, Q850: 102}, "no sound for 60 s")
			return
		case late:
			l.drop(voice.Cause{SIP: 200, Q850: 102}, "the session has expired")
			return
		case refresh:
			go l.refresh() // ends with the answer
		}
		l.watch()
	})
}
