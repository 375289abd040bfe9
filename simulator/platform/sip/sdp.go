package sip

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/zaf/g711"
)

// codec encodes each sample of sound as a byte.
type codec struct {
	payload byte // its static payload type
	name    string
	expand  func(byte) int16
	press   func(int16) byte
}

// codecs lists the supported codecs, in order of preference.
var codecs = []codec{
	{0, "PCMU", g711.DecodeUlawFrame, g711.EncodeUlawFrame},
	{8, "PCMA", g711.DecodeAlawFrame, g711.EncodeAlawFrame},
}

// Payload types.
const (
	comfortNoise = 13  // RFC 3389
	offeredKeys  = 101 // telephone-event in our offers
	noPayload    = 255
)

// direction is the direction of sound, from the point of view of the description's author.
type direction string

const (
	sendRecv direction = "sendrecv"
	sendOnly direction = "sendonly"
	recvOnly direction = "recvonly"
	inactive direction = "inactive"
)

// answered returns the direction of the answer to an offer with this direction.
func (d direction) answered() direction {
	switch d {
	case sendOnly:
		return recvOnly
	case recvOnly:
		return sendOnly
	}
	return d
}

// stream is an m line of a session description, with its attributes.
type stream struct {
	kind, port, proto string
	formats           []string
	connection        string // "": that of the session
	direction         direction
	names             map[string]string // names of payload types (rtpmap), in upper case
}

// description is the part of a session description (RFC 8866) that a telephone line needs.
type description struct {
	connection string
	direction  direction
	streams    []stream
}

// Limits of a session description.
const (
	mostSDP     = 4 << 10
	mostLines   = 200
	mostStreams = 8
)

var errSDP = errors.New("the session description cannot be read")

// readSDP parses a session description.
func readSDP(body []byte) (d description, err error) {
	lines := strings.Split(string(body), "\n")
	if len(body) > mostSDP || len(lines) > mostLines {
		return d, errSDP
	}
	d.direction = sendRecv
	for _, line := range lines {
		kind, value, ok := strings.Cut(strings.TrimRight(line, "\r"), "=")
		if !ok {
			continue
		}
		if err := d.line(kind, strings.TrimSpace(value)); err != nil {
			return d, err
		}
	}
	if len(d.streams) == 0 {
		return d, errSDP
	}
	return d, nil
}

// line parses a line.
func (d *description) line(kind, value string) error {
	var at *stream
	if len(d.streams) > 0 {
		at = &d.streams[len(d.streams)-1]
	}
	switch {
	case kind == "m":
		fields := strings.Fields(value)
		if len(fields) < 4 || len(d.streams) >= mostStreams {
			return errSDP
		}
		d.streams = append(d.streams, stream{
			kind: fields[0], port: fields[1], proto: fields[2], formats: fields[3:], direction: d.direction, names: map[string]string{},
		})
	case kind == "c" && at == nil:
		d.connection = value
	case kind == "c":
		at.connection = value
	case kind == "a" && slices.Contains([]direction{sendRecv, sendOnly, recvOnly, inactive}, direction(value)):
		if at == nil {
			d.direction = direction(value)
			return nil
		}
		at.direction = direction(value)
	case kind == "a" && at != nil && strings.HasPrefix(value, "rtpmap:"):
		if payload, name, ok := strings.Cut(value[len("rtpmap:"):], " "); ok {
			at.names[payload] = strings.ToUpper(strings.TrimSpace(name))
		}
	}
	return nil
}

// terms are the terms of a session that both sides have agreed on.
type terms struct {
	remote    netip.AddrPort
	named     netip.Addr // the address in the description
	codec     codec
	keys      byte // the payload type of telephone-event, or noPayload
	noise     bool // comfort noise is allowed
	direction direction
	stream    int // index in the description
}

var errNoCodec = errors.New("no stream of sound that this platform speaks: want PCMU or PCMA over RTP/AVP")

// agree chooses the first stream of sound with a supported codec, and its first such codec.
func (d description) agree() (t terms, err error) {
	for i, s := range d.streams {
		port, err := strconv.ParseUint(s.port, 10, 16)
		if s.kind != "audio" || s.proto != "RTP/AVP" || err != nil || port == 0 {
			continue
		}
		connection := s.connection
		if connection == "" {
			connection = d.connection
		}
		address, err := addressOf(connection)
		if err != nil {
			return t, err
		}
		t, ok := s.agree()
		if !ok {
			continue
		}
		t.stream, t.remote = i, netip.AddrPortFrom(address, uint16(port))
		if address.IsUnspecified() && t.direction == sendRecv { // hold in the form of RFC 2543
			t.direction = sendOnly
		}
		return t, nil
	}
	return t, errNoCodec
}

