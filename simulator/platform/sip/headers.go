package sip

import (
	"net/netip"
	"strconv"
	"strings"

	message "github.com/emiago/sipgo/sip"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// allow lists the supported methods.
var allow = message.NewHeader("Allow", "INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, REGISTER")

// reasons are the reason phrases of statuses.
var reasons = map[int]string{
	505: "Version Not Supported",
	100: "Trying", 180: "Ringing", 200: "OK", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
	405: "Method Not Allowed", 407: "Proxy Authentication Required", 408: "Request Timeout", 415: "Unsupported Media Type",
	420: "Bad Extension", 422: "Session Interval Too Small", 423: "Interval Too Brief", 480: "Temporarily Unavailable",
	481: "Call/Transaction Does Not Exist", 484: "Address Incomplete", 486: "Busy Here", 487: "Request Terminated",
	488: "Not Acceptable Here", 491: "Request Pending", 500: "Server Internal Error", 503: "Service Unavailable", 603: "Decline",
}

// phrase returns the reason phrase of a status.
func phrase(status int) string {
	if known, ok := reasons[status]; ok {
		return known
	}
	return "Call Failed"
}

// answer sends a response to a request that belongs to no line.
func (s *Server) answer(r *message.Request, tx message.ServerTransaction, status int, headers ...message.Header) {
	response := message.NewResponseFromRequest(r, status, phrase(status), nil)
	for _, h := range headers {
		response.AppendHeader(h)
	}
	_ = tx.Respond(response) // the client retransmits the request if it does not arrive
}

// refuse is answer without a stored transaction, so that a flood of requests fills no memory: a client that misses the
// response sends the request again (RFC 3261, 8.2.7).
func (s *Server) refuse(r *message.Request, tx message.ServerTransaction, status int, headers ...message.Header) {
	s.answer(r, tx, status, headers...)
	tx.Terminate()
}

// reasonOf returns the Reason header of the end of a call (RFC 3326). It hides numbers in the text, which may
// be telephone numbers of the other side of the call.
func reasonOf(cause voice.Cause, words string) message.Header {
	value := "Q.850;cause=" + strconv.Itoa(cause.Q850)
	if words = spoken(words); words != "" {
		value += `;text="` + words + `"`
	}
	return message.NewHeader("Reason", value)
}

// spoken returns a text that can be put between the quotes of a header.
func spoken(words string) string {
	const most = 128
	words = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '"' || r == '\\' {
			return -1
		}
		return r
	}, voice.MaskAddress(words))
	return words[:min(len(words), most)]
}

// causeOf returns the cause in the Reason header of a message, or else a default.
func causeOf(m message.Message, otherwise voice.Cause) (voice.Cause, string) {
	for _, h := range m.GetHeaders("Reason") {
		protocol, rest, _ := strings.Cut(h.Value(), ";")
		if !strings.EqualFold(strings.TrimSpace(protocol), "Q.850") {
			continue
		}
		words := ""
		for parameter := range strings.SplitSeq(rest, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
			switch cause, err := strconv.ParseUint(value, 10, 7); {
			case strings.EqualFold(name, "cause") && err == nil && cause > 0:
				otherwise.Q850 = int(cause)
			case strings.EqualFold(name, "text"):
				words = spoken(strings.Trim(value, `"`))
			}
		}
		return otherwise, words
	}
	return otherwise, ""
}

// tagOf returns the tag parameter of a header.
func tagOf(p message.HeaderParams) string {
	tag, _ := p.Get("tag")
	return tag
}

// sourceOf returns the address from which a message was received.
func sourceOf(m message.Message) netip.AddrPort {
	source, err := netip.ParseAddrPort(m.Source())
	if err != nil {
		return netip.AddrPort{}
	}
	return netip.AddrPortFrom(source.Addr().Unmap(), source.Port())
}

// valueOf returns the value of a header, which may have several names; "": there is none.
func valueOf(m message.Message, names ...string) string {
	for _, name := range names {
		if all := m.GetHeaders(name); len(all) > 0 {
			return all[0].Value()
		}
	}
	return ""
}

// mentions reports whether a header, which may have several names, contains a word in its list.
func mentions(m message.Message, word string, names ...string) bool {
	for _, name := range names {
		for _, h := range m.GetHeaders(name) {
			for each := range strings.SplitSeq(h.Value(), ",") {
				if strings.EqualFold(strings.TrimSpace(each), word) {
					return true
				}
			}
		}
	}
	return false
}
