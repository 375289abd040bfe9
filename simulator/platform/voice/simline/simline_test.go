package simline_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/simline"
)

func TestParseScript(t *testing.T) {
	script, err := simline.ParseScript([]byte(`[{"expect":"press 1"},{"press":"1#"},{"say":"the station"},{"wait":"2s"},{"hangup":true}]`))
	require.NoError(t, err)
	require.Equal(t, simline.Script{{Expect: "press 1"}, {Press: "1#"}, {Say: "the station"}, {Wait: 2 * time.Second}, {Hangup: true}}, script)
	for in, want := range map[string]string{
		`{}`:                          "the script is not an array of steps: it wants an array, not an object",
		`[{"expects":"x"}]`:           "the script is not an array of steps: /0/expects is not a known member",
		`[{"press":1}]`:               "the script is not an array of steps: /0/press wants a string, not a number",
		`[{"press":"1","press":"2"}]`: "the script is not an array of steps",
		`[{"wait":"1s"},{}]`:          "step 2 of the script: it must have exactly one of expect, press, say, wait and hangup",
		`[{"press":"1","say":"x"}]`:   "step 1 of the script: it must have exactly one of",
		`[{"press":"12a"}]`:           "step 1 of the script: keys are 0 to 9, * and #",
		`[{"say":" "}]`:               "step 1 of the script: it is empty",
		`[{"wait":"2"}]`:              "step 1 of the script: time: missing unit",
		`[{"wait":"-1s"}]`:            "step 1 of the script: a wait is 0s to 4h",
		`[{"hangup":false}]`:          "step 1 of the script: hangup can only be true",
		strings.Repeat(" ", 65537):    "the script is longer than 65536 bytes",
		"[" + strings.Repeat(`{"press":"1"},`, 500) + `{"press":"1"}]`: "the script has more than 500 steps",
	} {
		_, err := simline.ParseScript([]byte(in))
		require.ErrorContains(t, err, want, "%.40s", in)
	}
}

