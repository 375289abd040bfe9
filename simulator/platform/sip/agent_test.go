package sip_test

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	message "github.com/emiago/sipgo/sip"
	"github.com/icholy/digest"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/sip"
	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/soundline"
)

// patience is how long a test waits for something that must happen, and soon for something that must not.
const (
	patience = time.Minute
	soon     = 300 * time.Millisecond
)

// probe is a leg that records the events of a line, in place of the voice engine.
type probe struct {
	wire   soundline.Wire
	events chan string
	frames chan []int16
}

func newProbe(wire soundline.Wire) *probe {
	return &probe{wire: wire, events: make(chan string, 100), frames: make(chan []int16, 100)}
}

func (p *probe) Start(func(voice.LegEvent))           { p.wire.Start(p) }
func (p *probe) Ring()                                { p.wire.Ring() }
func (p *probe) Answer()                              { p.wire.Answer() }
func (p *probe) Play(voice.Prompt)                    {}
func (p *probe) Stop()                                {}
func (p *probe) Bridge(voice.Leg)                     {}
func (p *probe) Hear(voice.Sound)                     {}
func (p *probe) Tap(func(time.Time, []int16))         {}
func (p *probe) Hangup(cause voice.Cause, why string) { p.wire.Hangup(cause, why) }
func (p *probe) Ringing()                             { p.events <- "ringing" }
func (p *probe) EarlyMedia()                          { p.events <- "early media" }
func (p *probe) Answered()                            { p.events <- "answered" }
func (p *probe) Key(k byte)                           { p.events <- "key " + string(k) }

func (p *probe) Ended(cause voice.Cause, why string) {
	p.events <- strings.TrimSpace(fmt.Sprintf("ended %d/%d %s", cause.SIP, cause.Q850, why))
}

func (p *probe) Frame(_ time.Time, pcm []int16) {
	select {
	case p.frames <- append([]int16(nil), pcm...):
	default:
	}
}

// hears waits for an event.
func (p *probe) hears(t *testing.T, want string) {
	t.Helper()
	select {
	case got := <-p.events:
		require.Equal(t, want, got)
	case <-time.After(patience):
		require.Fail(t, "nothing happened", "want %s", want)
	}
}

// exchange is a platform that accepts every call and lets it ring, unless refuse is set.
type exchange struct {
	phones map[string]string // passwords
	trunks bool
	refuse error
	calls  chan sip.Caller
	legs   chan *probe
}

func (e *exchange) Trunk(netip.Addr) bool { return e.trunks }

func (e *exchange) Phone(user string) (sip.Phone, bool) {
	password, ok := e.phones[user]
	return sip.Phone{User: user, Secret: sip.Secret(user, password)}, ok
}

func (e *exchange) Call(from sip.Caller, leg voice.Leg) error {
	e.calls <- from
	if e.refuse != nil {
		return e.refuse
	}
	p := leg.(*probe)
	p.Start(nil)
	p.Ring()
	e.legs <- p
	return nil
}

// house is a SIP server with an exchange.
type house struct {
	*exchange
	server *sip.Server
}

