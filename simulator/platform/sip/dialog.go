package sip

import (
	"context"
	"net"
	"net/netip"
	"time"

	message "github.com/emiago/sipgo/sip"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/soundline"
)

// request makes a request of the dialog.
func (l *line) request(method message.RequestMethod) *message.Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.localSeq++
	return l.build(method, l.localSeq)
}

// build writes a request of the dialog; the lock is held.
func (l *line) build(method message.RequestMethod, seq uint32) *message.Request {
	r := message.NewRequest(method, *l.target.Clone())
	r.AppendHeader(l.s.via(l.transport))
	for _, route := range l.routes {
		r.AppendHeader(&message.RouteHeader{Address: *route.Clone()})
	}
	from := &message.FromHeader{DisplayName: l.localName, Address: *l.local.Clone(), Params: message.HeaderParams{{K: "tag", V: l.localTag}}}
	to := &message.ToHeader{Address: *l.remote.Clone()}
	if l.remoteTag != "" {
		to.Params = message.HeaderParams{{K: "tag", V: l.remoteTag}}
	}
	callID, hops := message.CallIDHeader(l.callID), message.MaxForwardsHeader(70)
	r.AppendHeader(from)
	r.AppendHeader(to)
	r.AppendHeader(&callID)
	r.AppendHeader(&message.CSeqHeader{SeqNo: seq, MethodName: method})
	r.AppendHeader(&hops)
	r.AppendHeader(l.s.contact(l.transport))
	r.AppendHeader(message.NewHeader("User-Agent", "cabrank"))
	r.SetBody(nil)
	l.s.direct(r, l.transport, l.peer)
	return r
}

// direct sends a request from the port that the server listens on, as those want who know a trunk
// by its address.
func (s *Server) direct(r *message.Request, transport string, peer netip.AddrPort) {
	r.SetTransport(transport)
	r.SetDestination(peer.String())
	if transport == "UDP" {
		r.Laddr = message.Addr{IP: net.IP(s.address.Addr().AsSlice()), Port: int(s.address.Port())}
	}
}

// via is the header of a request's way back.
func (s *Server) via(transport string) *message.ViaHeader {
	return &message.ViaHeader{
		ProtocolName: "SIP", ProtocolVersion: "2.0", Transport: transport, Host: s.address.Addr().String(), Port: int(s.address.Port()),
		Params: message.HeaderParams{{K: "branch", V: message.RFC3261BranchMagicCookie + s.random(12)}, {K: "rport"}},
	}
}

// contact is where the platform is reached. It names no subscriber.
func (s *Server) contact(transport string) *message.ContactHeader {
	uri := message.Uri{Scheme: "sip", User: "cabrank", Host: s.address.Addr().String(), Port: int(s.address.Port())}
	if transport == "TCP" {
		uri.UriParams = message.HeaderParams{{K: "transport", V: "tcp"}}
	}
	return &message.ContactHeader{Address: uri}
}

// ask sends a request that is no INVITE and returns the final answer; nil: none came.
func (l *line) ask(r *message.Request) *message.Response {
	const within = 32 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	response, err := l.s.client.Do(ctx, r, asBuilt)
	if err != nil || response == nil || !whole(response) {
		return nil
	}
	return response
}

// within is a handler of requests of a dialog that is there.
func (s *Server) within(handle func(*line, *message.Request, message.ServerTransaction)) func(*message.Request, message.ServerTransaction) {
	return func(r *message.Request, tx message.ServerTransaction) {
		l := s.lineOf(r)
		switch {
		case l == nil:
			s.answer(r, tx, message.StatusCallTransactionDoesNotExists)
		case !l.follows(r):
			s.answer(r, tx, message.StatusInternalServerError)
		default:
			handle(l, r, tx)
		}
	}
}

// follows reports whether a request comes after those before it.
func (l *line) follows(r *message.Request) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.CSeq().SeqNo <= l.remoteSeq {
		return false
	}
	l.remoteSeq = r.CSeq().SeqNo
	return true
}

