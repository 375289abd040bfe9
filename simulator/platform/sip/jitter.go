package sip

import "time"

// mostLate is how many packets are waited for one that is missing: 60 ms of sound.
const mostLate = 3

// jitter puts the packets of one stream in order. A packet that comes in its turn passes at
// once; one that comes early waits for those before it, up to mostLate packets. What is lost is
// a gap, which the time of the sound behind it shows.
type jitter struct {
	begun   bool
	source  uint32
	next    uint16 // the sequence number whose turn it is
	waiting []packet

	first uint32    // the time of the stream's first packet, in samples
	start time.Time // when that was
}

// add takes a packet that has come at a time, and returns those whose turn it is.
func (j *jitter) add(p packet, now time.Time) (due []packet) {
	if !j.begun || p.source != j.source || distance(j.next, p.seq) > 100 || distance(j.next, p.seq) < -100 {
		*j = jitter{begun: true, source: p.source, next: p.seq, first: p.time, start: now, waiting: j.waiting[:0]}
	}
	switch ahead := distance(j.next, p.seq); {
	case ahead < 0:
		return nil // too late, or for the second time
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

// keep puts an early packet where it belongs among those that wait, unless it is there.
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
	p.body = append([]byte(nil), p.body...) // the buffer that it lies in is used again
	j.waiting = append(j.waiting, packet{})
	copy(j.waiting[at+1:], j.waiting[at:])
	j.waiting[at] = p
	return true
}

// at is when the sound of a packet was spoken, by the packet's own time: as the stream's first
// packet came, and earlier if a later one shows that the first was held up.
func (j *jitter) at(p packet, now time.Time) time.Time {
	const rate = 8000
	at := j.start.Add(time.Duration(int32(p.time-j.first)) * time.Second / rate)
	if at.After(now) || now.Sub(at) > time.Second { // their clock runs faster, or jumped
		j.first, j.start, at = p.time, now, now
	}
	return at
}

// distance is how far a sequence number is ahead of another one.
func distance(from, to uint16) int { return int(int16(to - from)) }
