package sip_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/sip"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// frozen sets a clock that does not advance, so that no rate limit is refilled.
func frozen(o *sip.Options) {
	now := time.Now()
	o.Clock = voice.NewWall(func() time.Time { return now }, 1)
}

// answers returns how many responses arrive, at most most, each within a time after the previous one.
func (a *agent) answers(most int, within time.Duration) (n int) {
	buffer := make([]byte, 65536)
	for n < most {
		require.NoError(a.t, a.conn.SetReadDeadline(time.Now().Add(within)))
		if _, err := a.conn.Read(buffer); err != nil {
			break
		}
		n++
	}
	return n
}

// asks sends OPTIONS requests and returns the number of responses.
func (a *agent) asks(times int, within time.Duration) (answered int) {
	for n := range times {
		a.request("OPTIONS", "")
		if n%50 == 49 {
			answered += a.answers(50, within)
		}
	}
	return answered
}

// TestFloodOfUnknownClientsIsRateLimited checks that an address that has neither registered nor called gets at most 200 responses at
// once, and that this does not affect a registered telephone or a trunk that has called. Their own messages are
// limited, too, by port and by address.
func TestFloodOfUnknownClientsIsRateLimited(t *testing.T) {
	t.Parallel()
	h, phone := newLine(t, "201", frozen)
	phone.register("one", 200)
	trunk := newAgentAt(t, secondAddress(), h.server.Address(), "+441632960555")
	trunk.call(h, trunk.offer())
	require.LessOrEqual(t, newAgent(t, h.server.Address(), "x").asks(300, soon), 200)
	require.Zero(t, newAgent(t, h.server.Address(), "y").asks(50, soon), "another port is no other stranger")
	require.Equal(t, 250, phone.asks(250, patience))
	trunk.toTag = ""
	require.Equal(t, 50, trunk.asks(50, patience))
	neighbour := newAgentAt(t, secondAddress(), h.server.Address(), "+441632960556")
	require.LessOrEqual(t, trunk.asks(500, soon), 400)
	require.Equal(t, 50, neighbour.asks(50, patience), "another port of the trunk is heard")
	heard := 0
	for range 8 {
		heard += newAgentAt(t, secondAddress(), h.server.Address(), "+441632960557").asks(250, soon)
	}
	require.Less(t, heard, 1600, "all ports of the trunk's address")
	phone.register("one", 200)
}