// stray is a CANCEL that comes too late, or for nothing: those of a call that rings find their
// transaction.
func (s *Server) stray(r *message.Request, tx message.ServerTransaction) {
	s.answer(r, tx, message.StatusCallTransactionDoesNotExists)
}

// bye is the other side hanging up.
func (l *line) bye(r *message.Request, tx message.ServerTransaction) {
	l.s.answer(r, tx, message.StatusOK)
	l.mu.Lock()
	rings := l.state == setUp && !l.calls
	l.mu.Unlock()
	if rings {
		l.refuse(voice.CauseCanceled, "")
	}
	cause, reason := causeOf(r, voice.CauseNormal)
	l.end(cause, reason)
}

// info is a key, from a telephone that knows no telephone-events.
func (l *line) info(r *message.Request, tx message.ServerTransaction) {
	key, ok := infoKey(valueOf(r, "Content-Type"), r.Body())
	switch {
	case ok:
		l.s.answer(r, tx, message.StatusOK)
		l.report(func(f soundline.Far) { f.Key(key) })
	case len(r.Body()) == 0:
		l.s.answer(r, tx, message.StatusOK)
	default:
		l.s.answer(r, tx, message.StatusUnsupportedMediaType, message.NewHeader("Accept", "application/dtmf-relay, application/dtmf"))
	}
}

// ack ends the repetitions of an answer. It may bring the answer to an offer of our own.
func (s *Server) ack(r *message.Request, _ message.ServerTransaction) {
	l := s.lineOf(r)
	if l == nil {
		return
	}
	l.mu.Lock()
	if l.unacked != r.CSeq().SeqNo {
		l.mu.Unlock()
		return // it has come before
	}
	l.unacked = 0
	offered := l.incoming.offered
	l.incoming.offered = false
	l.mu.Unlock()
	if offered {
		if _, err := l.negotiate(r.Body(), r); err != nil {
			l.drop(voice.CauseOf(message.StatusNotAcceptableHere), "no answer to the offer of sound")
		}
	}
}

// negotiate takes a description of the other side's.
func (l *line) negotiate(body []byte, m message.Message) (description, error) {
	d, err := readSDP(body)
	if err != nil {
		return d, err
	}
	t, err := d.agree()
	if err != nil {
		return d, err
	}
	source := sourceOf(m).Addr()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.terms = l.s.reachable(t, source)
	l.media.agree(l.terms, source)
	return d, nil
}

// respond sends a final answer to an INVITE, and repeats it until its ACK comes. The ACK may come
// before this method returns.
func (l *line) respond(tx message.ServerTransaction, response *message.Response) error {
	const first = 500 * time.Millisecond
	l.mu.Lock()
	l.unacked = response.CSeq().SeqNo
	l.mu.Unlock()
	if err := tx.Respond(response); err != nil {
		l.mu.Lock()
		l.unacked = 0
		l.mu.Unlock()
		return err
	}
	l.repeat(tx, response, first, 0)
	return nil
}

// repeat sends the answer again after a while, unless its ACK has come.
func (l *line) repeat(tx message.ServerTransaction, response *message.Response, wait, waited time.Duration) {
	const longest, most = 4 * time.Second, 32 * time.Second
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == finished || l.unacked != response.CSeq().SeqNo {
		return
	}
	l.repeating = l.s.after(wait, func() {
		l.mu.Lock()
		heard := l.unacked != response.CSeq().SeqNo
		l.mu.Unlock()
		if heard {
			return
		}
		if waited += wait; waited >= most {
			l.drop(voice.CauseOf(message.StatusRequestTimeout), "the answer was not acknowledged")
			return
		}
		_ = tx.Respond(response) // the next one may come through
		l.repeat(tx, response, min(2*wait, longest), waited)
	})
}