// addressOf parses the value of a c line.
func addressOf(connection string) (netip.Addr, error) {
	fields := strings.Fields(connection)
	if len(fields) != 3 || fields[0] != "IN" {
		return netip.Addr{}, errSDP
	}
	address, err := netip.ParseAddr(fields[2])
	if err != nil || address.IsMulticast() || address.Zone() != "" {
		return netip.Addr{}, errSDP
	}
	return address.Unmap(), nil
}

// agree returns the terms for a stream, with its first supported codec; ok is false if it has none.
func (s stream) agree() (t terms, ok bool) {
	t.keys, t.direction = noPayload, s.direction
	for _, format := range s.formats {
		payload, err := strconv.ParseUint(format, 10, 7)
		if err != nil {
			continue
		}
		name := s.names[format]
		switch c, spoken := codecOf(byte(payload), name); {
		case spoken && !ok:
			t.codec, ok = c, true
		case name == "TELEPHONE-EVENT/8000" && t.keys == noPayload:
			t.keys = byte(payload)
		case payload == comfortNoise:
			t.noise = true
		}
	}
	return t, ok
}

func codecOf(payload byte, name string) (codec, bool) {
	for _, c := range codecs {
		if name == c.name+"/8000" || name == c.name+"/8000/1" || name == "" && payload == c.payload {
			c.payload = payload
			return c, true
		}
	}
	return codec{}, false
}

// origin contains the values that the platform's descriptions of one session have in common. None of them comes from
// the other side of the call.
type origin struct {
	id      uint64
	version int
	address netip.AddrPort // where we receive sound
}

// offer returns a description that offers all codecs.
func (o *origin) offer() []byte {
	o.version++
	return o.stream(o.head(), codecs, true, offeredKeys, sendRecv)
}

// current returns a description of the agreed terms, as an offer.
func (o *origin) current(t terms) []byte { return o.agreed(o.head(), t) }

// answer returns the answer to a description: the agreed stream, without the others.
func (o *origin) answer(d description, t terms) []byte {
	o.version++
	b := o.head()
	for i, s := range d.streams {
		if i == t.stream {
			b = o.agreed(b, t)
			continue
		}
		b = fmt.Appendf(b, "m=%s 0 %s %s\r\n", token(s.kind), token(s.proto), token(s.formats[0]))
	}
	return b
}

// head returns the lines of the session.
func (o *origin) head() []byte {
	family := "IP4"
	if o.address.Addr().Is6() {
		family = "IP6"
	}
	return fmt.Appendf(nil, "v=0\r\no=- %d %d IN %s %s\r\ns=-\r\nc=IN %s %s\r\nt=0 0\r\n", o.id, o.version, family, o.address.Addr(), family, o.address.Addr())
}

// agreed appends the agreed stream.
func (o *origin) agreed(b []byte, t terms) []byte {
	return o.stream(b, []codec{t.codec}, t.noise, t.keys, t.direction.answered())
}

// stream appends a stream of sound.
func (o *origin) stream(b []byte, all []codec, noise bool, keys byte, d direction) []byte {
	formats, names := "", ""
	add := func(payload byte, name string) {
		formats += fmt.Sprintf(" %d", payload)
		names += fmt.Sprintf("a=rtpmap:%d %s/8000\r\n", payload, name)
	}
	for _, c := range all {
		add(c.payload, c.name)
	}
	if noise {
		add(comfortNoise, "CN")
	}
	if keys != noPayload {
		add(keys, "telephone-event")
		names += fmt.Sprintf("a=fmtp:%d 0-11\r\n", keys)
	}
	return fmt.Appendf(b, "m=audio %d RTP/AVP%s\r\n%sa=ptime:20\r\na=%s\r\n", o.address.Port(), formats, names, d)
}

// token returns a word of the other side without characters that a line must not have.
func token(s string) string {
	printable := strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7F {
			return r
		}
		return -1
	}, s)
	return cmp.Or(printable, "x")
}
