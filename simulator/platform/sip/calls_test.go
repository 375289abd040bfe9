package sip_test

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/sip"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// TestInboundTrunkCall checks an inbound call of a trunk from the INVITE to the BYE, whose Reason is shown with its
// number masked.
func TestInboundTrunkCall(t *testing.T) {
	h, a := newLine(t, "+441632960555")
	a.request("INVITE", a.offer())
	caller, p := h.called(t)
	require.Equal(t, "+441632960555", caller.Number)
	require.Equal(t, "441632960101", caller.Called)
	a.answer("INVITE", 180)
	p.Answer()
	r := a.answer("INVITE", 200)
	require.Contains(t, string(r.Body()), "a=sendrecv")
	a.request("ACK", "")
	a.sends("BYE", "", 200, `Reason: Q.850;cause=16;text="bye +441632960555"`)
	p.hears(t, "ended 200/16 bye +*********555")
	require.Zero(t, h.server.Lines())
	a.sends("BYE", "", 481)
}

// TestCallerNumberOfAnInvite checks which number of an INVITE is the caller's: that of P-Asserted-Identity before that of From, and
// none if the caller wants privacy.
func TestCallerNumberOfAnInvite(t *testing.T) {
	for _, row := range []struct {
		user    string
		headers []string
		want    string
	}{
		{"+441632960555", nil, "+441632960555"},
		{"+441632960555", []string{`P-Asserted-Identity: "A" <sip:+441632960777@192.0.2.1>`}, "+441632960777"},
		{"someone", []string{"P-Asserted-Identity: <tel:+441632960777>"}, "+441632960777"},
		{"+441632960555", []string{"Remote-Party-ID: <sip:+441632960777@192.0.2.1>;privacy=full"}, ""},
		{"+441632960555", []string{"Privacy: id"}, ""},
		{"anonymous", nil, ""},
	} {
		h, a := newLine(t, row.user)
		a.request("INVITE", a.offer(), row.headers...)
		caller, p := h.called(t)
		require.Equal(t, row.want, caller.Number, "%s %s", row.user, row.headers)
		p.Hangup(voice.CauseBusy, "")
		a.answer("INVITE", 486)
		a.request("ACK", "")
	}
}

// TestInvalidInvitesAreRefused checks the status with which each kind of invalid or forbidden INVITE is refused.
func TestInvalidInvitesAreRefused(t *testing.T) {
	unknown := &voice.Failure{Cause: voice.CauseUnrouted}
	for name, row := range map[string]struct {
		change  func(*exchange)
		tag     string
		body    string
		headers []string
		status  int
	}{
		"of no trunk":              {change: func(e *exchange) { e.trunks = false }, status: 403},
		"to nobody":                {change: func(e *exchange) { e.refuse = unknown }, status: 404},
		"of a dialog that is gone": {tag: "gone", status: 481},
		"with other codecs":        {body: otherCodecs, status: 488},
		"encrypted":                {body: "v=0\r\nc=IN IP4 127.0.0.1\r\nm=audio 4000 RTP/SAVP 0\r\n", status: 488},
		"with nonsense":            {body: "nonsense", status: 400},
		"of another type":          {body: "x", headers: []string{"Content-Type: text/plain"}, status: 415},
		"that need an extension":   {headers: []string{"Require: 100rel"}, status: 420},
		"with a short timer":       {headers: []string{"Session-Expires: 30", "Supported: timer"}, status: 422},
	} {
		t.Run(name, func(t *testing.T) {
			h, a := newLine(t, "+441632960555", func(o *sip.Options) {
				if row.change != nil {
					row.change(o.Exchange.(*exchange))
				}
			})
			a.toTag = row.tag
			a.sends("INVITE", cmp.Or(row.body, a.offer()), row.status, row.headers...)
			require.Zero(t, h.server.Lines())
		})
	}
}

// otherCodecs is a session description with a codec that the platform does not support.
const otherCodecs = "v=0\r\nc=IN IP4 127.0.0.1\r\nm=audio 4000 RTP/AVP 9\r\n"

// TestInviteBeyondMaxCallsGets503 checks that an INVITE beyond MaxCalls is refused with 503.
func TestInviteBeyondMaxCallsGets503(t *testing.T) {
	t.Parallel()
	h, first := newLine(t, "+441632960555", func(o *sip.Options) { o.MaxCalls = 1 })
	first.call(h, first.offer())
	second := newAgent(t, h.server.Address(), "+441632960556")
	second.sends("INVITE", second.offer(), 503)
}

func TestCancelEndsARingingCall(t *testing.T) {
	h, a := newLine(t, "+441632960555")
	a.request("INVITE", a.offer())
	_, p := h.called(t)
	a.answer("INVITE", 180)
	a.toTag = ""
	a.sends("CANCEL", "", 200)
	a.answer("INVITE", 487)
	a.request("ACK", "")
	p.hears(t, "ended 487/16")
	p.Answer() // it comes too late
	require.Zero(t, h.server.Lines())
}