func FuzzParseScript(f *testing.F) {
	f.Add([]byte(`[{"expect":"press 1"},{"press":"1#"},{"say":"the station"},{"wait":"2s"},{"hangup":true}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		script, err := simline.ParseScript(data)
		if err != nil {
			return
		}
		clock := voice.NewVirtual(time.Unix(0, 0))
		done := false
		actor := script.Person(clock, func(error) { done = true })
		var phone *simline.Phone
		phone = simline.NewCaller(clock, func(h simline.Happening) { actor.Notice(phone, h) })
		phone.Leg().Start(func(voice.LegEvent) {})
		phone.Leg().Answer()
		clock.Run(time.Hour)
		phone.Leg().Hangup(voice.CauseNormal, "")
		clock.Run(simline.Patience)
		require.True(t, done)
		require.Zero(t, clock.Pending())
	})
}

// line is a phone whose platform side is controlled by the test.
type line struct {
	clock  *voice.Virtual
	phone  *simline.Phone
	leg    voice.Leg
	events []voice.LegEvent
	heard  []simline.Happening
	err    error
	done   bool
}

// answered returns the answered line of a caller who follows a script.
func answered(t *testing.T, script string) *line {
	l := &line{clock: voice.NewVirtual(time.Unix(0, 0))}
	steps, err := simline.ParseScript([]byte(script))
	require.NoError(t, err)
	actor := steps.Person(l.clock, func(err error) { l.done, l.err = true, err })
	l.phone = simline.NewCaller(l.clock, func(h simline.Happening) {
		l.heard = append(l.heard, h)
		actor.Notice(l.phone, h)
	})
	l.leg = l.phone.Leg()
	l.leg.Start(func(ev voice.LegEvent) { l.events = append(l.events, ev) })
	l.leg.Ring()
	l.leg.Answer()
	return l
}

// say plays a prompt.
func (l *line) say(id int, text string) {
	l.leg.Play(voice.Prompt{ID: id, Kind: voice.PromptSay, Text: text, Audio: voice.Paced{}.Speak(text)})
}

// pressed returns the number of pressed keys.
func (l *line) pressed() (n int) {
	for _, ev := range l.events {
		if ev.Kind == voice.LegKey {
			n++
		}
	}
	return n
}

// TestExpectIsMetAsItIsSpoken checks that an expected text is found when its last word is spoken, not when the prompt
// begins, and that the same words cannot satisfy two expectations.
func TestExpectIsMetAsItIsSpoken(t *testing.T) {
	for _, row := range []struct {
		script, says string
		before, met  time.Duration
	}{
		{`[{"expect":"WORD  five"},{"press":"1"}]`, "aaaa bbbb cccc word five ffff gggg hhhh iiii jjjj", 1900 * time.Millisecond, 2 * time.Second},
		{`[{"expect":"one"},{"expect":"one"},{"press":"1"}]`, "one two one two", 1100 * time.Millisecond, 2100 * time.Millisecond},
	} {
		l := answered(t, row.script)
		l.say(1, row.says)
		l.clock.Advance(row.before)
		require.Zero(t, l.pressed())
		l.clock.Advance(row.met - row.before)
		require.Equal(t, 1, l.pressed())
	}
}

// TestExpectedTextMaySpanTwoPrompts checks that an expected text may begin in one prompt and end in the next.
func TestExpectedTextMaySpanTwoPrompts(t *testing.T) {
	l := answered(t, `[{"expect":"a taxi, press 1"},{"press":"1"},{"expect":"thank you"},{"hangup":true}]`)
	l.say(1, "For a taxi,")
	l.clock.Advance(1200 * time.Millisecond)
	l.say(2, "press 1.")
	l.clock.Advance(time.Second)
	require.Equal(t, 1, l.pressed())
	l.say(3, "Thank you.")
	l.clock.Run(time.Minute)
	require.Equal(t, voice.LegEnded, l.events[len(l.events)-1].Kind)
	require.True(t, l.done)
	require.NoError(t, l.err)
}

// TestWordsAfterAStopAreNotHeard checks that words of a prompt that was stopped before them do not count as heard, so that the script
// fails and hangs up.
func TestWordsAfterAStopAreNotHeard(t *testing.T) {
	l := answered(t, `[{"expect":"never said"},{"press":"1"}]`)
	l.say(1, "this part is never said")
	l.clock.Advance(800 * time.Millisecond)
	l.leg.Stop()
	l.clock.Advance(29 * time.Second)
	require.False(t, l.done)
	l.clock.Run(time.Minute)
	require.EqualError(t, l.err, `step 1: did not hear "never said" within 30s`)
	require.Equal(t, voice.LegEnded, l.events[len(l.events)-1].Kind, "and hangs up")
	for _, ev := range l.events {
		require.NotEqual(t, voice.LegPromptEnded, ev.Kind)
	}
}

func TestEarlyHangupFailsTheStep(t *testing.T) {
	l := answered(t, `[{"wait":"1s"},{"say":"the station"}]`)
	l.clock.Advance(1500 * time.Millisecond)
	l.leg.Hangup(voice.CauseNormal, "closing")
	l.clock.Run(time.Minute)
	require.EqualError(t, l.err, "step 2: the other side has hung up")
	require.Equal(t, simline.Ended, l.heard[len(l.heard)-1].Kind)
	require.Zero(t, l.clock.Pending())
}

// TestBridgedPhonesHearEachOther checks that two connected phones receive the speech and keys of each other, and are notified when
// they are disconnected.
func TestBridgedPhonesHearEachOther(t *testing.T) {
	a := answered(t, `[{"say":"where are you"},{"press":"5"}]`)
	b := answered(t, `[]`)
	a.leg.Bridge(b.leg)
	a.clock.Run(time.Minute)
	a.leg.Bridge(nil)
	var kinds []simline.Kind
	for _, h := range b.heard[2:] {
		kinds = append(kinds, h.Kind)
	}
	require.Equal(t, []simline.Kind{simline.Heard, simline.Key}, kinds)
	require.Equal(t, "where are you", b.heard[2].Text)
	require.Equal(t, simline.FromPerson, b.heard[2].From)
	require.Equal(t, simline.Parted, a.heard[len(a.heard)-1].Kind)
}

// TestImpossiblePhoneActionsAreIgnored checks that keys before the answer, and actions in a call that is over, have
// no effect.
func TestImpossiblePhoneActionsAreIgnored(t *testing.T) {
	clock := voice.NewVirtual(time.Unix(0, 0))
	var events []voice.LegEvent
	phone := simline.NewCaller(clock, nil)
	phone.Hangup()
	phone.Leg().Start(func(ev voice.LegEvent) { events = append(events, ev) })
	phone.Press("123")
	phone.Answer()
	phone.Refuse(486)
	clock.Run(time.Minute)
	require.Empty(t, events)
	phone.Hangup()
	phone.Hangup()
	require.Len(t, events, 1)
	require.Zero(t, phone.Press("1"), "nothing is begun on a line that is over")
}

// TestPhoneActionsAreQueued checks that a phone performs its actions one after the other, and that the time of the waiting ones
// is limited.
func TestPhoneActionsAreQueued(t *testing.T) {
	l := answered(t, `[]`)
	require.Equal(t, 400*time.Millisecond, l.phone.Press("1x2"))
	require.Equal(t, 1200*time.Millisecond, l.phone.Say("two words"))
	l.clock.Run(time.Minute)
	require.Equal(t, 1200*time.Millisecond, l.clock.Now().Sub(time.Unix(0, 0)))
	l.phone.Press(strings.Repeat("1", 1000))
	require.Equal(t, 40*time.Second, l.phone.Busy())
}
