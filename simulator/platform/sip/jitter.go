package sip

import "time"

// mostLate is the number of packets that wait for a missing one: 60 ms of sound.
const mostLate = 3

// jitter puts the packets of a stream in order. A packet in sequence passes at once; an early one
// waits for those before it, until mostLate packets wait. Lost packets leave a gap, which shows in the
// time of the next sound.
type jitter struct {
	begun   bool
	source  uint32
	next    uint16 // the next sequence number
	waiting []packet

	first uint32    // the time of the stream's first packet, in samples
	start time.Time // when that packet arrived
}

// add adds a packet and returns the packets that are in sequence.
func (j *jitter) add(p packet, now time.Time) (due []packet) {
	if !j.begun || p.source != j.source || distance(j.next, p.seq) > 100 || distance(j.next, p.seq) < -100 {
		*j = jitter{begun: true, source: p.source, next: p.seq, first: p.time, start: now, waiting: j.waiting[:0]}
	}
	switch ahead := distance(j.next, p.seq); {
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
		j.next = j.waiting[0].seq
	}
	for len(j.waiting) > 0 && j.waiting[0].seq == j.next {
		due = append(due, j.waiting[0])
		j.waiting = j.waiting[1:]
		j.next++
	}
	return due
}

// keep adds an early packet to those that wait, in order. It reports false for a duplicate.
func (j *jitter) keep(p packet) bool {
	at := 0
	for ; at < len(j.waiting); at++ {
		d := distance(j.waiting[at].seq, p.seq)
		if d == 0 {
			return false
		}
		if d < 0 {
			break
		}
	}
	p.body = append([]byte(nil), p.body...) // the buffer is used again
	j.waiting = append(j.waiting, packet{})
	copy(j.waiting[at+1:], j.waiting[at:])
	j.waiting[at] = p
	return true
}

// at returns the time of a packet's sound. It follows from the packet's own timestamp and the arrival of the
// first packet, or of a later one if that shows that the first was delayed.
func (j *jitter) at(p packet, now time.Time) time.Time {
	const rate = 8000
	at := j.start.Add(time.Duration(int32(p.time-j.first)) * time.Second / rate)
	if at.After(now) || now.Sub(at) > time.Second { // the other clock runs faster, or jumped
		j.first, j.start, at = p.time, now, now
	}
	return at
}

// distance returns by how much a sequence number is ahead of another one.
func distance(from, to uint16) int { return int(int16(to - from)) }
