package sip

import (
	"time"

	"github.com/pion/rtp"
)

// mostLate is the number of packets that wait for a missing one: 60 ms of sound.
const mostLate = 3

// jitter puts the packets of a stream in order. A packet in sequence passes at once; an early one
// waits for those before it, until mostLate packets wait. Lost packets leave a gap, which shows in the
// time of the next sound.
type jitter struct {
	begun   bool
	source  uint32
	next    uint16 // the next sequence number
	waiting []rtp.Packet

	first uint32    // the time of the stream's first packet, in samples
	start time.Time // when that packet arrived
}

// add adds a packet and returns the packets that are in sequence.
func (j *jitter) add(p rtp.Packet, now time.Time) (due []rtp.Packet) {
	if !j.begun || p.SSRC != j.source || distance(j.next, p.SequenceNumber) > 100 || distance(j.next, p.SequenceNumber) < -100 {
		*j = jitter{begun: true, source: p.SSRC, next: p.SequenceNumber, first: p.Timestamp, start: now, waiting: j.waiting[:0]}
	}
	switch ahead := distance(j.next, p.SequenceNumber); {
	case ahead < 0:
		return nil // too late, or a duplicate
	case ahead > 0:
		if !j.keep(p) {
			return nil
		}
	default:
		j.next++
		due = append(due, p)
	}
	if len(j.waiting) > mostLate {
		j.next = j.waiting[0].SequenceNumber
	}
	for len(j.waiting) > 0 && j.waiting[0].SequenceNumber == j.next {
		due = append(due, j.waiting[0])
		j.waiting = j.waiting[1:]
		j.next++
	}
	return due
}

// keep adds an early packet to the waiting packets, in order. It returns false for a duplicate.
func (j *jitter) keep(p rtp.Packet) bool {
	at := 0
	for ; at < len(j.waiting); at++ {
		d := distance(j.waiting[at].SequenceNumber, p.SequenceNumber)
		if d == 0 {
			return false
		}
		if d < 0 {
			break
		}
	}
	p.Payload = append([]byte(nil), p.Payload...) // the buffer is used again
	j.waiting = append(j.waiting, rtp.Packet{})
	copy(j.waiting[at+1:], j.waiting[at:])
	j.waiting[at] = p
	return true
}

// at returns the time of a packet's sound, from its timestamp and the arrival of the first packet. If that would be in
// the future or more than a second ago, the time is now, and later packets count from this one.
func (j *jitter) at(p rtp.Packet, now time.Time) time.Time {
	const rate = 8000
	at := j.start.Add(time.Duration(int32(p.Timestamp-j.first)) * time.Second / rate)
	if at.After(now) || now.Sub(at) > time.Second { // the other clock runs faster, or jumped
		j.first, j.start, at = p.Timestamp, now, now
	}
	return at
}

// distance returns by how much a sequence number is ahead of another one.
func distance(from, to uint16) int { return int(int16(to - from)) }
