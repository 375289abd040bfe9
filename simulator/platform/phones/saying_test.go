package phones

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// What is typed before the platform listens is said once it speaks.
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
	leg.Ring()
	p.Say("to the station")
	leg.Answer()
	p.Say("yes")
	clock.Advance(time.Minute)
	require.Empty(t, said, "the platform looks the caller up")
	ask := func(id int, text string) {
		leg.Play(voice.Prompt{ID: id, Kind: voice.PromptSay, Text: text, Audio: voice.Paced{}.Speak(text)})
		clock.Advance(time.Minute)
	}
	ask(1, "Where shall we pick you up?")
	require.Equal(t, []string{"to the station"}, said)
	ask(2, "To the station. Is that right?")
	require.Equal(t, []string{"to the station", "yes"}, said)
	p.Say("now")
	clock.Advance(time.Minute)
	require.Equal(t, []string{"to the station", "yes"}, said, "it has yet to answer")
	ask(3, "Your taxi is booked.")
	require.Equal(t, []string{"to the station", "yes", "now"}, said)
}
