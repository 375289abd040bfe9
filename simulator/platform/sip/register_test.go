package sip_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/sip"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// TestRegisteredPhoneIsCalled checks that a registered telephone can be called at its Contact, that its registration is
// limited to 600 s, and that it can unregister.
func TestRegisteredPhoneIsCalled(t *testing.T) {
	t.Parallel()
	h, a := newLine(t, "201")
	require.False(t, h.server.Registered("201"))
	r := a.register("one", 200, "Expires: 3600")
	require.Contains(t, r.GetHeader("Contact").Value(), "expires=600")
	require.True(t, h.server.Registered("201"))

	p := dial(t, h, sip.Destination{From: "+441632960100", User: "201"})
	invite := a.asked("INVITE")
	require.Equal(t, a.address().String(), fmt.Sprintf("%s:%d", invite.Recipient.Host, invite.Recipient.Port))
	a.reply(invite, 200, a.offer())
	p.hears(t, "answered")

	a.register("one", 200, "Expires: 0")
	require.False(t, h.server.Registered("201"))
}

// TestInvalidRegistrationsAreRefused checks that a REGISTER with a wrong password, too short an expiry, an unknown user or the
// credentials of another user is refused.
func TestInvalidRegistrationsAreRefused(t *testing.T) {
	h, a := newLine(t, "201")
	require.Equal(t, 401, a.register("wrong", 401).StatusCode)
	a.register("one", 423, "Expires: 5")
	nobody := newAgent(t, h.server.Address(), "209")
	nobody.register("", 401)
	other := newAgent(t, h.server.Address(), "202") // logs in as itself, in the place of another one
	other.request("REGISTER", "")
	credentials := other.credentials(other.answer("REGISTER", 401), "REGISTER", "sip:"+other.server.String(), "two")
	other.user = "201"
	other.sends("REGISTER", "", 403, credentials)
	require.False(t, h.server.Registered("201"))
}

// TestDigestCredentialsCannotBeReplayed checks that digest credentials cannot be used again, neither for a REGISTER nor for an
// INVITE.
func TestDigestCredentialsCannotBeReplayed(t *testing.T) {
	_, a := newLine(t, "201")
	a.request("REGISTER", "")
	credentials := a.credentials(a.answer("REGISTER", 401), "REGISTER", "sip:"+a.server.String(), "one")
	a.sends("REGISTER", "", 200, credentials)
	a.request("REGISTER", "", credentials)
	require.Contains(t, a.answer("REGISTER", 401).GetHeader("WWW-Authenticate").Value(), "stale=true")
	a.sends("INVITE", a.offer(), 407, "Proxy-"+credentials)
}

// TestPhoneAuthenticatesToPlaceACall checks that a call from a telephone is accepted after it has answered the digest challenge.
func TestPhoneAuthenticatesToPlaceACall(t *testing.T) {
	h, a := newLine(t, "201")
	a.request("INVITE", a.offer())
	challenge := a.answer("INVITE", 407)
	a.request("ACK", "")
	a.request("INVITE", a.offer(), a.credentials(challenge, "INVITE", "sip:"+a.number+"@"+a.server.String(), "one"))
	caller, p := h.called(t)
	require.Equal(t, sip.Caller{User: "201", Called: a.number}, caller)
	p.Hangup(voice.CauseRejected, "")
	a.answer("INVITE", 603)
}

func TestExpiredRegistrationsAreRemoved(t *testing.T) {
	h, a := newLine(t, "201", func(o *sip.Options) { o.Clock = voice.NewWall(time.Now, 1000) })
	a.register("one", 200, "Expires: 30")
	require.Eventually(t, func() bool { return !h.server.Registered("201") }, patience, time.Millisecond, "it is logged in")
}

// TestMalformedDatagramsAreIgnored checks that the server still works after malformed datagrams.
func TestMalformedDatagramsAreIgnored(t *testing.T) {
	_, a := newLine(t, "201")
	long := strings.Repeat("x", 9000)
	for _, text := range []string{
		"INVITE", "\x00\x01\x02", "INVITE sip:a@b SIP/2.0\r\n\r\n", "SIP/2.0 200 OK\r\n\r\n",
		"BYE sip:a@b SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bKq\r\nCSeq: 1 BYE\r\n\r\n",
		"INVITE sip:a@b SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bKr\r\nCSeq: 1 INVITE\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:a@b>\r\nCall-ID: x\r\n\r\n",
		"OPTIONS sip:a@b SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bKs\r\nX-Long: " + long + "\r\n\r\n",
	} {
		a.write(text)
	}
	a.register("one", 200)
}
