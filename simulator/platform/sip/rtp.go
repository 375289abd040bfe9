package sip

import "encoding/binary"

// packet is an RTP packet (RFC 3550).
type packet struct {
	marker  bool
	payload byte
	seq     uint16
	time    uint32
	source  uint32
	body    []byte
}

const rtpHeader = 12

// readPacket parses a packet. Its body is part of b. ok is false if it is not RTP, version 2.
func readPacket(b []byte) (p packet, ok bool) {
	if len(b) < rtpHeader || b[0]>>6 != 2 {
		return p, false
	}
	p = packet{
		marker: b[1]&0x80 != 0, payload: b[1] & 0x7F, seq: binary.BigEndian.Uint16(b[2:]),
		time: binary.BigEndian.Uint32(b[4:]), source: binary.BigEndian.Uint32(b[8:]),
	}
	padded, extended := b[0]&0x20 != 0, b[0]&0x10 != 0
	body := rtpHeader + 4*int(b[0]&0x0F)
	if extended {
		if len(b) < body+4 {
			return p, false
		}
		body += 4 + 4*int(binary.BigEndian.Uint16(b[body+2:]))
	}
	end := len(b)
	if padded {
		end -= int(b[len(b)-1])
	}
	if body > end {
		return p, false
	}
	p.body = b[body:end]
	return p, true
}

// write appends the packet to b.
func (p packet) write(b []byte) []byte {
	second := p.payload
	if p.marker {
		second |= 0x80
	}
	b = append(b, 0x80, second)
	b = binary.BigEndian.AppendUint16(b, p.seq)
	b = binary.BigEndian.AppendUint32(b, p.time)
	b = binary.BigEndian.AppendUint32(b, p.source)
	return append(b, p.body...)
}
