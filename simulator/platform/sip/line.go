package sip

import (
	"net/netip"
	"sync"
	"time"

	message "github.com/emiago/sipgo/sip"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/soundline"
)

// state is the state of a line.
type state int

const (
	setUp    state = iota // not answered
	talking               // answered
	finished              // hung up, by either side
)

// line is one leg: a dialog (RFC 3261, section 12) and its sound. It implements [soundline.Wire].
type line struct {
	s     *Server
	calls bool // the call is outgoing

	reporting sync.Mutex // one report at a time
	far       soundline.Far

	mu    sync.Mutex
	state state
	media *media

	// The dialog.
	callID            string
	localTag          string
	remoteTag         string
	local, remote     message.Uri // of From and To
	localName         string
	target            message.Uri   // of requests: the other side's Contact
	routes            []message.Uri // to the target
	peer              netip.AddrPort
	transport         string
	localSeq          uint32
	remoteSeq         uint32
	origin            origin
	terms             terms
	session           session
	busy              bool   // an INVITE of ours waits for its response
	unacked           uint32 // the sequence number of the INVITE whose response waits for its ACK; 0: none
	repeating         voice.Timer
	ticking           voice.Timer
	understandsUpdate bool

	incoming incoming
	outgoing outgoing
}

var _ soundline.Wire = (*line)(nil)

// newLine returns a line that is not yet connected to anybody.
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

// dialogID returns the key of a dialog: its Call-ID and the platform's tag.
func dialogID(callID, tag string) string { return callID + "\n" + tag }

// keep adds a line to the server. It returns false if there are too many lines.
func (s *Server) keep(l *line) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(s.lines) >= s.options.MaxCalls {
		return false
	}
	s.lines[dialogID(l.callID, l.localTag)] = l
	return true
}

// forget removes a line from the server.
func (s *Server) forget(l *line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.lines, dialogID(l.callID, l.localTag))
}

// lineOf returns the line of a request, or nil. It also returns nil if the request comes from another address than that
// of the other side, even with the right tags: somebody may have overheard them.
func (s *Server) lineOf(r *message.Request) *line {
	s.mu.Lock()
	l := s.lines[dialogID(string(*r.CallID()), tagOf(r.To().Params))]
	s.mu.Unlock()
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.remoteTag != tagOf(r.From().Params) || l.peer.Addr() != sourceOf(r).Addr() {
		return nil
	}
	return l
}

// Lines returns the number of lines.
func (s *Server) Lines() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.lines)
}

// Rate implements [soundline.Wire].
func (l *line) Rate() int { return voice.SampleRate }

// Start implements [soundline.Wire]. It places an outgoing call.
func (l *line) Start(far soundline.Far) {
	l.reporting.Lock()
	l.far = far
	l.reporting.Unlock()
	if l.calls {
		go l.call() // ends with the answer
	}
}

// report calls what with the receiver of the line's events, unless the line has ended.
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

// Send implements [soundline.Wire].
func (l *line) Send(frame []int16) { l.media.send(frame) }

// Key implements [soundline.Wire]. It sends a telephone-event, or INFO if the other side has no such events.
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

// Hangup implements [soundline.Wire].
func (l *line) Hangup(cause voice.Cause, reason string) {
	if l.calls {
		l.outgoing.giveUp(cause, reason) // first: an answer that finds the line finished reads why
	}
	switch was, first := l.finish(); {
	case !first:
	case was == talking:
		l.sendBye(cause, reason)
	case !l.calls:
		l.refuse(cause, reason)
	}
}

// finish frees the resources of the line. It returns the state before, and whether this is the first
// call.
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

// end ends the line and reports that the far end has ended it.
func (l *line) end(cause voice.Cause, reason string) {
	l.reporting.Lock()
	defer l.reporting.Unlock()
	if _, first := l.finish(); first && l.far != nil {
		l.far.Ended(cause, reason)
	}
}

// drop hangs up a line that has failed, and reports its end.
func (l *line) drop(cause voice.Cause, reason string) {
	l.mu.Lock()
	talks := l.state == talking
	l.mu.Unlock()
	if talks {
		l.sendBye(cause, reason)
	}
	l.end(cause, reason)
}

// sendBye sends BYE.
func (l *line) sendBye(cause voice.Cause, reason string) {
	r := l.request(message.BYE)
	r.AppendHeader(reasonOf(cause, reason))
	l.s.sendFinalRequest(func() { l.ask(r) })
}

// Times of an answered line.
const (
	lookEvery  = 10 * time.Second // interval of checks
	mostSilent = time.Minute      // without a packet of sound, after which it is dropped
)

// watch checks an answered line at intervals, until it is over.
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