// TestCancelRacesWithTheAnswer checks that both sides agree on the state of a call that is cancelled and answered at the
// same time.
func TestCancelRacesWithTheAnswer(t *testing.T) {
	h := newHouse(t)
	for range 20 {
		a := newAgent(t, h.server.Address(), "+441632960555")
		a.request("INVITE", a.offer())
		_, p := h.called(t)
		a.answer("INVITE", 180)
		a.toTag = ""
		go p.Answer()
		a.request("CANCEL", "")
		status := 0
		for status < 200 {
			r := a.answerTo("INVITE")
			status = r.StatusCode
			a.toTag, _ = r.To().Params.Get("tag")
		}
		a.request("ACK", "")
		if status == 200 {
			a.sends("BYE", "", 200)
			p.hears(t, "ended 200/16")
		} else {
			require.Equal(t, 487, status)
			require.Contains(t, <-p.events, "ended 487/16")
		}
	}
	require.Zero(t, h.server.Lines())
}

func TestAnswerIsRetransmittedUntilTheACK(t *testing.T) {
	t.Parallel()
	h, a := newLine(t, "+441632960555")
	a.request("INVITE", a.offer())
	_, p := h.called(t)
	p.Answer()
	first := a.answer("INVITE", 200)
	again := a.answer("INVITE", 200)
	require.Equal(t, first.String(), again.String())
	a.request("ACK", "")
	a.untilHeard(p, mediaOf(t, first.Body()))
	for a.repeated(time.Now().Add(10 * time.Millisecond)) { // a busy machine may have repeated it before the ACK was taken in
	}
	require.False(t, a.repeated(time.Now().Add(700*time.Millisecond)), "an answer is repeated after 500 ms")
	p.Hangup(voice.CauseNormal, "done")
	bye := a.asked("BYE")
	require.Equal(t, `Q.850;cause=16;text="done"`, bye.GetHeader("Reason").Value())
	a.reply(bye, 200, "")
}

// repeated reports whether a message arrives before a moment.
func (a *agent) repeated(until time.Time) bool {
	require.NoError(a.t, a.conn.SetReadDeadline(until))
	_, err := a.conn.Read(make([]byte, 2048))
	if err != nil {
		require.ErrorIs(a.t, err, os.ErrDeadlineExceeded)
	}
	return err == nil
}

// TestInviteWithoutSDPGetsAnOffer checks that an INVITE without a session description is answered with an offer, and that the ACK
// may contain the answer.
func TestInviteWithoutSDPGetsAnOffer(t *testing.T) {
	t.Parallel()
	h, a := newLine(t, "+441632960555")
	a.request("INVITE", "")
	_, p := h.called(t)
	p.Answer()
	r := a.answer("INVITE", 200)
	require.Contains(t, string(r.Body()), "RTP/AVP 0 8 13 101")
	a.request("ACK", a.offer())
	a.untilHeard(p, mediaOf(t, r.Body()))
}

func TestHoldAndResumeByReinvite(t *testing.T) {
	t.Parallel()
	h, a := newLine(t, "+441632960555")
	p, first := a.call(h, a.offer())
	tag := a.toTag
	for _, row := range []struct{ theirs, ours string }{{"sendonly", "recvonly"}, {"inactive", "inactive"}, {"sendrecv", "sendrecv"}} {
		a.request("INVITE", a.offer("a="+row.theirs))
		r := a.answer("INVITE", 200)
		require.Equal(t, tag, a.toTag, "it is the same call")
		require.Contains(t, string(r.Body()), "a="+row.ours+"\r\n")
		require.Equal(t, mediaOf(t, first.Body()), mediaOf(t, r.Body()))
		a.request("ACK", "")
		p.wire.Send(make([]int16, 160))
		within := soon
		if row.theirs == "sendrecv" {
			within = patience
		}
		require.Equal(t, row.theirs == "sendrecv", a.hearsSound(within), row.theirs)
	}
	require.Empty(t, h.calls)
	a.request("INVITE", "") // a sign of life
	require.Contains(t, string(a.answer("INVITE", 200).Body()), "a=sendrecv")
	a.request("ACK", a.offer())
	a.sends("INVITE", otherCodecs, 488)
	a.sends("BYE", "", 200)
	p.hears(t, "ended 200/16")
}

