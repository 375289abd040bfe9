package sip_test

import (
	"net/netip"
	"testing"
	"time"

	message "github.com/emiago/sipgo/sip"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/sip"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// dial places a call to a destination.
func dial(t *testing.T, h *house, to sip.Destination) *probe {
	t.Helper()
	leg, err := h.server.Dial(to)
	require.NoError(t, err)
	p := leg.(*probe)
	p.Start(nil)
	return p
}

func (a *agent) asTrunk() sip.Destination {
	return sip.Destination{From: "+441632960100", To: "+441632960555", Trunk: a.address()}
}

// TestOutboundTrunkCall checks an outbound call to a trunk: its headers, ringing, early media, answer, sound, and a BYE
// without the number in the reason.
func TestOutboundTrunkCall(t *testing.T) {
	h, a := newLine(t, "pbx")
	p := dial(t, h, a.asTrunk())
	invite := a.asked("INVITE")
	require.Equal(t, "+441632960555", invite.Recipient.User)
	require.Equal(t, "+441632960100", invite.From().Address.User)
	require.Equal(t, "cabrank", invite.Contact().Address.User)
	require.Equal(t, h.server.Address(), netip.MustParseAddrPort(invite.Via().SentBy()), "a trunk knows the platform by its address")
	a.reply(invite, 180, "")
	p.hears(t, "ringing")
	a.reply(invite, 183, a.offer())
	p.hears(t, "early media")
	a.untilHeard(p, mediaOf(t, invite.Body()))
	a.reply(invite, 200, a.offer())
	p.hears(t, "answered")
	ack := a.asked("ACK")
	a.reply(invite, 200, a.offer()) // it has not come through
	require.Equal(t, ack.CSeq().SeqNo, a.asked("ACK").CSeq().SeqNo)
	p.wire.Send(make([]int16, 160))
	require.True(t, a.hearsSound(patience))
	p.Hangup(voice.CauseNormal, "the driver is +44 1632 960777")
	bye := a.asked("BYE")
	require.NotContains(t, bye.String(), "960777")
	a.reply(bye, 200, "")
	require.Zero(t, h.server.Lines())
}

func TestRefusalReasonsReachTheCaller(t *testing.T) {
	for _, row := range []struct {
		status  int
		headers []string
		want    string
	}{
		{486, nil, "ended 486/17 Said So"},
		{480, nil, "ended 480/18 Said So"},
		{503, nil, "ended 503/41 Said So"},
		{480, []string{`Reason: Q.850;cause=20;text="absent"`}, "ended 480/20 absent"},
	} {
		h, a := newLine(t, "pbx")
		p := dial(t, h, a.asTrunk())
		a.reply(a.asked("INVITE"), row.status, "", row.headers...)
		p.hears(t, row.want)
		a.asked("ACK")
		require.Zero(t, h.server.Lines())
	}
}

// TestUnresponsiveTrunkTimesOut checks that a call to a trunk that does not respond fails with 408, long before the
// timeout of a SIP transaction, and is cancelled if the trunk responds later.
func TestUnresponsiveTrunkTimesOut(t *testing.T) {
	h, a := newLine(t, "pbx", func(o *sip.Options) { o.Clock = voice.NewWall(time.Now, 100) })
	p := dial(t, h, a.asTrunk())
	p.hears(t, "ended 408/102 nothing was heard of the other side")
	invite := a.asked("INVITE")
	a.reply(invite, 180, "") // it was only slow
	a.asked("CANCEL")
}

// TestAbandonedOutboundCallSendsCancel checks that hanging up a ringing outbound call sends a CANCEL with the reason.
func TestAbandonedOutboundCallSendsCancel(t *testing.T) {
	h, a := newLine(t, "pbx")
	p := dial(t, h, a.asTrunk())
	invite := a.asked("INVITE")
	a.reply(invite, 180, "")
	p.hears(t, "ringing")
	p.Hangup(voice.CauseElsewhere, "answered by another target")
	cancel := a.asked("CANCEL")
	require.Equal(t, `Q.850;cause=26;text="answered by another target"`, cancel.GetHeader("Reason").Value())
	require.Equal(t, invite.Via().String(), cancel.Via().String())
	a.reply(cancel, 200, "")
	a.reply(invite, 487, "")
	a.asked("ACK")
	require.Empty(t, p.events)
	require.Zero(t, h.server.Lines())
}

// TestAnswerThatCrossesACancelGetsBYE checks that a call that is answered while the CANCEL is on its way is ended with a
// BYE.
func TestAnswerThatCrossesACancelGetsBYE(t *testing.T) {
	h, a := newLine(t, "pbx")
	p := dial(t, h, a.asTrunk())
	invite := a.asked("INVITE")
	a.reply(invite, 180, "")
	p.hears(t, "ringing")
	p.Hangup(voice.CauseRingTime, "no answer")
	cancel := a.asked("CANCEL")
	a.reply(invite, 200, a.offer())
	a.reply(cancel, 481, "")
	a.asked("ACK")
	a.reply(a.asked("BYE"), 200, "")
	require.Empty(t, p.events)
}

func TestWithheldNumberIsSentAsAnonymous(t *testing.T) {
	h, a := newLine(t, "pbx")
	to := a.asTrunk()
	to.From = voice.Anonymous
	p := dial(t, h, to)
	invite := a.asked("INVITE")
	require.Equal(t, "sip:anonymous@anonymous.invalid", invite.From().Address.String())
	require.Equal(t, "id", invite.GetHeader("Privacy").Value())
	a.reply(invite, 486, "")
	p.hears(t, "ended 486/17 Said So")
}

// TestOutboundCallAnswersADigestChallenge checks that an INVITE to a SIP address is repeated with digest credentials after
// a 407, and that a header cannot contain line breaks.
func TestOutboundCallAnswersADigestChallenge(t *testing.T) {
	t.Parallel()
	h, a := newLine(t, "pbx")
	p := dial(t, h, sip.Destination{From: "+441632960100", URI: "sip:desk@" + a.address().String(), Login: voice.SIPURI{
		Username: "me", Password: "secret", Headers: map[string]string{"X-Job": "42\r\nX-Other: 1"},
	}})
	first := a.asked("INVITE")
	require.Equal(t, "42X-Other: 1", first.GetHeader("X-Job").Value())
	a.reply(first, 407, "", `Proxy-Authenticate: Digest realm="r", nonce="n", qop="auth", algorithm=MD5`)
	second := a.asked("INVITE")
	require.Contains(t, second.GetHeader("Proxy-Authorization").Value(), `username="me"`)
	require.NotContains(t, second.String(), "secret")
	a.reply(second, 200, a.offer())
	p.hears(t, "answered")
}

func TestForbiddenDestinationsAreRefused(t *testing.T) {
	h := newHouse(t)
	for _, row := range []struct {
		to   sip.Destination
		want string
	}{
		{sip.Destination{Trunk: netip.MustParseAddrPort("192.0.2.7:5060"), To: "1"}, "ended 503/41 the address is on another machine: that wants --allow-external-calls, and a trunk there"},
		{sip.Destination{URI: "sip:a@192.0.2.7"}, "ended 503/41 the address is on another machine: that wants --allow-external-calls, and a trunk there"},
		{sip.Destination{URI: "sip:a@example.com"}, "ended 503/41 the SIP address names a host: names are not looked up"},
		{sip.Destination{URI: "tel:999"}, "ended 404/1 the SIP address cannot be read"},
		{sip.Destination{User: "201"}, "ended 480/20 the telephone is not logged in"},
		{sip.Destination{Trunk: h.server.Address(), To: "1"}, "ended 482/25 the address is this platform's own"},
		{sip.Destination{To: "1"}, "ended 503/41 the address is on another machine: that wants --allow-external-calls, and a trunk there"},
	} {
		dial(t, h, row.to).hears(t, row.want)
	}
}

// TestInvalidListenAddressesAreRefused checks that addresses of other machines, unspecified addresses and invalid ones are
// refused for listening.
func TestInvalidListenAddressesAreRefused(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.7:5060": "192.0.2.7:5060 can be reached by other machines: that wants --allow-external-calls",
		"0.0.0.0:5060":   "0.0.0.0:5060 names no address that others can be told: want one of this machine's, such as 127.0.0.1:5060",
		"here":           `"here" is no address such as 127.0.0.1:5060`,
	} {
		_, err := sip.Listen(t.Context(), sip.Options{Address: address})
		require.EqualError(t, err, want)
	}
}

