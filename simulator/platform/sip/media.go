package sip

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/pion/rtp"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// frameSamples is 20 ms of sound.
const frameSamples = 160

// media is the sound of one line: a UDP socket, the agreed codec and addresses, and the streams in both directions.
type media struct {
	clock voice.Clock
	conn  *net.UDPConn
	free  func()
	sound func(at time.Time, pcm []int16)
	press func(key byte)

	mu       sync.Mutex
	terms    terms
	ready    bool           // terms were agreed on
	peers    []netip.Addr   // where packets may come from
	named    netip.AddrPort // where the terms send sound, before anything came
	source   netip.AddrPort // whose packets are heard; invalid: nothing came yet
	heard    time.Time      // when the last one came
	sender   sender
	closed   bool
	keying   bool // a key is being sent
	keys     []byte
	lastKey  uint32 // timestamp of the last received key
	anyKey   bool
	in       jitter
	expanded []int16
	buffer   []byte
}

// sender is the position of the outgoing stream.
type sender struct {
	source uint32
	seq    uint16
	began  time.Time // the time at base
	base   uint32    // timestamp of the stream's beginning
	last   uint32    // timestamp of the last frame
	begun  bool
	marked bool // the next packet follows a silence
}

// openMedia opens a socket for sound.
func (s *Server) openMedia(sound func(time.Time, []int16), press func(byte)) (*media, error) {
	conn, port, err := s.ports.bind(s.address.Addr())
	if err != nil {
		return nil, err
	}
	var seed [10]byte
	if _, err := io.ReadFull(s.options.Random, seed[:]); err != nil {
		s.ports.free(port)
		return nil, errors.Join(err, conn.Close())
	}
	m := &media{clock: s.options.Clock, conn: conn, free: func() { s.ports.free(port) }, sound: sound, press: press, heard: s.options.Clock.Now()}
	m.sender = sender{source: binary.BigEndian.Uint32(seed[:]), seq: binary.BigEndian.Uint16(seed[4:]), base: binary.BigEndian.Uint32(seed[6:])}
	go m.listen() // ends when the socket is closed
	return m, nil
}

// address returns the address to which the other side sends its sound.
func (m *media) address() netip.AddrPort {
	a := m.conn.LocalAddr().(*net.UDPAddr).AddrPort()
	return netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
}

// agree sets the terms. Packets are accepted from their address and from that of the signalling.
func (m *media) agree(t terms, signalling netip.Addr) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ready && m.terms.direction != sendRecv && t.direction == sendRecv {
		m.heard = m.clock.Now() // it was on hold
	}
	if t.remote != m.named {
		m.named, m.source = t.remote, netip.AddrPort{}
	}
	if m.source.IsValid() {
		t.remote = m.source
	}
	m.terms, m.ready = t, true
	m.peers = []netip.Addr{t.named, signalling}
}

// mostQuiet is how long the source of a stream sends nothing before another source may replace it.
const mostQuiet = 5 * time.Second

// follows reports whether a packet belongs to the received stream. That is the stream of the first port that has sent
// something, since a telephone behind a router sends from another port than its description names; or that of the
// named port, as soon as it sends something. Another port of the same address is another program, or another
// telephone behind the same router: it is followed only if the named port has sent nothing, and the stream has
// stopped for mostQuiet. The lock is held.
func (m *media) follows(from netip.AddrPort, now time.Time) bool {
	switch {
	case from == m.source:
		return true
	case !slices.Contains(m.peers, from.Addr()):
		return false
	case from == m.named || !m.source.IsValid():
	case m.source == m.named || now.Sub(m.heard) < mostQuiet:
		return false
	}
	m.source = from
	return true
}

// silentFor returns how long no packet has arrived; 0 while none are expected, as on hold.
func (m *media) silentFor() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.ready || m.terms.direction != sendRecv {
		m.heard = m.clock.Now() // on hold no packets are expected
	}
	return m.clock.Now().Sub(m.heard)
}

// listen reads packets until the socket is closed.
func (m *media) listen() {
	buffer := make([]byte, 2048)
	for {
		n, from, err := m.conn.ReadFromUDPAddrPort(buffer)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err == nil {
			m.receive(buffer[:n], netip.AddrPortFrom(from.Addr().Unmap(), from.Port()))
		}
	}
}

// receive processes a packet from an address.
func (m *media) receive(b []byte, from netip.AddrPort) {
	var p rtp.Packet
	ok := p.Unmarshal(b) == nil && p.Version == rtpVersion
	now := m.clock.Now()
	m.mu.Lock()
	if !ok || m.closed || !m.ready || !m.follows(from, now) {
		m.mu.Unlock()
		return
	}
	m.heard = now
	if m.terms.direction == sendRecv || m.terms.direction == recvOnly {
		m.terms.remote = from
	}
	switch {
	case p.PayloadType == m.terms.keys:
		key, fresh := m.firstKeyOf(p)
		m.mu.Unlock()
		if fresh {
			m.press(key)
		}
	case p.PayloadType == m.terms.codec.payload && len(p.Payload) > 0:
		due := m.in.add(p, now)
		expand := m.terms.codec.expand
		m.mu.Unlock()
		m.deliver(due, expand, now)
	default:
		m.mu.Unlock()
	}
}

// deliver passes on the sound and keys of packets.
func (m *media) deliver(due []rtp.Packet, expand func(byte) int16, now time.Time) {
	for _, p := range due {
		m.expanded = m.expanded[:0]
		for _, b := range p.Payload {
			m.expanded = append(m.expanded, expand(b))
		}
		m.sound(m.in.at(p, now), m.expanded)
	}
}