func newHouse(t testing.TB, change ...func(*sip.Options)) *house {
	t.Helper()
	e := &exchange{trunks: true, phones: map[string]string{"201": "one", "202": "two"}, calls: make(chan sip.Caller, 100), legs: make(chan *probe, 100)}
	o := sip.Options{
		Address: "127.0.0.1:0", Clock: voice.NewWall(time.Now, 1), Random: rand.Reader, Exchange: e, FirstPort: 30000, LastPort: 33999,
		Line: func(w soundline.Wire) voice.Leg { return newProbe(w) },
	}
	for _, c := range change {
		c(&o)
	}
	server, err := sip.Listen(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	return &house{exchange: e, server: server}
}

// called returns the next call that has come in.
func (h *house) called(t *testing.T) (sip.Caller, *probe) {
	t.Helper()
	select {
	case p := <-h.legs:
		return <-h.calls, p
	case <-time.After(patience):
		require.Fail(t, "no call has come in")
		return sip.Caller{}, nil
	}
}

// newLine returns a house, and an agent that uses its server.
func newLine(t testing.TB, user string, change ...func(*sip.Options)) (*house, *agent) {
	t.Helper()
	h := newHouse(t, change...)
	return h, newAgent(t, h.server.Address(), user)
}

// agent is a telephone that sends and receives SIP messages by hand, and RTP over a second socket.
type agent struct {
	t      testing.TB
	conn   *net.UDPConn
	sound  *net.UDPConn
	server netip.AddrPort
	user   string
	tag    string
	callID string
	seq    int
	toTag  string
	invite string // the branch of the INVITE
	number string // that it calls
	place  string // its Contact; "": where it is

	mu    sync.Mutex
	trace strings.Builder // all that was received
}

func newAgent(t testing.TB, server netip.AddrPort, user string) *agent {
	t.Helper()
	return newAgentAt(t, net.IPv4(127, 0, 0, 1), server, user)
}

func newAgentAt(t testing.TB, at net.IP, server netip.AddrPort, user string) *agent {
	t.Helper()
	a := &agent{t: t, server: server, user: user, tag: rand.Text(), callID: rand.Text(), number: "441632960101"}
	for _, conn := range []**net.UDPConn{&a.conn, &a.sound} {
		c, err := net.ListenUDP("udp", &net.UDPAddr{IP: at})
		require.NoError(t, err)
		*conn = c
		t.Cleanup(func() { _ = c.Close() })
	}
	return a
}

func (a *agent) address() netip.AddrPort { return a.conn.LocalAddr().(*net.UDPAddr).AddrPort() }

// offer returns a session description of the agent's RTP socket, with more lines.
func (a *agent) offer(lines ...string) string {
	at := a.sound.LocalAddr().(*net.UDPAddr)
	var text strings.Builder
	fmt.Fprintf(&text, "v=0\r\no=- 1 1 IN IP4 %[1]s\r\ns=-\r\nc=IN IP4 %[1]s\r\nt=0 0\r\nm=audio %[2]d RTP/AVP 0 8 96\r\n"+
		"a=rtpmap:96 telephone-event/8000\r\n", at.IP, at.Port)
	for _, line := range lines {
		text.WriteString(line + "\r\n")
	}
	return text.String()
}

// request sends a request in the agent's dialog.
func (a *agent) request(method, body string, headers ...string) {
	if method != "ACK" && method != "CANCEL" {
		a.seq++
	}
	branch := "z9hG4bK" + rand.Text()
	switch method {
	case "INVITE":
		a.invite = branch
	case "CANCEL":
		branch = a.invite
	}
	uri, to := "sip:"+a.number+"@"+a.server.String(), fmt.Sprintf("<sip:%s@%s>", a.number, a.server.Addr())
	if method == "REGISTER" {
		uri, to = "sip:"+a.server.String(), fmt.Sprintf("<sip:%s@%s>", a.user, a.server)
	}
	if a.toTag != "" && method != "CANCEL" && method != "REGISTER" {
		to += ";tag=" + a.toTag
	}
	text := fmt.Sprintf("%s %s SIP/2.0\r\nVia: SIP/2.0/UDP %s;branch=%s;rport\r\nMax-Forwards: 70\r\n"+
		"From: <sip:%s@%s>;tag=%s\r\nTo: %s\r\nCall-ID: %s\r\nCSeq: %d %s\r\nContact: %s\r\n",
		method, uri, a.address(), branch, a.user, a.address().Addr(), a.tag, to, a.callID, a.seq, method, cmp.Or(a.place, fmt.Sprintf("<sip:%s@%s>", a.user, a.address())))
	for _, h := range headers {
		text += h + "\r\n"
	}
	if body != "" && !strings.Contains(text, "Content-Type") {
		text += "Content-Type: application/sdp\r\n"
	}
	a.write(fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", text, len(body), body))
}

func (a *agent) write(text string) {
	_, err := a.conn.WriteToUDPAddrPort([]byte(text), a.server)
	require.NoError(a.t, err)
}

// next returns the next message of its server except 100 Trying. A closed socket may have had the same port; messages
// of other servers to that one are skipped.
func (a *agent) next() message.Message {
	a.t.Helper()
	buffer := make([]byte, 65536)
	for {
		require.NoError(a.t, a.conn.SetReadDeadline(time.Now().Add(patience)))
		n, from, err := a.conn.ReadFromUDPAddrPort(buffer)
		require.NoError(a.t, err, "nothing has come")
		if from.Addr().Unmap() != a.server.Addr() || from.Port() != a.server.Port() {
			continue
		}
		a.mu.Lock()
		a.trace.Write(buffer[:n])
		a.mu.Unlock()
		m, err := message.ParseMessage(append([]byte(nil), buffer[:n]...))
		require.NoError(a.t, err)
		if r, ok := m.(*message.Response); !ok || r.StatusCode != 100 {
			return m
		}
	}
}

// answer waits for the response to a method, skipping others, which may be retransmissions, and checks its status.
func (a *agent) answer(method string, status int) *message.Response {
	a.t.Helper()
	for {
		r, ok := a.next().(*message.Response)
		if !ok || r.CSeq() == nil || r.CSeq().MethodName.String() != method || r.StatusCode == 180 && status != 180 {
			continue
		}
		require.Equal(a.t, status, r.StatusCode, "answer to %s", method)
		if tag, ok := r.To().Params.Get("tag"); ok && method == "INVITE" && status < 300 {
			a.toTag = tag
		}
		return r
	}
}

// sends sends a request, checks the status of the response, and acknowledges it after an INVITE.
func (a *agent) sends(method, body string, status int, headers ...string) {
	a.t.Helper()
	a.request(method, body, headers...)
	a.answer(method, status)
	if method == "INVITE" {
		a.request("ACK", "")
	}
}

// asked waits for a request with a method, skipping other messages, which may be retransmissions.
func (a *agent) asked(method string) *message.Request {
	a.t.Helper()
	for {
		if r, ok := a.next().(*message.Request); ok && r.Method.String() == method {
			return r
		}
	}
}

// reply responds to a request.
func (a *agent) reply(r *message.Request, status int, body string, headers ...string) {
	response := message.NewResponseFromRequest(r, status, "Said So", nil)
	response.To().Params.Add("tag", a.tag)
	response.AppendHeader(message.NewHeader("Contact", fmt.Sprintf("<sip:%s@%s>", a.user, a.address())))
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		response.AppendHeader(message.NewHeader(name, value))
	}
	if body != "" {
		response.AppendHeader(message.NewHeader("Content-Type", "application/sdp"))
		response.SetBody([]byte(body))
	}
	a.write(response.String())
}

// credentials returns the header that answers a challenge.
func (a *agent) credentials(r *message.Response, method, uri, password string) string {
	name, header := "WWW-Authenticate", "Authorization"
	if r.StatusCode == 407 {
		name, header = "Proxy-Authenticate", "Proxy-Authorization"
	}
	challenge, err := digest.ParseChallenge(r.GetHeader(name).Value())
	require.NoError(a.t, err)
	c, err := digest.Digest(challenge, digest.Options{Method: method, URI: uri, Username: a.user, Password: password, Count: 1})
	require.NoError(a.t, err)
	return header + ": " + c.String()
}

// challenge parses a response.
func (a *agent) challenge(text string) *message.Response {
	m, err := message.ParseMessage([]byte(text))
	require.NoError(a.t, err)
	return m.(*message.Response)
}

// register registers the agent, and checks the status of the second response.
func (a *agent) register(password string, status int, headers ...string) *message.Response {
	a.t.Helper()
	a.request("REGISTER", "", headers...)
	challenge := a.answer("REGISTER", 401)
	a.request("REGISTER", "", append(headers, a.credentials(challenge, "REGISTER", "sip:"+a.server.String(), password))...)
	return a.answer("REGISTER", status)
}

// call places a call, and answers it on the platform.
func (a *agent) call(h *house, body string, headers ...string) (*probe, *message.Response) {
	t := a.t.(*testing.T)
	t.Helper()
	a.request("INVITE", body, headers...)
	_, p := h.called(t)
	p.Answer()
	r := a.answer("INVITE", 200)
	a.request("ACK", "")
	return p, r
}

// mediaOf returns the RTP address in a session description.
func mediaOf(t testing.TB, body []byte) *net.UDPAddr {
	t.Helper()
	var host string
	var port int
	for line := range strings.SplitSeq(string(body), "\r\n") {
		_, _ = fmt.Sscanf(line, "c=IN IP4 %s", &host)
		_, _ = fmt.Sscanf(line, "m=audio %d", &port)
	}
	require.NotZero(t, port, string(body))
	return &net.UDPAddr{IP: net.ParseIP(host), Port: port}
}

// answerTo returns the next response to a method.
func (a *agent) answerTo(method string) *message.Response {
	a.t.Helper()
	for {
		if r, ok := a.next().(*message.Response); ok && r.CSeq().MethodName.String() == method {
			return r
		}
	}
}

// rtp sends an RTP packet.
func (a *agent) rtp(to *net.UDPAddr, payload byte, seq uint16, at uint32, body []byte) {
	b := []byte{0x80, payload, byte(seq >> 8), byte(seq), byte(at >> 24), byte(at >> 16), byte(at >> 8), byte(at), 1, 2, 3, 4}
	_, err := a.sound.WriteToUDP(append(b, body...), to)
	require.NoError(a.t, err)
}

// says sends RTP packets with the given sequence numbers; each byte of a µ-law payload is the sequence number.
func (a *agent) says(to *net.UDPAddr, frames ...int) {
	for _, n := range frames {
		body := make([]byte, 160)
		for i := range body {
			body[i] = byte(n)
		}
		a.rtp(to, 0, uint16(n), uint32(160*n), body)
	}
}

// packet returns the next RTP packet.
func (a *agent) packet() []byte {
	a.t.Helper()
	b := make([]byte, 2048)
	require.NoError(a.t, a.sound.SetReadDeadline(time.Now().Add(patience)))
	n, err := a.sound.Read(b)
	require.NoError(a.t, err, "no sound has come")
	return b[:n]
}

// hearsSound reports whether an RTP packet arrives within a time.
func (a *agent) hearsSound(within time.Duration) bool {
	require.NoError(a.t, a.sound.SetReadDeadline(time.Now().Add(within)))
	_, err := a.sound.Read(make([]byte, 2048))
	return err == nil
}

// untilHeard sends RTP packets until the platform has received one, which is after it has received the ACK.
func (a *agent) untilHeard(p *probe, to *net.UDPAddr) {
	a.t.Helper()
	overdue := time.After(patience)
	for n := 0; ; n++ {
		a.says(to, n)
		select {
		case <-p.frames:
			return
		case <-overdue:
			require.Fail(a.t, "the platform hears nothing")
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// request2 sends a request in the dialog of an INVITE that the agent received.
func (a *agent) request2(method string, invite *message.Request, headers ...string) {
	a.seq++
	to := invite.From()
	a.write(fmt.Sprintf("%s %s SIP/2.0\r\nVia: SIP/2.0/UDP %s;branch=z9hG4bK%s;rport\r\nMax-Forwards: 70\r\nFrom: %s;tag=%s\r\nTo: %s\r\n"+
		"Call-ID: %s\r\nCSeq: %d %s\r\n%s\r\n",
		method, invite.Contact().Address.String(), a.address(), rand.Text(), "<"+invite.To().Address.String()+">", a.tag, to.Value(),
		*invite.CallID(), a.seq, method, strings.Join(append(headers, "Content-Length: 0\r\n"), "\r\n")))
}

// rest adds the messages that arrive in the next 300 ms to the trace.
func (a *agent) rest() {
	require.NoError(a.t, a.conn.SetReadDeadline(time.Now().Add(soon)))
	for buffer := make([]byte, 65536); ; {
		n, err := a.conn.Read(buffer)
		if err != nil {
			return
		}
		a.mu.Lock()
		a.trace.Write(buffer[:n])
		a.mu.Unlock()
	}
}

// listening waits until a program listens on a port of 127.0.0.1. It reads the list of the system, since binding the
// port would keep the program from it.
func listening(t *testing.T, port int) {
	t.Helper()
	const list = "/proc/net/udp"
	if _, err := os.Stat(list); err != nil {
		t.Skip("only Linux says who listens")
	}
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(list)
		return err == nil && strings.Contains(string(text), fmt.Sprintf(" 0100007F:%04X ", port))
	}, patience, time.Millisecond, "nothing listens at port %d", port)
}
