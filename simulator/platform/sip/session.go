package sip

import (
	"strconv"
	"strings"
	"time"

	message "github.com/emiago/sipgo/sip"
)

// leastSession is the shortest accepted session timer (RFC 4028).
const leastSession = 90 * time.Second

// session is a session timer: a call must be refreshed at intervals, or it ends. It is used if the other
// side requests it.
type session struct {
	life time.Duration // 0: there is none
	ours bool          // the platform refreshes
	seen time.Time     // when it was last refreshed
}

// askedSession returns the session timer that a request asks for; the zero session if it asks for none. tooShort means
// that the timer is below leastSession.
func askedSession(r *message.Request) (s session, tooShort bool) {
	life, refresher, ok := sessionExpires(r)
	if !ok {
		return s, false
	}
	if life < leastSession {
		return s, true
	}
	// Without a refresher, the client refreshes, if it supports timers.
	return session{life: life, ours: refresher == "uas" || !mentions(r, "timer", "Supported", "k", "Require")}, false
}

// agreedSession returns the session timer of a response to our INVITE.
func agreedSession(r *message.Response) session {
	life, refresher, ok := sessionExpires(r)
	if !ok || life < leastSession {
		return session{}
	}
	return session{life: life, ours: refresher == "uac"}
}

// sessionExpires parses the header Session-Expires.
func sessionExpires(m message.Message) (life time.Duration, refresher string, ok bool) {
	value, parameters, _ := strings.Cut(valueOf(m, "Session-Expires", "x"), ";")
	n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 31)
	if err != nil || n == 0 {
		return 0, "", false
	}
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, who, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		if strings.EqualFold(name, "refresher") {
			refresher = strings.ToLower(who)
		}
	}
	return time.Duration(n) * time.Second, refresher, true
}

// begin restarts the timer.
func (s *session) begin(now time.Time) { s.seen = now }

// due reports whether the session has expired, and whether the platform must refresh it now.
func (s *session) due(now time.Time) (late, refresh bool) {
	if s.life == 0 {
		return false, false
	}
	since := now.Sub(s.seen)
	if s.ours {
		return since >= s.life, since >= s.life/2-lookEvery
	}
	return since >= s.life-min(32*time.Second, s.life/3), false
}

// write adds the timer to a response.
func (s *session) write(r *message.Response) {
	if s.life == 0 {
		return
	}
	who := "uac"
	if s.ours {
		who = "uas"
	} else {
		r.AppendHeader(message.NewHeader("Require", "timer"))
	}
	r.AppendHeader(message.NewHeader("Session-Expires", seconds(s.life)+";refresher="+who))
}
