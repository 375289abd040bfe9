package platform_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/soundline"
)

// replies are the moments of a turn: of a call in real time.
type replies struct {
	mu    sync.Mutex
	times map[string]time.Time
	sure  float64 // how sure the recogniser was
}

func (r *replies) note(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.times[what]; !known || what == recognising || what == recognised {
		r.times[what] = time.Now()
	}
}

// forget begins a new turn.
func (r *replies) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.times = map[string]time.Time{}
}

// The moments of a turn, in their order.
const (
	spoke       = "end of speech"
	recognising = "recogniser"
	recognised  = "recognised"
	asked       = "speaker"
	made        = "first samples"
	sounded     = "first sound"
)

var moments = []string{recognising, recognised, asked, made, sounded}

// timedRecogniser and timedSpeaker note when they are asked and when they answer.
type timedRecogniser struct {
	voice.Recogniser
	*replies
}

func (r timedRecogniser) Recognise(ctx context.Context, said []voice.Utterance, g voice.Grammar) (voice.Recognition, error) {
	r.note(recognising)
	found, err := r.Recogniser.Recognise(ctx, said, g)
	r.note(recognised)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sure = found.Confidence
	return found, err
}

type timedSpeaker struct {
	speech.Speaker
	*replies
}

func (s timedSpeaker) Speak(ctx context.Context, text, name string, rate int, deliver func([]int16) error) error {
	s.note(asked)
	return s.Speaker.Speak(ctx, text, name, rate, func(pcm []int16) error { s.note(made); return deliver(pcm) })
}

// talker is the far end of a line in real time: somebody who speaks, and who listens for the
// first sound after that.
type talker struct {
	*replies

	rate  int
	far   soundline.Far
	heard chan struct{}
	ended chan struct{}

	speech  sync.Mutex
	left    []int16 // that is still to be said
	waiting bool    // for a sound
}

func newTalker(rate int, r *replies) *talker {
	return &talker{replies: r, rate: rate, heard: make(chan struct{}, 1), ended: make(chan struct{})}
}

func (c *talker) Rate() int                  { return c.rate }
func (c *talker) Start(far soundline.Far)    { c.far = far }
func (c *talker) Ring()                      {}
func (c *talker) Answer()                    {}
func (c *talker) Key(byte)                   {}
func (c *talker) Hangup(voice.Cause, string) { close(c.ended) }

// Send listens.
func (c *talker) Send(frame []int16) {
	c.speech.Lock()
	defer c.speech.Unlock()
	if c.waiting && len(c.left) == 0 && loud(frame) {
		c.waiting = false
		c.note(sounded)
		c.heard <- struct{}{}
	}
}

func loud(frame []int16) bool { return slices.Max(frame) > 300 }

// say speaks, and waits until there is an answer.
func (c *talker) say(t *testing.T, pcm []int16) {
	c.forget()
	c.speech.Lock()
	c.left, c.waiting = pcm, true
	c.speech.Unlock()
	select {
	case <-c.heard:
	case <-time.After(time.Minute):
		require.Fail(t, "no answer")
	}
}

// live sends a frame each 20 ms until the call is over.
func (c *talker) live() {
	ticks := time.NewTicker(soundline.Frame)
	defer ticks.Stop()
	hush := make([]int16, c.rate/50)
	for {
		select {
		case now := <-ticks.C:
			frame := hush
			c.speech.Lock()
			if n := min(len(c.left), len(hush)); n > 0 {
				frame = append(c.left[:n:n], hush[n:]...)
				if c.left = c.left[n:]; len(c.left) == 0 {
					c.note(spoke)
				}
			}
			c.speech.Unlock()
			c.far.Frame(now, frame)
		case <-c.ended:
			return
		}
	}
}

// untilQuiet is speech without the silence before and behind it.
func untilQuiet(pcm []int16) []int16 {
	audible := func(v int16) bool { return v > 200 || v < -200 }
	from := slices.IndexFunc(pcm, audible)
	to := len(pcm)
	for to > from && !audible(pcm[to-1]) {
		to--
	}
	return pcm[from:to]
}

// repliesMeasured is what a measurement has found.
type repliesMeasured struct {
	understood, others []time.Duration // from the end of speech to the first sound
	parts              map[string][]time.Duration
	booked             int
}

