package sip

import (
	"net/netip"
	"strconv"
	"strings"

	message "github.com/emiago/sipgo/sip"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// allow names the methods that are understood.
var allow = message.NewHeader("Allow", "INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, REGISTER")

// reasons are the phrases of statuses.
var reasons = map[int]string{
	100: "Trying", 180: "Ringing", 200: "OK", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
	405: "Method Not Allowed", 407: "Proxy Authentication Required", 408: "Request Timeout", 415: "Unsupported Media Type",
	420: "Bad Extension", 422: "Session Interval Too Small", 423: "Interval Too Brief", 480: "Temporarily Unavailable",
	481: "Call/Transaction Does Not Exist", 484: "Address Incomplete", 486: "Busy Here", 487: "Request Terminated",
	488: "Not Acceptable Here", 491: "Request Pending", 500: "Server Internal Error", 503: "Service Unavailable", 603: "Decline",
}

// phrase is the phrase of a status.
func phrase(status int) string {
	if known, ok := reasons[status]; ok {
		return known
	}
	return "Call Failed"
}

// answer answers a request that belongs to no line.
func (s *Server) answer(r *message.Request, tx message.ServerTransaction, status int, headers ...message.Header) {
	response := message.NewResponseFromRequest(r, status, phrase(status), nil)
	for _, h := range headers {
		response.AppendHeader(h)
	}
	_ = tx.Respond(response) // who does not hear it asks again
}

// reasonOf is the header that says why a call ends (RFC 3326). Numbers in words are hidden: they
// may be those of the other side.
func reasonOf(cause voice.Cause, words string) message.Header {
	value := "Q.850;cause=" + strconv.Itoa(cause.Q850)
	if words = spoken(words); words != "" {
		value += `;text="` + words + `"`
	}
	return message.NewHeader("Reason", value)
}

// spoken is words as they may stand between quotes.
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

// causeOf is the cause that a message gives for an end, or else a cause.
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

// tagOf is the tag parameter of a header.
func tagOf(p message.HeaderParams) string {
	tag, _ := p.Get("tag")
	return tag
}

// sourceOf is the address that a message has come from.
func sourceOf(m message.Message) netip.AddrPort {
	source, err := netip.ParseAddrPort(m.Source())
	if err != nil {
		return netip.AddrPort{}
	}
	return netip.AddrPortFrom(source.Addr().Unmap(), source.Port())
}

// valueOf is the value of a message's header; "": it has none.
func valueOf(m message.Message, names ...string) string {
	for _, name := range names {
		if all := m.GetHeaders(name); len(all) > 0 {
			return all[0].Value()
		}
	}
	return ""
}

// mentions reports whether a header lists a word.
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
