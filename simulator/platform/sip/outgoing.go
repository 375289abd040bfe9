package sip

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/emiago/sipgo"
	message "github.com/emiago/sipgo/sip"
	"github.com/icholy/digest"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/soundline"
)

// sendUnchanged makes sipgo send a request unchanged.
func sendUnchanged(*sipgo.Client, *message.Request) error { return nil }

// Destination is the destination of an outgoing call.
type Destination struct {
	From string // the caller's number, in the form that the far end expects, or "anonymous"
	To   string // the called number; not for a telephone

	Trunk netip.AddrPort // address of a trunk, or
	User  string         // user of a telephone, or
	URI   string         // any other address, with its parameters
	Login voice.SIPURI   // user name, password and headers for URI
}

// outgoing is the part of a line for outgoing calls.
type outgoing struct {
	failure *voice.Failure // why the call cannot be placed
	login   voice.SIPURI
	headers map[string]string
	gone    chan struct{} // closed by giveUp
	once    sync.Once
	cause   voice.Cause
	reason  string
	ringing bool
	early   bool
}

// giveUp ends an outgoing call before it is answered.
func (o *outgoing) giveUp(cause voice.Cause, reason string) {
	o.once.Do(func() {
		o.cause, o.reason = cause, reason
		close(o.gone)
	})
}

// Dial returns a leg that places a call when it is started. If the destination cannot be called, the leg
// ends then.
func (s *Server) Dial(to Destination) (voice.Leg, error) {
	l, err := s.newLine()
	if err != nil {
		return nil, err
	}
	l.calls, l.callID = true, s.random(16)
	l.outgoing.gone, l.outgoing.login, l.outgoing.headers = make(chan struct{}), to.Login, to.Login.Headers
	l.local, l.localName = s.shown(to.From)
	if l.outgoing.failure = l.setDestination(to); l.outgoing.failure == nil {
		s.meet(l.peer)
	}
	if !s.keep(l) {
		l.media.close()
		return nil, &voice.Failure{Cause: voice.CauseTransport, Reason: "as many lines are up as there may be"}
	}
	return s.options.Line(l), nil
}

// shown returns the address and name for From: the caller's number, or anonymous if it is withheld.
func (s *Server) shown(number string) (uri message.Uri, name string) {
	if number == "" || number == voice.Anonymous {
		return message.Uri{Scheme: "sip", User: voice.Anonymous, Host: "anonymous.invalid"}, "Anonymous"
	}
	return message.Uri{Scheme: "sip", User: token(number), Host: s.address.Addr().String()}, ""
}

// setDestination sets the addresses of the line for a destination; nil means success.
func (l *line) setDestination(to Destination) *voice.Failure {
	switch {
	case to.User != "":
		b, bound := l.s.phones.at(to.User, l.s.options.Clock.Now())
		if !bound {
			return &voice.Failure{Cause: voice.Cause{SIP: 480, Q850: 20}, Reason: "the telephone is not logged in"}
		}
		l.target, l.remote, l.peer, l.transport = b.contact, *b.contact.Clone(), b.source, transportOf(b.transport)
		l.remote.UriParams = nil
		return nil
	case to.URI != "":
		return l.setURI(to.URI)
	}
	l.peer, l.transport = to.Trunk, "UDP"
	l.target = message.Uri{Scheme: "sip", User: token(to.To), Host: to.Trunk.Addr().String(), Port: int(to.Trunk.Port())}
	l.remote = *l.target.Clone()
	return l.allowed()
}

// setURI sets the addresses of the line for a SIP URI, whose host must be an IP address; nil means success.
func (l *line) setURI(uri string) *voice.Failure {
	if err := message.ParseUri(uri, &l.target); err != nil || l.target.Scheme != "sip" {
		return &voice.Failure{Cause: voice.CauseUnrouted, Reason: "the SIP address cannot be read"}
	}
	host, err := netip.ParseAddr(strings.Trim(l.target.Host, "[]"))
	if err != nil && l.target.Host == "localhost" {
		host, err = netip.AddrFrom4([4]byte{127, 0, 0, 1}), nil
	}
	if err != nil {
		return &voice.Failure{Cause: voice.CauseTransport, Reason: "the SIP address names a host: names are not looked up"}
	}
	transport, _ := l.target.UriParams.Get("transport")
	l.peer, l.transport = netip.AddrPortFrom(host, uint16(cmp.Or(l.target.Port, 5060))), transportOf(transport)
	l.remote = *l.target.Clone()
	l.remote.UriParams = nil
	return l.allowed()
}

