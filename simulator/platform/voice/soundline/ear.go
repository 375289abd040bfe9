package soundline

import (
	"math"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// ear distinguishes speech from silence by energy. The level of silence is that of the
// quietest moment of the last two seconds, since speech has quiet moments, unlike the
// noise of a car.
type ear struct {
	rate     int
	endpoint Endpoint

	block    []int16   // the current block of 10 ms
	expected time.Time // when the next sample is due
	floors   [10]float64
	current  int // index of the current floor
	blocks   int // number of blocks in the current floor

	speaking bool
	recent   uint32  // a bit for each of the last blocks: it was loud
	quiet    int     // blocks of silence in a row
	paused   bool    // the current pause has been reported
	said     []int16 // the current utterance; before it, the latest sound
}

const (
	block       = 10 * time.Millisecond
	floorBlocks = 20 // blocks of a floor: 200 ms

	quietest   = -66.0 // the lowest floor, in dB below full scale
	noisiest   = -28.0
	over       = 11.0  // speech begins at this many dB above the floor
	still      = 7.0   // and continues at this many
	leastLoud  = -48.0 // no sound below this level begins speech
	fillsAtMax = time.Second
)

func newEar(endpoint Endpoint, rate int) *ear {
	e := &ear{rate: rate, endpoint: endpoint}
	for i := range e.floors {
		e.floors[i] = math.Inf(1)
	}
	return e
}

// hear processes sound and returns its events. While a prompt plays, speech must last
// longer to be noticed, since the sound may be an echo of the prompt.
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
			if ev := e.classifyBlock(playing); ev.Kind != 0 {
				events = append(events, ev)
			}
			e.block = e.block[:0]
		}
	}
	return events
}

// classifyBlock classifies a block as loud or quiet and returns the event that follows, if any.
func (e *ear) classifyBlock(playing bool) voice.LegEvent {
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

// count returns the number of loud blocks among the last n.
func count(recent uint32, n int) int {
	loud := 0
	for i := range min(n, 32) {
		loud += int(recent >> i & 1)
	}
	return loud
}

// follow handles a block during speech: it returns a pause or the end of the speech after enough silence.
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

// tail is the silence at the end of an utterance that is part of it. A silence of this length is also reported as a
// pause.
const tail = 200 * time.Millisecond

// pause returns the event of a pause: the speech may be over.
func (e *ear) pause() voice.LegEvent {
	e.paused = true
	return voice.LegEvent{Kind: voice.LegSpeechPaused, Speech: e.utterance()}
}

// end ends the speech and returns the event.
func (e *ear) end(silence time.Duration) voice.LegEvent {
	ended := voice.LegEvent{Kind: voice.LegSpeechEnded, Speech: e.utterance(), Silence: silence}
	e.speaking, e.said, e.quiet, e.paused = false, nil, 0, false
	return ended
}

// utterance returns the speech so far. Its samples do not change when more are added.
func (e *ear) utterance() voice.Utterance {
	surplus := samplesIn(max(0, time.Duration(e.quiet)*block-tail), e.rate)
	n := max(0, len(e.said)-surplus)
	said := e.said[:n:n]
	return voice.Utterance{Audio: voice.Audio{Length: lasting(n, e.rate), Rate: e.rate, Samples: func() []int16 { return said }}}
}

// settle updates the noise floor with the level of a block, and returns the floor.
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

// loudness returns the energy of a block in decibels relative to full scale, at most 0.
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
