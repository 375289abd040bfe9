package soundline

import (
	"math"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// ear tells speech from silence by its energy. What counts as silence follows the
// line: it is the quietest moment of the last seconds, because speech has quiet
// moments and the hum of a car has not.
type ear struct {
	rate     int
	endpoint Endpoint

	block    []int16   // of 10 ms, that is not full
	expected time.Time // when the next sample is due
	floors   [10]float64
	current  int // of the floors
	blocks   int // in the current one

	speaking bool
	recent   uint32  // which of the last blocks were loud
	quiet    int     // blocks of silence in a row
	paused   bool    // the pause was reported
	said     []int16 // of this utterance; before it, what was heard last
}

const (
	block       = 10 * time.Millisecond
	floorBlocks = 20 // 200 ms; ten of them are what is remembered

	quietest   = -66.0 // dB below full scale: no line's floor is taken to be lower
	noisiest   = -28.0
	over       = 11.0  // dB above the floor is speech
	still      = 7.0   // above the floor goes on being speech
	leastLoud  = -48.0 // below it nothing is speech
	fillsAtMax = time.Second
)

func newEar(endpoint Endpoint, rate int) *ear {
	e := &ear{rate: rate, endpoint: endpoint}
	for i := range e.floors {
		e.floors[i] = math.Inf(1)
	}
	return e
}

// hear takes what has come, and returns what was noticed. While a prompt plays it takes
// more to be speech: what comes may be the prompt's echo.
func (e *ear) hear(at time.Time, pcm []int16, playing bool) []voice.LegEvent {
	var events []voice.LegEvent
	if gap := at.Sub(e.expected); !e.expected.IsZero() && gap >= block {
		events = e.add(events, make([]int16, samplesIn(min(gap, fillsAtMax), e.rate)), playing)
	}
	if end := at.Add(lasting(len(pcm), e.rate)); end.After(e.expected) {
		e.expected = end
	}
	return e.add(events, pcm, playing)
}

func (e *ear) add(events []voice.LegEvent, pcm []int16, playing bool) []voice.LegEvent {
	size := samplesIn(block, e.rate)
	for len(pcm) > 0 {
		n := min(size-len(e.block), len(pcm))
		e.block = append(e.block, pcm[:n]...)
		pcm = pcm[n:]
		if len(e.block) == size {
			if ev := e.weigh(playing); ev.Kind != 0 {
				events = append(events, ev)
			}
			e.block = e.block[:0]
		}
	}
	return events
}

// weigh judges a block.
func (e *ear) weigh(playing bool) voice.LegEvent {
	level := loudness(e.block)
	floor := e.settle(level)
	e.said = append(e.said, e.block...)
	if e.speaking {
		return e.follow(level > max(floor+still, leastLoud-4))
	}
	need := int(e.endpoint.Begin / block)
	if playing {
		need *= 2
	}
	e.recent <<= 1
	if level > max(floor+over, leastLoud) {
		e.recent |= 1
	}
	begun := count(e.recent, need*3/2) >= need
	keep := samplesIn(e.endpoint.Before+time.Duration(need)*block, e.rate)
	if begun || len(e.said) > 4*keep {
		e.said = e.said[:copy(e.said, e.said[max(0, len(e.said)-keep):])]
	}
	if !begun {
		return voice.LegEvent{}
	}
	e.speaking, e.quiet, e.recent = true, 0, 0
	return voice.LegEvent{Kind: voice.LegSpeechStarted}
}

// count is how many of the last n blocks were loud.
func count(recent uint32, n int) int {
	loud := 0
	for i := range min(n, 32) {
		loud += int(recent >> i & 1)
	}
	return loud
}

// follow goes on with speech until it has been quiet for long enough.
func (e *ear) follow(loud bool) voice.LegEvent {
	e.quiet++
	if loud {
		e.quiet = 0
	}
	e.paused = e.paused && !loud
	silence := time.Duration(e.quiet) * block
	switch {
	case silence >= e.endpoint.End || lasting(len(e.said), e.rate) >= e.endpoint.Longest:
		return e.end(silence)
	case silence >= tail && !e.paused:
		return e.pause()
	}
	return voice.LegEvent{}
}

// tail is how much of the silence behind speech belongs to it. A silence of that length is a pause.
const tail = 200 * time.Millisecond

// pause is when speech may be over.
func (e *ear) pause() voice.LegEvent {
	e.paused = true
	return voice.LegEvent{Kind: voice.LegSpeechPaused, Speech: e.utterance()}
}

// end is when speech is over, after some silence.
func (e *ear) end(silence time.Duration) voice.LegEvent {
	ended := voice.LegEvent{Kind: voice.LegSpeechEnded, Speech: e.utterance(), Silence: silence}
	e.speaking, e.said, e.quiet, e.paused = false, nil, 0, false
	return ended
}

// utterance is what was said until now. Its samples do not change when more is added.
func (e *ear) utterance() voice.Utterance {
	surplus := samplesIn(max(0, time.Duration(e.quiet)*block-tail), e.rate)
	n := max(0, len(e.said)-surplus)
	said := e.said[:n:n]
	return voice.Utterance{Audio: voice.Audio{Length: lasting(n, e.rate), Rate: e.rate, Samples: func() []int16 { return said }}}
}

// settle follows the line's floor with a block's level, and returns it.
func (e *ear) settle(level float64) float64 {
	if e.blocks == 0 {
		e.current = (e.current + 1) % len(e.floors)
		e.floors[e.current] = math.Inf(1)
	}
	e.blocks = (e.blocks + 1) % floorBlocks
	e.floors[e.current] = min(e.floors[e.current], level)
	floor := math.Inf(1)
	for _, f := range e.floors {
		floor = min(floor, f)
	}
	return max(quietest, min(noisiest, floor))
}

// loudness is a block's energy, in decibels below full scale.
func loudness(pcm []int16) float64 {
	var sum, mean float64
	for _, v := range pcm {
		mean += float64(v)
	}
	mean /= float64(len(pcm))
	for _, v := range pcm {
		sum += (float64(v) - mean) * (float64(v) - mean)
	}
	return 10 * math.Log10(sum/float64(len(pcm))/(32768*32768)+1e-12)
}