// TestWrongPasswordsDoNotFloodTheLog checks that of 20 wrong passwords in a row, only 10 are logged.
func TestWrongPasswordsDoNotFloodTheLog(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	h, a := newLine(t, "201", frozen, func(o *sip.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	for range 20 {
		a.register("wrong", 401)
	}
	require.NoError(t, h.server.Close())
	require.Equal(t, 10, strings.Count(log.String(), "wrong password"), log.String())
}

// TestInvalidContactsAreRefused checks that a REGISTER with a Contact that cannot be called is refused, and that "*" is
// accepted only for unregistering.
func TestInvalidContactsAreRefused(t *testing.T) {
	t.Parallel()
	h, a := newLine(t, "201")
	for _, place := range []string{"*", "<tel:+441632960777>", "<sips:201@127.0.0.1>"} {
		a.place = place
		a.register("one", 400)
	}
	a.place = ""
	a.register("one", 200)
	a.place = "*"
	a.register("one", 200, "Expires: 0")
	require.False(t, h.server.Registered("201"))
}

// TestAStrangerConnects checks that a TCP connection on which nobody has logged in is closed after a while, even if
// it sends data and a trunk has called from the same machine, and that one with a registered telephone stays open.
func TestAStrangerConnects(t *testing.T) {
	t.Parallel()
	clock := voice.NewVirtual(time.Now())
	h, trunk := newLine(t, "+441632960555", func(o *sip.Options) { o.Clock = clock })
	trunk.call(h, trunk.offer())
	trunk.sends("BYE", "", 200) // or else Close would wait for an answer to its own, by a clock that stands
	stranger, err := net.Dial("tcp", h.server.Address().String())
	require.NoError(t, err)
	defer stranger.Close()
	require.Eventually(t, func() bool {
		clock.Advance(time.Second)
		_, err := stranger.Write([]byte("\r\n\r\n"))
		return err != nil
	}, patience, 10*time.Millisecond, "the stranger's connection is open")

	phone, err := net.Dial("tcp", h.server.Address().String())
	require.NoError(t, err)
	defer phone.Close()
	a := newAgent(t, h.server.Address(), "201")
	send := func(seq int, credentials string) string {
		_, err := fmt.Fprintf(phone, "REGISTER sip:%[1]s SIP/2.0\r\nVia: SIP/2.0/TCP %[2]s;branch=z9hG4bK%[3]d\r\nFrom: <sip:201@%[1]s>;tag=1\r\n"+
			"To: <sip:201@%[1]s>\r\nCall-ID: tcp\r\nCSeq: %[3]d REGISTER\r\nContact: <sip:201@%[2]s;transport=tcp>\r\n%[4]sContent-Length: 0\r\n\r\n",
			h.server.Address(), phone.LocalAddr(), seq, credentials)
		require.NoError(t, err)
		require.NoError(t, phone.SetReadDeadline(time.Now().Add(patience)))
		b := make([]byte, 4096)
		n, err := phone.Read(b)
		require.NoError(t, err)
		return string(b[:n])
	}
	challenged := a.challenge(send(1, ""))
	require.Contains(t, send(2, a.credentials(challenged, "REGISTER", "sip:"+a.server.String(), "one")+"\r\n"), "SIP/2.0 200")
	clock.Advance(40 * time.Second)
	require.Contains(t, send(3, ""), "SIP/2.0 401")
}

// TestRTPFromOtherPortsIsIgnored checks that, once sound has come from the telephone's own address and port, sound and keys from any
// other are ignored, and that sound is sent only there.
func TestRTPFromOtherPortsIsIgnored(t *testing.T) {
	t.Parallel()
	h, a := newLine(t, "+441632960555")
	p, r := a.call(h, a.offer())
	to := mediaOf(t, r.Body())
	other, third := newAgent(t, h.server.Address(), "x"), newAgentAt(t, secondAddress(), h.server.Address(), "x")
	other.untilHeard(p, to) // it may be the telephone, behind a router
	a.untilHeard(p, to)
	for len(p.frames) > 0 {
		<-p.frames
	}
	for n := range 20 {
		other.says(to, 100+n)
		other.rtp(to, 96, uint16(200+n), uint32(8000*n), []byte{5, 10, 0, 160})
		if third.address().Addr() != a.address().Addr() {
			third.says(to, 100+n)
		}
	}
	a.rtp(to, 96, 300, 8000, []byte{7, 10, 0, 160})
	p.hears(t, "key 7")
	require.Empty(t, p.frames)
	p.wire.Send(make([]int16, 160))
	require.True(t, a.hearsSound(patience))
	require.False(t, other.hearsSound(soon))
}

// TestSDPWithOwnPortsIsRefused checks that a session description with an RTP or SIP port of the server itself is
// refused with 488.
func TestSDPWithOwnPortsIsRefused(t *testing.T) {
	t.Parallel()
	h, victim := newLine(t, "+441632960555")
	_, r := victim.call(h, victim.offer())
	for _, port := range []int{mediaOf(t, r.Body()).Port, int(h.server.Address().Port())} {
		offer := fmt.Sprintf("v=0\r\nc=IN IP4 127.0.0.1\r\nm=audio %d RTP/AVP 0\r\n", port)
		a := newAgent(t, h.server.Address(), "+441632960556")
		a.sends("INVITE", offer, 488)
		victim.sends("INVITE", offer, 488)
	}
}

// TestRequestsFromOtherAddressesAreRefused checks that requests from another address cannot end or change a call, even with the
// right tags and Call-ID.
func TestRequestsFromOtherAddressesAreRefused(t *testing.T) {
	t.Parallel()
	at := secondAddress()
	if at.Equal(net.IPv4(127, 0, 0, 1)) {
		t.Skip("the machine has one loopback address")
	}
	h, a := newLine(t, "+441632960555")
	a.call(h, a.offer())
	other := newAgentAt(t, at, h.server.Address(), a.user)
	other.callID, other.tag, other.toTag, other.seq = a.callID, a.tag, a.toTag, 10
	for _, method := range []string{"BYE", "INVITE", "UPDATE", "INFO"} {
		other.request(method, other.offer())
		other.answer(method, 481)
	}
	a.sends("BYE", "", 200)
}

// TestMalformedRequestsAreRefused checks the responses to another SIP version, a CSeq of another method, and a wrong
// Content-Length.
func TestMalformedRequestsAreRefused(t *testing.T) {
	t.Parallel()
	h, a := newLine(t, "+441632960555")
	for n, row := range []struct {
		version, method, cseq string
		status                int
	}{{"SIP/3.0", "OPTIONS", "OPTIONS", 505}, {"SIP/2.0", "INVITE", "OPTIONS", 400}, {"SIP/2.0", "OPTIONS", "OPTIONS", 200}} {
		a.write(fmt.Sprintf("%s sip:%s %s\r\nVia: SIP/2.0/UDP %s;branch=z9hG4bK%d;rport\r\nMax-Forwards: 70\r\nFrom: <sip:x@%s>;tag=1\r\n"+
			"To: <sip:x@%s>\r\nCall-ID: none\r\nCSeq: %d %s\r\nContact: <sip:x@%s>\r\nContent-Length: 0\r\n\r\n",
			row.method, h.server.Address(), row.version, a.address(), n, a.address().Addr(), h.server.Address(), n+1, row.cseq, a.address()))
		r := a.answer(row.cseq, row.status)
		require.Equal(t, "SIP/2.0", r.SipVersion)
	}
	for _, length := range []string{"200", "-1", "many"} {
		a.write(fmt.Sprintf("OPTIONS sip:%s SIP/2.0\r\nVia: SIP/2.0/UDP %s;branch=z9hG4bK%s;rport\r\nFrom: <sip:x@%s>;tag=1\r\nTo: <sip:x@%s>\r\n"+
			"Call-ID: none\r\nCSeq: 9 OPTIONS\r\nl: %[3]s\r\n\r\nshort", h.server.Address(), a.address(), length, a.address().Addr(), h.server.Address()))
		branch, _ := a.answer("OPTIONS", 400).Via().Params.Get("branch")
		require.Equal(t, "z9hG4bK"+length, branch)
	}
}