// allowed returns nil if the destination may be called, or the failure of a call to the platform itself or to another
// machine.
func (l *line) allowed() *voice.Failure {
	if l.peer == l.s.address {
		return &voice.Failure{Cause: voice.CauseOf(message.StatusLoopDetected), Reason: "the address is this platform's own"}
	}
	if l.s.mayReach(l.peer.Addr()) {
		return nil
	}
	return &voice.Failure{Cause: voice.CauseTransport, Reason: "the address is on another machine: that wants --allow-external-calls, and a trunk there"}
}

// unheard is the time without a response to an INVITE after which the call fails, so that another
// destination can be tried. sipgo would wait for 32 s.
const unheard = 4 * time.Second

// call places the call, and returns when it is answered or over.
func (l *line) call() {
	if f := l.outgoing.failure; f != nil {
		l.end(f.Cause, f.Reason)
		return
	}
	invite := l.firstInvite()
	tx, err := l.s.client.TransactionRequest(context.Background(), invite, sendUnchanged)
	if err != nil {
		l.end(voice.CauseTransport, "the other side cannot be reached")
		return
	}
	l.follow(tx, invite)
}

// firstInvite returns the INVITE of the call.
func (l *line) firstInvite() *message.Request {
	r := l.request(message.INVITE)
	r.AppendHeader(allow)
	r.AppendHeader(message.NewHeader("Supported", "timer"))
	if l.local.Host == "anonymous.invalid" {
		r.AppendHeader(message.NewHeader("Privacy", "id"))
	}
	for name, value := range l.outgoing.headers {
		r.AppendHeader(message.NewHeader(token(name), withoutLineBreaks(value)))
	}
	r.AppendHeader(message.NewHeader("Content-Type", "application/sdp"))
	l.mu.Lock()
	r.SetBody(l.origin.offer())
	l.mu.Unlock()
	return r
}

// withoutLineBreaks returns a text as a single line, without line breaks.
func withoutLineBreaks(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F {
			return -1
		}
		return r
	}, s)
}

// follow processes the responses to an INVITE. It does so even after the call was given up, since an
// answer may be on its way.
func (l *line) follow(tx message.ClientTransaction, invite *message.Request) {
	silent, late := make(chan struct{}), make(chan struct{})
	quiet := l.s.after(unheard, func() { close(silent) })
	defer quiet.Stop()
	gone, heard, cancelled := l.outgoing.gone, false, false
	giveUp := func() {
		if !cancelled {
			cancelled = true
			go l.cancel(invite, l.outgoing.cause, l.outgoing.reason) // ends with the answer
		}
	}
	for {
		select {
		case response := <-tx.Responses():
			quiet.Stop()
			if !heard {
				heard = true
				if gone == nil {
					giveUp()
				}
			}
			if response.IsProvisional() {
				l.progress(response)
				continue
			}
			if again, next := l.challenged(invite, response); again != nil {
				tx, invite = again, next
				continue
			}
			l.final(tx, invite, response)
			return
		case <-gone:
			gone = nil
			l.s.after(cancelWithin, func() { close(late) })
			if heard {
				giveUp()
			}
		case <-silent:
			silent = nil
			l.outgoing.giveUp(voice.CauseOf(message.StatusRequestTimeout), "")
			l.end(voice.CauseOf(message.StatusRequestTimeout), "nothing was heard of the other side")
		case <-late:
			tx.Terminate()
			return
		case <-tx.Done():
			cause := voice.CauseTransport
			if errors.Is(tx.Err(), message.ErrTransactionTimeout) {
				cause = voice.CauseOf(message.StatusRequestTimeout)
			}
			l.end(cause, "the other side cannot be reached")
			return
		}
	}
}

