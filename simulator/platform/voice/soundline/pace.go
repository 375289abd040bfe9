package soundline

import (
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// mostLate is the longest delay of a line that is made up by sending frames faster; after a longer one, the frames are
// sent later.
const mostLate = 200 * time.Millisecond

// pace starts the timer that sends frames, unless it is running; the lock is held.
func (l *line) pace() {
	if l.beats == nil && !l.over {
		wait := time.Duration(0)
		if l.options.Comfort && l.options.Phase != nil { // which begins once
			wait = l.options.Phase()
		}
		l.due = l.options.Clock.Now().Add(wait)
		l.beats = l.options.Clock.AfterFunc(wait, l.beat)
	}
}

// Spread returns a function for [Options.Phase] that spreads the frames of lines evenly, however
// many lines there are.
func Spread() func() time.Duration {
	const golden = 0x9E3779B9 // of 2^32, the golden ratio: its multiples are far from each other
	var lines atomic.Uint32
	return func() time.Duration { return Frame * time.Duration(lines.Add(golden)) >> 32 }
}

// tick sends the frame that is due, and reports the end of the prompt.
func (l *line) tick() {
	l.mu.Lock()
	if l.over {
		l.mu.Unlock()
		return
	}
	ended, id := false, 0
	if l.prompt != nil && l.prompt.over() { // its last frame has been heard by now
		ended, id = true, l.prompt.id
		l.prompt = nil
	}
	l.next()
	l.mu.Unlock()
	if ended {
		l.tell(voice.LegEvent{Kind: voice.LegPromptEnded, Prompt: id})
	}
}

// next sends a frame and plans the next one; the lock is held. Times are absolute, so a
// late frame does not delay the others.
func (l *line) next() {
	busy := l.compose()
	if busy || l.options.Comfort {
		l.wire.Send(l.frame)
	}
	if !busy && !l.options.Comfort && l.prompt == nil && len(l.heard) == 0 {
		l.beats = nil
		return
	}
	now := l.options.Clock.Now()
	l.due = l.due.Add(Frame)
	if now.Sub(l.due) > mostLate {
		l.due = now
	}
	l.beats = l.options.Clock.AfterFunc(max(0, l.due.Sub(now)), l.beat)
}

// compose mixes the next frame. It returns false if the frame has no sound.
func (l *line) compose() bool {
	clear(l.frame)
	if l.options.Comfort {
		l.hiss.fill(l.frame)
	}
	busy := l.passed.mix(l.frame)
	if l.prompt != nil {
		busy = l.prompt.mix(l.frame) || busy
	}
	for len(l.heard) > 0 {
		if l.heard[0].mix(l.frame) {
			return true
		}
		if !l.heard[0].over() {
			break
		}
		l.heard = l.heard[1:]
	}
	return busy
}

// jitter holds frames of a bridged line until they are due.
type jitter struct {
	samples []int16
	flowing bool
}

// Playing starts when leastAhead of sound has been received. Sound in excess of mostAhead
// is dropped, the oldest first.
const (
	leastAhead = 2 * Frame
	mostAhead  = 10 * Frame
)

func (j *jitter) add(pcm []int16, rate int) {
	j.samples = append(j.samples, pcm...)
	if most := samplesIn(mostAhead, rate); len(j.samples) > most {
		j.samples = j.samples[:copy(j.samples, j.samples[len(j.samples)-most:])]
	}
	j.flowing = j.flowing || len(j.samples) >= samplesIn(leastAhead, rate)
}

func (j *jitter) mix(frame []int16) bool {
	if !j.flowing {
		return len(j.samples) > 0
	}
	n := min(len(frame), len(j.samples))
	for i, v := range j.samples[:n] {
		frame[i] = clamp(int(frame[i]) + int(v))
	}
	j.samples = j.samples[:copy(j.samples, j.samples[n:])]
	j.flowing = len(j.samples) > 0
	return true
}

func (j *jitter) drop() { j.samples, j.flowing = nil, false }

// noise generates quiet noise. It is always the same, so that tests can compare it.
type noise struct{ state uint32 }

func newNoise() *noise { return &noise{1} }

// comfortPeak is about -66 dB.
const comfortPeak = 16

func (n *noise) fill(frame []int16) {
	for i := range frame {
		n.state = n.state*1664525 + 1013904223
		frame[i] = int16(n.state>>16) % (comfortPeak + 1)
	}
}
