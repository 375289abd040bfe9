package sip_test

import (
	"errors"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zaf/g711"

	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// What a telephone sends.
const (
	frameLength = 20 * time.Millisecond
	frameBytes  = 160
	muSilence   = 0xFF
)

// talker is an agent with a voice. It sends a µ-law RTP packet every 20 ms, with speech or silence, and speaks when
// the platform has finished its prompt, as people do.
type talker struct {
	*agent
	to    *net.UDPAddr
	quiet chan struct{} // receives a value when a prompt is over

	mu    sync.Mutex
	words []byte    // to be sent
	spoke time.Time // when the last audible one of them was sent
	began time.Time // when the platform began to speak after them; zero: it has not
	heard time.Time // when it was heard last
	lag   time.Duration
}

// pause is the silence after which a prompt is over.
const pause = 600 * time.Millisecond

// rings calls a number as a trunk, and starts to send sound when the call is answered.
func (a *agent) rings(number string) *talker {
	a.t.Helper()
	a.number = number
	a.request("INVITE", a.offer())
	answer := a.answer("INVITE", 200)
	a.request("ACK", "")
	k := &talker{agent: a, to: mediaOf(a.t, answer.Body()), quiet: make(chan struct{}, 1)}
	stop := make(chan struct{})
	a.t.Cleanup(func() { close(stop) })
	go k.send(stop) // ends with the test
	go k.listen()   // ends when the socket is closed
	return k
}

// send sends a packet every 20 ms, without drift.
func (k *talker) send(stop chan struct{}) {
	next := time.NewTimer(0)
	defer next.Stop()
	for n, start := 1, time.Now(); ; n++ {
		select {
		case <-stop:
			return
		case <-next.C:
		}
		at := n * frameBytes
		b := []byte{0x80, 0, byte(n >> 8), byte(n), byte(at >> 24), byte(at >> 16), byte(at >> 8), byte(at), 1, 2, 3, 4}
		_, _ = k.sound.WriteToUDP(append(b, k.frame()...), k.to)
		next.Reset(time.Until(start.Add(time.Duration(n) * frameLength)))
	}
}

// frame returns the next payload, and signals the end of a prompt.
func (k *talker) frame() []byte {
	frame := make([]byte, frameBytes)
	for i := range frame {
		frame[i] = muSilence
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	now := time.Now()
	if len(k.words) > 0 {
		k.words = k.words[copy(frame, k.words):]
		if audible(frame) {
			k.spoke = now
		}
	} else if !k.began.IsZero() && now.Sub(k.heard) >= pause {
		k.lag, k.began = k.began.Sub(k.spoke), time.Time{}
		select {
		case k.quiet <- struct{}{}:
		default:
		}
	}
	return frame
}

// listen records when the platform speaks.
func (k *talker) listen() {
	b := make([]byte, 2048)
	for {
		n, err := k.sound.Read(b)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil || n < 12 || !loud(b[:n]) {
			continue
		}
		k.mu.Lock()
		k.heard = time.Now()
		if k.began.IsZero() && len(k.words) == 0 {
			k.began = k.heard
		}
		k.mu.Unlock()
	}
}

// hearsPrompt waits until the platform has finished a prompt. It returns how long after the last words of the caller
// the prompt began.
func (k *talker) hearsPrompt() time.Duration {
	k.t.Helper()
	const longest = time.Minute
	select {
	case <-k.quiet:
	case <-time.After(longest):
		require.Fail(k.t, "no prompt has come to its end")
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.lag
}

// utters sets the sound to be sent.
func (k *talker) utters(sound []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.words = sound
}

// muLaw returns a spoken text in µ-law, as on a telephone line.
func muLaw(t testing.TB, speaker speech.Speaker, words, voiceName string) (sound []byte) {
	t.Helper()
	require.NoError(t, speaker.Speak(t.Context(), words, voiceName, voice.SampleRate, func(pcm []int16) error {
		for _, v := range pcm {
			sound = append(sound, g711.EncodeUlawFrame(v))
		}
		return nil
	}))
	return sound
}

// audible reports whether a µ-law payload is louder than the breath after a word.
func audible(frame []byte) bool {
	const quiet = 200
	return slices.ContainsFunc(frame, func(b byte) bool { return max(g711.DecodeUlawFrame(b), -g711.DecodeUlawFrame(b)) > quiet })
}
