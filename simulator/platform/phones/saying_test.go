package phones

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// TestWhatIsTypedAheadIsSaid checks that text that is typed before the platform listens is spoken once it listens,
// one text for each question, and that not too many texts can wait.
func TestWhatIsTypedAheadIsSaid(t *testing.T) {
	clock := voice.NewVirtual(time.Unix(0, 0))
	r := NewRegistry(clock, clock, func() string { return "1" })
	var leg voice.Leg
	p, err := r.Caller("call", "1", "2", nil, func(l voice.Leg) error { leg = l; return nil })
	require.NoError(t, err)
	var said []string
	leg.Start(func(ev voice.LegEvent) {
		if ev.Kind == voice.LegSpeechEnded {
			said = append(said, ev.Speech.Text)
		}
	})
	say := func(text string) { require.NoError(t, p.Say(text)) }
	play := func(id int, text string) {
		leg.Play(voice.Prompt{ID: id, Kind: voice.PromptSay, Text: text, Audio: voice.Paced{}.Speak(text)})
		clock.Advance(time.Minute)
	}
	listen := func() {
		r.Listens("call", Listening{})
		clock.Advance(time.Minute)
	}
	leg.Ring()
	say("to the station")
	leg.Answer()
	say("yes")
	clock.Advance(time.Minute)
	require.Empty(t, said, "the platform looks the caller up")
	play(1, "Where shall we pick you up?")
	require.Empty(t, said, "it has yet to listen")
	listen()
	require.Equal(t, []string{"to the station"}, said)
	play(2, "To the station. Is that right?")
	require.Equal(t, []string{"to the station"}, said, "nobody confirms what they have not heard")
	listen()
	require.Equal(t, []string{"to the station", "yes"}, said)
	listen()
	play(3, "Anything else?")
	say("no")
	clock.Advance(time.Minute)
	require.Equal(t, []string{"to the station", "yes", "no"}, said, "a prompt may be cut short")
	for range maxUnsaid {
		say("hello")
	}
	require.ErrorIs(t, p.Say("hello"), errTooMuch)
}

// TestDetachedPhonesAreRemoved checks that phones that were detached before anybody called them are removed together with
// their extension when the limit of phones is reached.
func TestDetachedPhonesAreRemoved(t *testing.T) {
	n := 0
	clock := voice.NewVirtual(time.Unix(0, 0))
	r := NewRegistry(clock, clock, func() string { n++; return strconv.Itoa(n) })
	for i := range mostPhones + 50 {
		p, err := r.Attach(Far{Kind: Extension, Account: "a", Address: strconv.Itoa(i)}, nil)
		require.NoError(t, err)
		p.Hangup()
	}
	require.Len(t, r.attached, mostPhones)
	require.Len(t, r.phones, mostPhones)
}