// progress processes a provisional response.
func (l *line) progress(response *message.Response) {
	if len(response.Body()) > 0 && !l.outgoing.early {
		if _, err := l.negotiate(response.Body(), response); err == nil {
			l.outgoing.early = true
			l.report(soundline.Far.EarlyMedia)
		}
	}
	if response.StatusCode == message.StatusRinging && !l.outgoing.ringing {
		l.outgoing.ringing = true
		l.report(soundline.Far.Ringing)
	}
}

// challenged repeats the INVITE with credentials, if the response requests them and they are known.
func (l *line) challenged(invite *message.Request, response *message.Response) (message.ClientTransaction, *message.Request) {
	header, credentials := "WWW-Authenticate", "Authorization"
	switch response.StatusCode {
	case message.StatusUnauthorized:
	case message.StatusProxyAuthRequired:
		header, credentials = "Proxy-Authenticate", "Proxy-Authorization"
	default:
		return nil, nil
	}
	if l.outgoing.login.Username == "" || valueOf(invite, credentials) != "" {
		return nil, nil
	}
	challenge, err := digest.ParseChallenge(valueOf(response, header))
	if err != nil {
		return nil, nil
	}
	answer, err := digest.Digest(challenge, digest.Options{
		Method: "INVITE", URI: invite.Recipient.String(), Username: l.outgoing.login.Username, Password: l.outgoing.login.Password,
	})
	if err != nil {
		return nil, nil
	}
	next := l.firstInvite()
	next.AppendHeader(message.NewHeader(credentials, answer.String()))
	again, err := l.s.client.TransactionRequest(context.Background(), next, sendUnchanged)
	if err != nil {
		return nil, nil
	}
	return again, next
}

// final processes a final response.
func (l *line) final(tx message.ClientTransaction, invite *message.Request, response *message.Response) {
	if !whole(response) {
		l.end(voice.CauseTransport, "the answer cannot be read")
		return
	}
	if !response.IsSuccess() {
		cause, reason := causeOf(response, voice.CauseOf(response.StatusCode))
		l.end(cause, cmp.Or(reason, spoken(response.Reason)))
		return
	}
	l.establish(response)
	l.acknowledge(invite, response)
	tx.OnRetransmission(func(again *message.Response) { // the ACK did not arrive
		if whole(again) {
			go l.repeated(invite, again) // ends with the answer
		}
	})
	_, err := l.negotiate(response.Body(), response)
	l.mu.Lock()
	over := l.state == finished
	if !over {
		l.state = talking
	}
	l.mu.Unlock()
	switch {
	case over:
		l.sendBye(l.outgoing.cause, l.outgoing.reason)
	case err != nil:
		l.drop(voice.CauseOf(message.StatusNotAcceptableHere), "the other side speaks no codec of this platform")
	default:
		l.report(soundline.Far.Answered)
		l.watch()
	}
}

// establish sets the dialog from a successful response.
func (l *line) establish(response *message.Response) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.remoteTag = tagOf(response.To().Params)
	if response.Contact() != nil {
		l.target = response.Contact().Address
	}
	for _, h := range slices.Backward(response.GetHeaders("Record-Route")) {
		if route, ok := h.(*message.RecordRouteHeader); ok {
			l.routes = append(l.routes, route.Address)
		}
	}
	l.understandsUpdate = mentions(response, "UPDATE", "Allow")
	l.session = agreedSession(response)
	l.session.begin(l.s.options.Clock.Now())
}

// repeated processes a successful response that is a retransmission, or from another telephone of a forked call.
func (l *line) repeated(invite *message.Request, response *message.Response) {
	l.acknowledge(invite, response)
	l.mu.Lock()
	other := tagOf(response.To().Params) != l.remoteTag
	l.mu.Unlock()
	if other {
		r := l.request(message.BYE)
		r.To().Params = response.To().Params.Clone()
		r.AppendHeader(reasonOf(voice.CauseElsewhere, ""))
		l.ask(r)
	}
}