// TestResponsesWithoutHeadersAreTolerated checks that responses without a mandatory header do not disturb other calls, and end
// their own at most.
func TestResponsesWithoutHeadersAreTolerated(t *testing.T) {
	h := newHouse(t)
	without := func(r *message.Request, status int, name string) string {
		response := message.NewResponseFromRequest(r, status, "Said So", nil)
		response.RemoveHeader(name)
		return response.String()
	}
	for _, left := range []string{"To", "From", "Call-ID", "CSeq"} {
		refused := newAgent(t, h.server.Address(), "pbx")
		dial(t, h, refused.asTrunk())
		refused.write(without(refused.asked("INVITE"), 486, left))
		a := newAgent(t, h.server.Address(), "pbx")
		p := dial(t, h, a.asTrunk())
		invite := a.asked("INVITE")
		a.write(without(invite, 180, left))
		if left == "Call-ID" || left == "CSeq" { // it belongs to no call, so it was ignored
			a.reply(invite, 180, "")
		}
		p.hears(t, "ringing")
		a.reply(invite, 200, a.offer())
		p.hears(t, "answered")
		a.write(without(invite, 200, left))
		p.Hangup(voice.CauseNormal, "")
		bye := a.asked("BYE")
		a.write(without(bye, 200, left))
		a.reply(bye, 200, "")
	}
}
