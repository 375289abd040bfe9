//go:build browser

package browsertest

import (
	"encoding/json"
	"flag"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/fixtures"
)

var voiceName = flag.String("voice", "rms", "the voice of flite that TestMeasureSpokenIntents speaks with")

const (
	intentsCaller = "442079460022"
	intentsTyping = "442079460023" // another one: who has booked is asked other things
	intentsWithin = time.Minute    // an utterance is answered
	promptSeconds = 7              // by then the prompts are over; after 10 s nothing was said, and they are repeated
)

// outcome is what the conversation made of what was said.
type outcome struct {
	state, asks, frame string
	pickupTime         time.Time
	reason, heard      string
	sure               float64
}

// same reports whether two outcomes are, but for the minutes that have passed between them.
func (o outcome) same(other outcome) bool {
	return o.reason == other.reason && o.state == other.state && o.asks == other.asks && o.frame == other.frame && o.pickupTime.Sub(other.pickupTime).Abs() <= 2*time.Minute
}

// TestMeasureSpokenIntents measures what the conversation makes of words that are spoken into chromium's
// microphone, compared with the same words when they are typed. Each of them has a browser and a demo of its own.
func TestMeasureSpokenIntents(t *testing.T) {
	needMeasure(t)
	needPrograms(t)
	var right atomic.Int64
	t.Run("all", func(t *testing.T) {
		for _, u := range fixtures.Utterances {
			t.Run(u.Words, func(t *testing.T) {
				t.Parallel()
				s := serve(t, "demo", "--no-open", "--speed", "1")
				want := s.typed(u)
				got := s.aloud(t, u, *voiceName)
				if want.same(got) {
					right.Add(1)
					t.Logf("right: %q, heard as %q, %.2f", u.Words, got.heard, got.sure)
				} else {
					t.Logf("WRONG: %q, heard as %q, %.2f: %+v instead of %+v", u.Words, got.heard, got.sure, got, want)
				}
			})
		}
	})
	t.Logf("voice %s: %d of %d", *voiceName, right.Load(), len(fixtures.Utterances))
	require.Equal(t, len(fixtures.Utterances), int(right.Load()))
}

// typed has an utterance typed on a simulated telephone.
func (s *server) typed(u fixtures.Utterance) outcome {
	s.t.Helper()
	phone := s.call("POST", "/console/platform/sim/v1/phones", map[string]any{"from": "+" + intentsTyping, "to": "taxi"})
	call := phone["callId"].(string)
	words := append(before(u), u.Words)
	for i, w := range words {
		s.after(call, i)
		s.call("POST", "/console/platform/sim/v1/phones/"+phone["id"].(string), map[string]any{"say": w})
	}
	defer s.call("DELETE", "/console/platform/sim/v1/calls/"+call, nil)
	return s.after(call, len(words))
}

// aloud has an utterance spoken into a browser's microphone, when the prompt before it is over.
func (s *server) aloud(t *testing.T, u fixtures.Utterance, voice string) outcome {
	t.Helper()
	sound := slices.Concat(silence(promptSeconds), spoken(t, voice, u.Words), silence(60))
	p := hearing(t, s, "/console/phone?from="+intentsCaller, soundFile(t, sound))
	p.click(`[data-test="speak"]`)
	p.says(`[data-test="transcript"]`, "Hello")
	p.until(`new URLSearchParams(location.search).get("call")`)
	call := get[string](p, `new URLSearchParams(location.search).get("call")`)
	for _, w := range before(u) {
		p.write(`input[aria-label="Say something"]`, w)
		p.key(kb.Enter)
	}
	return s.after(call, len(before(u))+1)
}

// before is what is said before an utterance.
func before(u fixtures.Utterance) []string {
	if u.Before == "" {
		return nil
	}
	return []string{u.Before}
}

// after waits until the caller has been understood so many times, and returns what the conversation has made of it.
func (s *server) after(call string, times int) outcome {
	s.t.Helper()
	deadline := time.Now().Add(intentsWithin)
	for look := time.NewTicker(50 * time.Millisecond); ; <-look.C {
		require.True(s.t, time.Now().Before(deadline), "call %s: fewer than %d answers", call, times)
		status, _, said := s.ask("GET", "/console/platform/sim/v1/stories/"+call, nil)
		if status != 200 {
			continue
		}
		if got, ok := outcomeOf(s.t, said, times); ok {
			return got
		}
	}
}

// outcomeOf reads a story; it reports false while the caller was understood fewer times than wanted.
func outcomeOf(t *testing.T, text []byte, times int) (o outcome, ok bool) {
	t.Helper()
	var story struct {
		State string
		Asks  []string
		Frame map[string]any
		Turns []struct {
			Reason, Speech string
			Confidence     float64
		}
	}
	require.NoError(t, json.Unmarshal(text, &story), "%s", text)
	if len(story.Turns) <= times { // the first is the start of the call
		return o, false
	}
	last := story.Turns[len(story.Turns)-1]
	o.reason, o.heard, o.sure = last.Reason, last.Speech, last.Confidence
	if at, has := story.Frame["pickupTime"].(string); has {
		var err error
		o.pickupTime, err = time.Parse(time.RFC3339, at)
		require.NoError(t, err)
		delete(story.Frame, "pickupTime")
	}
	frame, err := json.Marshal(story.Frame)
	require.NoError(t, err)
	asks, err := json.Marshal(story.Asks)
	require.NoError(t, err)
	o.state, o.asks, o.frame = story.State, string(asks), string(frame)
	return o, true
}