// firstKeyOf returns the key of a packet, if it is the first packet of its event.
func (m *media) firstKeyOf(p rtp.Packet) (key byte, fresh bool) {
	e, ok := readKey(p.Payload)
	if !ok || m.anyKey && p.Timestamp == m.lastKey {
		return 0, false
	}
	m.anyKey, m.lastKey = true, p.Timestamp
	return e.key, true
}

// send sends a frame, unless a key is being sent.
func (m *media) send(frame []int16) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.keying || !m.sends() {
		return
	}
	at := m.sender.tick(m.clock.Now())
	body := m.buffer[:0]
	body = append(body, make([]byte, rtpHeader)...)
	press := m.terms.codec.press
	for _, v := range frame {
		body = append(body, press(v))
	}
	m.buffer = body
	_, _ = m.sender.header(m.terms.codec.payload, m.sender.marked, at).MarshalTo(body) // the sound has been written behind it
	m.write(body)
}

// sends reports whether sound may be sent to the other side.
func (m *media) sends() bool {
	return m.ready && !m.closed && (m.terms.direction == sendRecv || m.terms.direction == recvOnly) && !m.terms.remote.Addr().IsUnspecified()
}

// write sends a packet. Errors are ignored, like the loss of a packet.
func (m *media) write(b []byte) {
	m.sender.seq++
	m.sender.marked = false
	_, _ = m.conn.WriteToUDPAddrPort(b, m.terms.remote)
}

// RTP (RFC 3550).
const (
	rtpVersion = 2
	rtpHeader  = 12
)

// header returns the header of the next packet.
func (s *sender) header(payload byte, marker bool, at uint32) rtp.Header {
	return rtp.Header{Version: rtpVersion, Marker: marker, PayloadType: payload, SequenceNumber: s.seq, Timestamp: at, SSRC: s.source}
}

// tick returns the timestamp of a frame that is sent now. Timestamps of consecutive frames are one frame
// apart, even if one is late; after a silence they follow the clock.
func (s *sender) tick(now time.Time) uint32 {
	if !s.begun {
		s.began, s.begun, s.marked, s.last = now, true, true, s.base
		return s.last
	}
	due := s.last + frameSamples
	elapsed := s.base + uint32(now.Sub(s.began)*8000/time.Second)
	if behind := int32(elapsed - due); behind > 10*frameSamples {
		due, s.marked = elapsed, true
	}
	s.last = due
	return due
}

// Lengths of a key that is sent: 100 ms, in packets with increasing durations.
const (
	keyPackets = 5
	keyEnds    = 3
	mostKeys   = 64 // in the queue
)

// key queues a key to be sent as a telephone-event. It returns false if the other side does not support these.
func (m *media) key(k byte) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.sends() || m.terms.keys == noPayload {
		return m.closed || !m.ready
	}
	if len(m.keys) < mostKeys {
		m.keys = append(m.keys, k)
	}
	if !m.keying {
		m.keying = true
		m.sendNextKey()
	}
	return true
}

// sendNextKey starts to send the next key of the queue; the lock is held.
func (m *media) sendNextKey() {
	if len(m.keys) == 0 || !m.sends() {
		m.keying, m.keys = false, nil
		return
	}
	k := m.keys[0]
	m.keys = m.keys[1:]
	at := m.sender.tick(m.clock.Now())
	m.keyPacket(k, at, 1)
}

// keyPacket sends the nth packet of a key, and plans the next one; the lock is held.
func (m *media) keyPacket(k byte, at uint32, n int) {
	if !m.sends() || m.terms.keys == noPayload { // the terms have changed meanwhile
		m.keying, m.keys = false, nil
		return
	}
	e := keyEvent{key: k, end: n >= keyPackets, duration: uint16(min(n, keyPackets) * frameSamples)}
	p := rtp.Packet{Header: m.sender.header(m.terms.keys, n == 1, at), Payload: e.write(nil)}
	text, _ := p.Marshal() // a header without extensions can be encoded
	m.write(text)
	if n < keyPackets+keyEnds-1 {
		m.later(func() { m.keyPacket(k, at, n+1) })
		return
	}
	m.sender.last = at + (keyPackets+keyEnds-1)*frameSamples
	m.later(m.sendNextKey)
}

// later calls a function in 20 ms, unless the media is closed by then.
func (m *media) later(do func()) {
	m.clock.AfterFunc(20*time.Millisecond, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if !m.closed {
			do()
		}
	})
}

// close stops both streams and closes the socket.
func (m *media) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.closed {
		m.closed = true
		m.free()
		_ = m.conn.Close() // nothing is lost by it
	}
}

// ports is the range of UDP ports for sound.
type ports struct {
	mu          sync.Mutex
	first, last uint16
	next        uint16
	open        map[uint16]bool
}

var errPorts = errors.New("all ports for sound are in use")

// bind opens a socket on the next free port; only even ports are used, as RFC 3550 recommends.
func (p *ports) bind(address netip.Addr) (*net.UDPConn, uint16, error) {
	for range (int(p.last)-int(p.first))/2 + 1 {
		port := p.take()
		conn, err := (&net.ListenConfig{}).ListenPacket(context.Background(), "udp", netip.AddrPortFrom(address, port).String())
		if err == nil {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.open[port] = true
			return conn.(*net.UDPConn), port, nil
		}
	}
	return nil, 0, errPorts
}

// free marks a port as closed.
func (p *ports) free(port uint16) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, port)
}

// isOpen reports whether a port is in use for the sound of a line.
func (p *ports) isOpen(port uint16) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open[port]
}

func (p *ports) take() uint16 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next < p.first || p.next > p.last {
		p.next = p.first
	}
	port := p.next
	p.next += 2
	if p.next < port { // past the highest
		p.next = p.first
	}
	return port
}