func TestSessionTimers(t *testing.T) {
	t.Parallel()
	h, a := newLine(t, "+441632960555", func(o *sip.Options) { o.Clock = voice.NewWall(time.Now, 100) })
	p, r := a.call(h, a.offer("a=inactive"), "Supported: timer", "Session-Expires: 90;refresher=uas", "Allow: INVITE, UPDATE")
	require.Equal(t, "90;refresher=uas", r.GetHeader("Session-Expires").Value())
	update := a.asked("UPDATE")
	require.Equal(t, "90;refresher=uac", update.GetHeader("Session-Expires").Value())
	a.reply(update, 200, "")
	a.reply(a.asked("UPDATE"), 481, "")
	a.asked("BYE")
	p.hears(t, "ended 200/102 the other side is gone")

	b := newAgent(t, h.server.Address(), "+441632960555")
	p, r = b.call(h, b.offer("a=inactive"), "Supported: timer", "Session-Expires: 90")
	require.Equal(t, "90;refresher=uac", r.GetHeader("Session-Expires").Value())
	require.Equal(t, "timer", r.GetHeader("Require").Value())
	b.asked("BYE") // nobody has refreshed it
	p.hears(t, "ended 200/102 the session has expired")
}

// TestReinviteGlareIsResolved checks that, when both sides send a re-INVITE at the same time, theirs is refused with 491, and ours is
// sent again later.
func TestReinviteGlareIsResolved(t *testing.T) {
	t.Parallel()
	h, a := newLine(t, "+441632960555", func(o *sip.Options) { o.Clock = voice.NewWall(time.Now, 100) })
	p, _ := a.call(h, a.offer("a=inactive"), "Supported: timer", "Session-Expires: 120;refresher=uas")
	ours := a.asked("INVITE")
	a.sends("INVITE", a.offer(), 491)
	a.reply(ours, 491, "")
	a.asked("ACK")
	again := a.asked("INVITE")
	require.Greater(t, again.CSeq().SeqNo, ours.CSeq().SeqNo)
	a.reply(again, 200, a.offer("a=inactive"))
	a.asked("ACK")
	p.Hangup(voice.CauseNormal, "")
	a.asked("BYE")
}

func TestMissingRTPEndsTheCall(t *testing.T) {
	t.Parallel()
	h, a := newLine(t, "+441632960555", func(o *sip.Options) { o.Clock = voice.NewWall(time.Now, 100) })
	p, _ := a.call(h, a.offer())
	bye := a.asked("BYE")
	require.Equal(t, `Q.850;cause=102;text="no sound for 60 s"`, bye.GetHeader("Reason").Value())
	p.hears(t, "ended 200/102 no sound for 60 s")
}

func TestDTMFIsReceived(t *testing.T) {
	t.Parallel()
	h, a := newLine(t, "+441632960555")
	p, r := a.call(h, a.offer())
	to := mediaOf(t, r.Body())
	for i, event := range []byte{5, 5, 11} { // two presses of 5, each with its repetitions
		for n := range 4 {
			body := []byte{event, 10, 0, byte(160 * n)}
			a.rtp(to, 96, uint16(10*i+n), uint32(8000*i), body)
		}
	}
	p.hears(t, "key 5")
	p.hears(t, "key 5")
	p.hears(t, "key #")
	a.sends("INFO", "Signal=*\r\nDuration=160\r\n", 200, "Content-Type: application/dtmf-relay")
	p.hears(t, "key *")
	a.sends("INFO", "7", 200, "Content-Type: application/dtmf")
	p.hears(t, "key 7")
	a.sends("INFO", "x", 415, "Content-Type: text/plain")
	require.Empty(t, p.events)
}

func TestDTMFIsSent(t *testing.T) {
	t.Parallel()
	h, a := newLine(t, "+441632960555")
	p, _ := a.call(h, a.offer())
	p.wire.Key('4')
	p.wire.Key('2')
	var events, times []string
	for len(events) < 14 {
		packet := a.packet()
		require.Equal(t, byte(96), packet[1]&0x7F)
		body := packet[12:]
		events = append(events, fmt.Sprintf("%d %v %d", body[0], body[1]&0x80 != 0, binary.BigEndian.Uint16(body[2:])))
		times = append(times, fmt.Sprint(binary.BigEndian.Uint32(packet[4:])))
	}
	require.Equal(t, []string{
		"4 false 160", "4 false 320", "4 false 480", "4 false 640", "4 true 800", "4 true 800", "4 true 800",
		"2 false 160", "2 false 320", "2 false 480", "2 false 640", "2 true 800", "2 true 800", "2 true 800",
	}, events)
	require.Equal(t, times[0], times[6])
	require.NotEqual(t, times[0], times[7])

	b := newAgent(t, h.server.Address(), "+441632960555")
	p, _ = b.call(h, strings.ReplaceAll(b.offer(), "a=rtpmap:96 telephone-event/8000\r\n", ""))
	p.wire.Key('9')
	info := b.asked("INFO") // it knows no telephone-events
	require.Equal(t, "Signal=9\r\nDuration=160\r\n", string(info.Body()))
	b.reply(info, 200, "")
}

func TestSIPOptionsListsTheMethods(t *testing.T) {
	_, a := newLine(t, "+441632960555")
	a.request("OPTIONS", "")
	require.Contains(t, a.answer("OPTIONS", 200).GetHeader("Allow").Value(), "INVITE")
	a.sends("PUBLISH", "", 405)
}
