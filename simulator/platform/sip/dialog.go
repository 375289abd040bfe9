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

// request returns a new request of the dialog.
func (l *line) request(method message.RequestMethod) *message.Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.localSeq++
	return l.build(method, l.localSeq)
}

// build returns a request of the dialog with a sequence number; the lock is held.
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
	l.s.sendFromOwnPort(r, l.transport, l.peer)
	return r
}

// sendFromOwnPort makes a request leave from the server's own port, since trunks identify the platform by address and port.
func (s *Server) sendFromOwnPort(r *message.Request, transport string, peer netip.AddrPort) {
	r.SetTransport(transport)
	r.SetDestination(peer.String())
	if transport == "UDP" {
		r.Laddr = message.Addr{IP: net.IP(s.address.Addr().AsSlice()), Port: int(s.address.Port())}
	}
}

// via returns the Via header, to which the response is sent.
func (s *Server) via(transport string) *message.ViaHeader {
	return &message.ViaHeader{
		ProtocolName: "SIP", ProtocolVersion: "2.0", Transport: transport, Host: s.address.Addr().String(), Port: int(s.address.Port()),
		Params: message.HeaderParams{{K: "branch", V: message.RFC3261BranchMagicCookie + s.random(12)}, {K: "rport"}},
	}
}

// contact returns the Contact header of the platform. It has no user.
func (s *Server) contact(transport string) *message.ContactHeader {
	uri := message.Uri{Scheme: "sip", User: "cabrank", Host: s.address.Addr().String(), Port: int(s.address.Port())}
	if transport == "TCP" {
		uri.UriParams = message.HeaderParams{{K: "transport", V: "tcp"}}
	}
	return &message.ContactHeader{Address: uri}
}

// ask sends a request other than INVITE and returns the final response; nil: there was none.
func (l *line) ask(r *message.Request) *message.Response {
	const within = 32 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	response, err := l.s.client.Do(ctx, r, sendUnchanged)
	if err != nil || response == nil || !whole(response) {
		return nil
	}
	return response
}

// within returns a handler that passes a request to the line whose dialog it belongs to.
func (s *Server) within(handle func(*line, *message.Request, message.ServerTransaction)) func(*message.Request, message.ServerTransaction) {
	return func(r *message.Request, tx message.ServerTransaction) {
		l := s.lineOf(r)
		switch {
		case l == nil:
			s.refuse(r, tx, message.StatusCallTransactionDoesNotExists)
		case !l.follows(r):
			s.refuse(r, tx, message.StatusInternalServerError)
		default:
			handle(l, r, tx)
		}
	}
}

// follows reports whether the sequence number of a request is higher than those of earlier requests.
func (l *line) follows(r *message.Request) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.CSeq().SeqNo <= l.remoteSeq {
		return false
	}
	l.remoteSeq = r.CSeq().SeqNo
	return true
}

// strayCancel handles a CANCEL without a transaction, such as one that arrives after the answer.
func (s *Server) strayCancel(r *message.Request, tx message.ServerTransaction) {
	s.answer(r, tx, message.StatusCallTransactionDoesNotExists)
}

// bye handles BYE: the other side hangs up.
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

// info handles INFO: a key of a telephone without telephone-events.
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

// ack handles ACK. It ends the retransmissions of the response, and may contain the answer to an offer.
func (s *Server) ack(r *message.Request, _ message.ServerTransaction) {
	l := s.lineOf(r)
	if l == nil {
		return
	}
	l.mu.Lock()
	if l.unacked != r.CSeq().SeqNo {
		l.mu.Unlock()
		return // a retransmission
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

// negotiate applies a session description of the other side.
func (l *line) negotiate(body []byte, m message.Message) (description, error) {
	d, err := readSDP(body)
	if err != nil {
		return d, err
	}
	source := sourceOf(m).Addr()
	t, err := l.s.agree(d, source)
	if err != nil {
		return d, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.terms = t
	l.media.agree(l.terms, source)
	return d, nil
}

// respond sends a final response to an INVITE, and retransmits it until the ACK arrives, which has the answer
// if the response has an offer. The ACK may arrive before this method returns, and that of an earlier response
// while it runs.
func (l *line) respond(tx message.ServerTransaction, response *message.Response, offered bool) error {
	const first = 500 * time.Millisecond
	l.mu.Lock()
	l.unacked, l.incoming.offered = response.CSeq().SeqNo, offered
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

// repeat retransmits a response after the duration wait, unless the ACK has arrived.
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
		_ = tx.Respond(response) // the next one may succeed
		l.repeat(tx, response, min(2*wait, longest), waited)
	})
}
