package sip

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	message "github.com/emiago/sipgo/sip"
	"github.com/icholy/digest"
	"github.com/pion/rtp"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

func FuzzSDP(f *testing.F) {
	f.Add("v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\nc=IN IP4 127.0.0.1\r\nm=audio 4000 RTP/AVP 0 8 101\r\na=rtpmap:101 telephone-event/8000\r\na=sendonly\r\n")
	f.Add("m=video 1 RTP/AVP 99\r\nm=audio 2 RTP/AVP 8\r\nc=IN IP6 ::1\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := readSDP([]byte(text))
		if err != nil {
			return
		}
		terms, err := d.agree()
		if err != nil {
			return
		}
		o := origin{id: 1, address: netip.MustParseAddrPort("127.0.0.1:4000")}
		answer := o.answer(d, terms)
		again, err := readSDP(answer)
		require.NoError(t, err, "%s", answer)
		require.Len(t, again.streams, len(d.streams))
		back, err := again.agree()
		require.NoError(t, err, "%s", answer)
		require.Equal(t, terms.codec.name, back.codec.name)
		require.Equal(t, "127.0.0.1:4000", back.remote.String(), "nothing of theirs is in the answer")
	})
}

func FuzzPackets(f *testing.F) {
	f.Add([]byte("\x80\x00\x00\x07\x00\x00\x00\x00\x00\x00\x00\x00\x01\x02"))
	f.Add([]byte("\x80\xe5\x00\x00\x00\x00\x00\x09\x00\x00\x00\x00\x05\x8a\x03\x20")) // the key 5
	f.Fuzz(func(t *testing.T, b []byte) {
		var p rtp.Packet
		if p.Unmarshal(b) != nil {
			return
		}
		if e, ok := readKey(p.Payload); ok {
			require.Equal(t, p.Payload[0], e.write(nil)[0])
		}
		var j jitter
		now := time.Unix(0, 0)
		require.Len(t, j.add(p, now), 1)
		require.Empty(t, j.add(p, now), "it comes twice")
	})
}

// FuzzMessages checks that reading any SIP message never panics, and gives values within their limits.
func FuzzMessages(f *testing.F) {
	const head = "Via: SIP/2.0/UDP 127.0.0.1:5061;branch=z9hG4bK1;rport\r\nFrom: <sip:+441632960555@127.0.0.1>;tag=1\r\nTo: <sip:441632960101@127.0.0.1>;tag=2\r\nCall-ID: x\r\n"
	f.Add("INVITE sip:441632960101@127.0.0.1 SIP/2.0\r\n" + head + "CSeq: 1 INVITE\r\nContact: <sip:a@127.0.0.1>\r\nSession-Expires: 90;refresher=uas\r\n" +
		"Record-Route: <sip:127.0.0.1;lr>\r\nRequire: timer\r\nPrivacy: id\r\nP-Asserted-Identity: \"A\" <tel:+441632960777>\r\nReason: Q.850;cause=16;text=\"x\"\r\nContent-Length: 0\r\n\r\n")
	f.Add("REGISTER sip:127.0.0.1 SIP/2.0\r\n" + head + "CSeq: 1 REGISTER\r\nContact: *\r\nExpires: 0\r\nAuthorization: Digest username=\"201\", realm=\"cabrank\", nc=00000001\r\nContent-Length: 0\r\n\r\n")
	f.Add("SIP/2.0 200 OK\r\n" + head + "CSeq: 1 INVITE\r\nContent-Length: 0\r\n\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := message.ParseMessage([]byte(text))
		if err != nil {
			return
		}
		cause, reason := causeOf(m, voice.CauseNormal)
		require.NotZero(t, cause.Q850)
		require.LessOrEqual(t, len(reason), 128)
		sourceOf(m)
		switch m := m.(type) {
		case *message.Response:
			if whole(m) {
				agreedSession(m)
			}
		case *message.Request:
			if whole(m) {
				readRequest(t, m)
			}
		}
	})
}

// readRequest reads from a request everything that the handlers read.
func readRequest(t *testing.T, r *message.Request) {
	unsupported(r)
	callingNumber(r)
	userOf(r.Recipient)
	if session, tooShort := askedSession(r); !tooShort && session.life > 0 {
		require.GreaterOrEqual(t, session.life, leastSession)
	}
	if contact := r.Contact(); contact != nil {
		life, _ := lifeOf(r, contact)
		require.LessOrEqual(t, life, mostBound)
	}
	if credentials, err := digest.ParseCredentials(valueOf(r, "Authorization")); err == nil {
		var n nonces
		require.NotEqual(t, loginRight, n.check(credentials, "", r.Method.String(), time.Unix(0, 0)))
	}
	_ = message.NewResponseFromRequest(r, 200, "OK", nil).String()
}

// TestRTPGoesToAReachableAddress checks that RTP is sent to the address in the session description if that is allowed, and
// otherwise to the address that sent the description.
func TestRTPGoesToAReachableAddress(t *testing.T) {
	for _, row := range []struct {
		external                bool
		signalling, named, want string
	}{
		{false, "127.0.0.1", "127.0.0.2", "127.0.0.2"},
		{false, "127.0.0.1", "192.168.1.7", "127.0.0.1"},
		{true, "192.168.1.7", "192.168.1.8", "192.168.1.8"},
		{true, "192.168.1.7", "127.0.0.1", "192.168.1.7"},
		{true, "192.168.1.7", "224.0.0.1", "192.168.1.7"},
		{true, "192.168.1.7", "0.0.0.0", "0.0.0.0"}, // hold
	} {
		s := &Server{options: Options{External: row.external}, address: netip.MustParseAddrPort("127.0.0.1:5060")}
		got := s.reachable(terms{remote: netip.AddrPortFrom(netip.MustParseAddr(row.named), 4000)}, netip.MustParseAddr(row.signalling))
		require.Equal(t, row.want+":4000", got.remote.String(), "%+v", row)
	}
}

// TestJitterBufferReordersPackets checks that the jitter buffer returns packets in order and once each, and that a lost packet
// delays at most three later ones.
func TestJitterBufferReordersPackets(t *testing.T) {
	var j jitter
	var heard []string
	now := time.Unix(0, 0)
	for _, seq := range []uint16{65534, 0, 65535, 65535, 2, 3, 4, 5, 1, 6} {
		for _, p := range j.add(rtp.Packet{Header: rtp.Header{SequenceNumber: seq, Timestamp: uint32(seq) * 160}, Payload: []byte{byte(seq)}}, now) {
			heard = append(heard, string(rune('a'+p.SequenceNumber+2)))
		}
	}
	require.Equal(t, "abcefghi", strings.Join(heard, ""))
}
