package sip

import (
	"errors"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"

	message "github.com/emiago/sipgo/sip"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// incoming is the part of a line for incoming calls.
type incoming struct {
	invite   *message.Request
	tx       message.ServerTransaction
	offer    description
	offered  bool // the response has the platform's offer; the answer is in the ACK
	final    func()
	answered chan struct{} // closed by final
}

// invite handles INVITE, of an existing dialog or for a new call.
func (s *Server) invite(r *message.Request, tx message.ServerTransaction) {
	if tagOf(r.To().Params) != "" { // sipgo calls the same handler for both
		s.within((*line).reinvite)(r, tx)
		return
	}
	if option := unsupported(r); option != "" {
		s.refuse(r, tx, message.StatusBadExtension, message.NewHeader("Unsupported", option))
		return
	}
	caller, ok := s.callerOf(r, tx)
	if !ok {
		return
	}
	status, headers := s.receive(r, tx, caller)
	if status != 0 {
		s.refuse(r, tx, status, headers...)
	}
}

// unsupported returns an extension that a request requires and that is not supported; "": there is none.
func unsupported(r *message.Request) string {
	for _, h := range r.GetHeaders("Require") {
		for option := range strings.SplitSeq(h.Value(), ",") {
			if option = strings.TrimSpace(option); option != "timer" {
				return token(option)
			}
		}
	}
	return ""
}

// receive passes a call to the platform, and waits until it is answered or over. It returns the status with which the
// call is refused, or 0.
func (s *Server) receive(r *message.Request, tx message.ServerTransaction, caller Caller) (status int, headers []message.Header) {
	if r.Contact() == nil || tagOf(r.From().Params) == "" {
		return message.StatusBadRequest, nil
	}
	session, tooShort := askedSession(r)
	if tooShort {
		return 422, []message.Header{message.NewHeader("Min-SE", seconds(leastSession))}
	}
	l, status := s.dialogOf(r, tx)
	if status != 0 {
		return status, nil
	}
	l.session = session
	if !s.keep(l) {
		l.media.close()
		return message.StatusServiceUnavailable, nil
	}
	cancelled := make(chan *message.Request, 1)
	if !tx.OnCancel(func(c *message.Request) {
		select {
		case cancelled <- c:
		default:
		}
	}) {
		l.finish()
		return 0, nil // the caller has cancelled
	}
	if err := s.options.Exchange.Call(caller, s.options.Line(l)); err != nil {
		l.finish()
		return refusal(err), nil
	}
	select { // the transaction ends when this returns
	case <-l.incoming.answered:
	case c := <-cancelled:
		cause, reason := causeOf(c, voice.CauseCanceled)
		l.end(cause, reason)
	case <-tx.Done():
		l.end(voice.CauseTransport, "the caller cannot be reached")
	}
	return 0, nil
}

// dialogOf returns a new line for an INVITE, or the status of a refusal.
func (s *Server) dialogOf(r *message.Request, tx message.ServerTransaction) (*line, int) {
	l, err := s.newLine()
	if err != nil {
		return nil, message.StatusServiceUnavailable
	}
	l.callID, l.remoteTag, l.remoteSeq = string(*r.CallID()), tagOf(r.From().Params), r.CSeq().SeqNo
	l.local, l.remote = r.To().Address, r.From().Address
	l.target, l.peer, l.transport = r.Contact().Address, sourceOf(r), transportOf(r.Transport())
	for _, h := range r.GetHeaders("Record-Route") {
		if route, ok := h.(*message.RecordRouteHeader); ok {
			l.routes = append(l.routes, route.Address)
		}
	}
	l.understandsUpdate = mentions(r, "UPDATE", "Allow")
	l.incoming = incoming{invite: r, tx: tx, answered: make(chan struct{})}
	l.incoming.final = sync.OnceFunc(func() { close(l.incoming.answered) })
	status := l.readOffer(r)
	if status != 0 {
		l.media.close()
		return nil, status
	}
	return l, 0
}

// readOffer parses the offer of an INVITE and returns the status of a refusal, or 0. Without an offer, the platform
// makes one.
func (l *line) readOffer(r *message.Request) (status int) {
	if len(r.Body()) == 0 {
		l.incoming.offered = true
		return 0
	}
	if !strings.HasPrefix(strings.ToLower(valueOf(r, "Content-Type")), "application/sdp") {
		return message.StatusUnsupportedMediaType
	}
	d, err := readSDP(r.Body())
	if err != nil {
		return message.StatusBadRequest
	}
	t, err := l.s.agree(d, sourceOf(r).Addr())
	if err != nil {
		return message.StatusNotAcceptableHere
	}
	l.incoming.offer, l.terms = d, t
	return 0
}

// refusal returns the SIP status for an error of [Exchange.Call].
func refusal(err error) int {
	if failure, ok := errors.AsType[*voice.Failure](err); ok && failure.Cause.SIP >= 300 {
		return failure.Cause.SIP
	}
	return message.StatusServiceUnavailable
}

// callerOf returns the caller of an INVITE. ok is false if the caller is unknown; then it has sent the response.
func (s *Server) callerOf(r *message.Request, tx message.ServerTransaction) (c Caller, ok bool) {
	c.Called = userOf(r.Recipient)
	if s.asPhone(r) {
		c.User, ok = s.loggedIn(r, tx, message.StatusProxyAuthRequired)
		return c, ok
	}
	c.Trunk = sourceOf(r).Addr()
	if !s.options.Exchange.Trunk(c.Trunk) {
		s.refuse(r, tx, message.StatusForbidden)
		return c, false
	}
	s.meet(netip.AddrPortFrom(c.Trunk, 0))
	if transportOf(r.Transport()) == "TCP" { // not by UDP, where forged ports would displace others who are known
		s.meet(sourceOf(r))
	}
	c.Number = callingNumber(r)
	return c, true
}

// userOf returns the user of an address, without the parameters of a number.
func userOf(u message.Uri) string {
	user := u.User
	if u.Scheme == "tel" {
		user = u.Raw()
	}
	user, _, _ = strings.Cut(user, ";")
	if plain, err := url.PathUnescape(user); err == nil {
		return plain
	}
	return user
}

// callingNumber returns the caller's number of a call from a trunk: the one that the trunk asserts, or else
// that of From. It returns "" if the caller withholds it.
func callingNumber(r *message.Request) string {
	for kind := range strings.SplitSeq(strings.ToLower(valueOf(r, "Privacy")), ";") {
		if slices.Contains([]string{"id", "user", "header"}, strings.TrimSpace(kind)) {
			return ""
		}
	}
	from := r.From().Address
	number := userOf(from)
	if asserted := valueOf(r, "P-Asserted-Identity", "Remote-Party-ID"); asserted != "" {
		if strings.Contains(strings.ToLower(asserted), "privacy=full") {
			return ""
		}
		number = numberIn(asserted)
	}
	if strings.EqualFold(from.Host, "anonymous.invalid") || strings.EqualFold(from.User, voice.Anonymous) {
		return ""
	}
	return number
}

// numberIn returns the number in an address such as "A" <sip:+441632960001@192.0.2.1>.
func numberIn(address string) string {
	if _, inside, ok := strings.Cut(address, "<"); ok {
		address, _, _ = strings.Cut(inside, ">")
	}
	_, rest, _ := strings.Cut(address, ":")
	rest, _, _ = strings.Cut(rest, "@")
	rest, _, _ = strings.Cut(rest, ";")
	return rest
}

// Ring implements [soundline.Wire].
func (l *line) Ring() {
	if !l.calls {
		_ = l.incoming.tx.Respond(l.response(l.incoming.invite, message.StatusRinging, nil)) // if it is lost, the final response follows
	}
}

// Answer implements [soundline.Wire].
func (l *line) Answer() {
	l.mu.Lock()
	if l.calls || l.state != setUp {
		l.mu.Unlock()
		return
	}
	l.state = talking
	in := &l.incoming
	var body []byte
	if in.offered {
		body = l.origin.offer()
	} else {
		body = l.origin.answer(in.offer, l.terms)
		l.media.agree(l.terms, l.peer.Addr())
	}
	l.session.begin(l.s.options.Clock.Now())
	l.mu.Unlock()
	response := l.response(in.invite, message.StatusOK, body)
	l.session.write(response)
	err := l.respond(in.tx, response, in.offered)
	in.final()
	if err != nil {
		go l.end(voice.CauseCanceled, "the caller has given up") // not while this method runs
		return
	}
	l.watch()
}

// refuse refuses an incoming call.
func (l *line) refuse(cause voice.Cause, reason string) {
	status := cause.SIP
	if status < 300 || status > 699 {
		status = message.StatusTemporarilyUnavailable
	}
	response := l.response(l.incoming.invite, status, nil)
	response.AppendHeader(reasonOf(cause, reason))
	_ = l.incoming.tx.Respond(response) // the caller has given up
	l.incoming.final()
}

// response returns a response to a request of the dialog.
func (l *line) response(r *message.Request, status int, body []byte) *message.Response {
	response := message.NewResponseFromRequest(r, status, phrase(status), nil)
	response.To().Params.Add("tag", l.localTag)
	response.AppendHeader(l.s.contact(l.transport))
	response.AppendHeader(allow)
	response.AppendHeader(message.NewHeader("Supported", "timer"))
	if body != nil {
		response.AppendHeader(message.NewHeader("Content-Type", "application/sdp"))
		response.SetBody(body)
	}
	return response
}
