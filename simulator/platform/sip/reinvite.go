package sip

import (
	"context"
	"time"

	message "github.com/emiago/sipgo/sip"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// reinvite handles an INVITE of an answered call: hold, another address, or a refresh of the session.
func (l *line) reinvite(r *message.Request, tx message.ServerTransaction) {
	l.mu.Lock()
	clash := l.busy || l.state != talking
	l.mu.Unlock()
	if clash {
		l.s.answer(r, tx, message.StatusRequestPending)
		return
	}
	body, status := l.renegotiate(r)
	if status != 0 {
		l.s.answer(r, tx, status)
		return
	}
	_ = l.respond(tx, l.refreshed(r, body), len(r.Body()) == 0) // it is asked again
}

// update handles UPDATE (RFC 3311), which is a re-INVITE without an ACK.
func (l *line) update(r *message.Request, tx message.ServerTransaction) {
	var body []byte
	if len(r.Body()) > 0 {
		l.mu.Lock()
		clash := l.busy || l.state != talking
		l.mu.Unlock()
		if clash {
			l.s.answer(r, tx, message.StatusRequestPending)
			return
		}
		var status int
		if body, status = l.renegotiate(r); status != 0 {
			l.s.answer(r, tx, status)
			return
		}
	}
	_ = tx.Respond(l.refreshed(r, body)) // it is asked again
}

// renegotiate applies a new offer and returns the answer, or an offer of the current terms if there is no
// offer. An offer that is refused does not change the call.
func (l *line) renegotiate(r *message.Request) (body []byte, status int) {
	if len(r.Body()) == 0 {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.origin.current(l.terms), 0
	}
	d, err := l.negotiate(r.Body(), r)
	if err != nil {
		return nil, message.StatusNotAcceptableHere
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.origin.answer(d, l.terms), 0
}

// refreshed returns the response to a request that refreshes the session.
func (l *line) refreshed(r *message.Request, body []byte) *message.Response {
	response := l.response(r, message.StatusOK, body)
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.Contact() != nil {
		l.target = r.Contact().Address
	}
	if asked, tooShort := askedSession(r); asked.life > 0 && !tooShort {
		l.session = asked
	}
	l.session.begin(l.s.options.Clock.Now())
	l.session.write(response)
	return response
}

// refresh refreshes the session, with UPDATE if the other side supports it, and otherwise with an INVITE
// that has the current terms.
func (l *line) refresh() {
	l.mu.Lock()
	if l.state != talking || l.busy || l.unacked != 0 {
		l.mu.Unlock()
		return // the next check tries again
	}
	l.busy = true
	method := message.INVITE
	if l.understandsUpdate {
		method = message.UPDATE
	}
	l.localSeq++
	r := l.build(method, l.localSeq)
	r.AppendHeader(message.NewHeader("Supported", "timer"))
	r.AppendHeader(message.NewHeader("Session-Expires", seconds(l.session.life)+";refresher=uac"))
	if method == message.INVITE {
		r.AppendHeader(message.NewHeader("Content-Type", "application/sdp"))
		r.SetBody(l.origin.current(l.terms))
	}
	l.mu.Unlock()
	response := l.ask(r)
	if response != nil && response.IsSuccess() && method == message.INVITE {
		l.acknowledge(r, response)
		if len(response.Body()) > 0 {
			_, _ = l.negotiate(response.Body(), response) // an invalid description changes nothing
		}
	}
	l.mu.Lock()
	l.busy = false
	if response != nil && response.IsSuccess() {
		l.session.begin(l.s.options.Clock.Now())
	}
	l.mu.Unlock()
	if response == nil || response.StatusCode == message.StatusRequestTimeout || response.StatusCode == message.StatusCallTransactionDoesNotExists {
		l.drop(voice.Cause{SIP: 200, Q850: 102}, "the other side is gone")
	}
}

// acknowledge sends the ACK of a response to an INVITE.
func (l *line) acknowledge(invite *message.Request, response *message.Response) {
	l.mu.Lock()
	ack := l.build(message.ACK, invite.CSeq().SeqNo)
	l.mu.Unlock()
	ack.To().Params = response.To().Params.Clone()
	_ = l.s.client.WriteRequest(ack, sendUnchanged) // the response is retransmitted until one arrives
}

// cancelWithin is the timeout of CANCEL.
const cancelWithin = 32 * time.Second

// cancel sends CANCEL for an INVITE that has had a provisional response.
func (l *line) cancel(invite *message.Request, cause voice.Cause, reason string) {
	r := message.NewRequest(message.CANCEL, *invite.Recipient.Clone())
	r.AppendHeader(invite.Via().Clone())
	message.CopyHeaders("Route", invite, r)
	message.CopyHeaders("From", invite, r)
	message.CopyHeaders("To", invite, r)
	message.CopyHeaders("Call-ID", invite, r)
	hops := message.MaxForwardsHeader(70)
	r.AppendHeader(&message.CSeqHeader{SeqNo: invite.CSeq().SeqNo, MethodName: message.CANCEL})
	r.AppendHeader(&hops)
	r.AppendHeader(reasonOf(cause, reason))
	r.SetBody(nil)
	l.s.sendFromOwnPort(r, l.transport, l.peer)
	ctx, stop := context.WithTimeout(context.Background(), cancelWithin)
	defer stop()
	_, _ = l.s.client.Do(ctx, r, sendUnchanged) // the response to the INVITE shows the result
}