// add adds a turn.
func (m *repliesMeasured) add(r *replies) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	line, last := "", r.times[spoke]
	for _, what := range moments {
		line += fmt.Sprintf(" %s %d ms,", what, r.times[what].Sub(r.times[spoke]).Milliseconds())
		m.parts[what] = append(m.parts[what], r.times[what].Sub(last))
		last = r.times[what]
	}
	line += fmt.Sprintf(" understood %.2f", r.sure)
	if r.sure >= grammar.LeastConfidence {
		m.understood = append(m.understood, last.Sub(r.times[spoke]))
	} else {
		m.others = append(m.others, last.Sub(r.times[spoke]))
	}
	return line
}

// share is the p-th hundredth of some times.
func share(p int, times []time.Duration) time.Duration {
	if len(times) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(times))[(len(times)-1)*p/100].Round(time.Millisecond)
}

// TestMeasureReply measures the time from the end of speech to the first sound of the answer, in
// calls that book a taxi by voice in real time: a line, programs that speak and understand, the
// conversation and a dispatch system. A caller of flite is on a telephone line, and one of espeak-ng in
// a browser. It runs with MEASURE=1, and takes two minutes.
func TestMeasureReply(t *testing.T) {
	if os.Getenv("MEASURE") == "" {
		t.Skip("MEASURE=1 measures")
	}
	flite, listener := programs(t)
	espeak, err := speech.OpenSpeaker("espeak-ng -v {voice} -s 150 --stdin --stdout")
	require.NoError(t, err)
	prompts, err := speech.OpenSpeaker("")
	require.NoError(t, err)
	r, m := &replies{}, &repliesMeasured{parts: map[string][]time.Duration{}}
	o := platform.Options{Speaker: timedSpeaker{prompts, r}, Recogniser: timedRecogniser{speech.Recogniser{Listener: listener}, r}}
	for i, trip := range []struct{ from, to string }{
		{"station", "airport"},
		{"town hall", "hospital"},
		{"museum", "university"},
		{"harbour", "station"},
		{"hotel", "town hall"},
		{"airport", "museum"},
		{"hospital", "cinema"},
		{"university", "harbour"},
		{"cinema", "airport"},
		{"market place", "hospital"},
	} {
		words := []string{"from the " + trip.from, "to the " + trip.to + " now please", "yes please"}
		if i%2 == 0 {
			m.call(t, o, r, newTalker(8000, r), flite, "rms", words)
		} else {
			m.call(t, o, r, newTalker(16000, r), espeak, "en-us+f3", words)
		}
	}
	for _, what := range moments {
		t.Logf("%s: p50 %v, p95 %v after what is before it", what, share(50, m.parts[what]), share(95, m.parts[what]))
	}
	t.Logf("%d calls booked a taxi; %d answers were understood: p50 %v, p95 %v; %d were not: p50 %v", m.booked, len(m.understood),
		share(50, m.understood), share(95, m.understood), len(m.others), share(50, m.others))
	require.LessOrEqual(t, share(95, m.understood), 900*time.Millisecond)
}

// call has somebody say some things, one after the other, to a platform of its own.
func (m *repliesMeasured) call(t *testing.T, o platform.Options, r *replies, c *talker, speaker speech.Speaker, name string, words []string) {
	d := dispatchtest.New(t, dispatchtest.Options{})
	store, err := records.Open(t.Context(), "")
	require.NoError(t, err)
	defer store.Close()
	o.Records, o.Now, o.PrivateHooks, o.Random = store, time.Now, true, rand.Reader
	p, err := platform.New(t.Context(), o)
	require.NoError(t, err)
	defer p.Close(context.WithoutCancel(t.Context()))
	require.NoError(t, p.Seed(t.Context()))
	require.NoError(t, p.UseThirdParty(t.Context(), platform.ThirdParty{URL: d.URL()}))
	number := store.DDIs(store.Accounts(store.Organisations()[0].ID)[0].ID)[1].Name
	r.forget()
	c.waiting = true
	_, err = p.Take(soundline.New(c, soundline.Options{Clock: voice.NewWall(time.Now, 1), Speaker: o.Speaker}), "442079460022", number)
	require.NoError(t, err)
	go c.live() // ends with the call
	<-c.heard
	for _, w := range words {
		<-time.After(time.Second) // the caller interrupts the prompt
		c.say(t, untilQuiet(spoken(t, speaker, w, name, c.rate)))
		t.Logf("%d Hz, %q:%s", c.rate, w, m.add(r))
	}
	m.booked += len(d.Booked())
	c.far.Ended(voice.CauseNormal, "")
}
