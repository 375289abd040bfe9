package voice_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// TestTranscriptOfLongSpeechIsLimited checks that the transcript of a document that speaks for hours is limited to 2000 lines.
func TestTranscriptOfLongSpeechIsLimited(t *testing.T) {
	l := newLab(t, nil)
	say := voice.Say{Text: strings.Split("abcdefghijklmnopqrst", ""), Loop: 1000}
	call := l.receive(l.caller(`[]`), voice.Program{Verbs: voice.Document{say}}, nil)
	l.clock.Run(10 * time.Hour)
	require.True(t, call.View().State.Final())
	require.Len(t, call.View().Transcript, 2000)
}

// TestEventsPerCallAreLimited checks that a call has at most 10000 events, and after these its call.completed.
func TestEventsPerCallAreLimited(t *testing.T) {
	l := newLab(t, func(o *voice.Options) { o.CallerID = func(voice.Info, string) string { return "" } })
	nowhere := voice.Dial{CallerID: "+441632960009", Targets: []voice.Target{number("+999")}}
	verbs := slices.Repeat(voice.Document{nowhere}, voice.MaxVerbs)
	next := func(context.Context, voice.Info, voice.Ended) *voice.Program { return &voice.Program{Verbs: verbs} }
	l.receive(l.caller(`[]`), voice.Program{Verbs: verbs}, next)
	l.clock.Run(time.Hour)
	require.Len(t, l.events, 10001)
	for i, ev := range l.events {
		require.Equal(t, i+1, ev.Seq)
	}
	require.Equal(t, voice.EventCompleted, l.events[10000].Type)
}

// floodingLeg sends 50000 keys at once.
type floodingLeg struct{ voice.Leg }

func (f floodingLeg) Start(report func(voice.LegEvent)) {
	f.Leg.Start(report)
	for range 50000 {
		report(voice.LegEvent{Kind: voice.LegKey, Key: '1'})
	}
}

func TestFloodOfKeysIsLimited(t *testing.T) {
	l := newLab(t, nil)
	call, err := l.engine.Receive(voice.Incoming{Leg: floodingLeg{l.caller(`[]`).Leg()}, Program: voice.Program{Verbs: voice.Document{voice.Say{Text: []string{"Hello."}}}}})
	require.NoError(t, err)
	require.Len(t, call.View().Transcript, 1+1024, "the answer, and as many keys as may wait")
	l.clock.Run(time.Hour)
	require.True(t, call.View().State.Final())
}

// TestOnlyUnknownVoicesCauseWarnings checks that only an unknown voice causes a warning, and is replaced by the voice of the program.
func TestOnlyUnknownVoicesCauseWarnings(t *testing.T) {
	l := newLab(t, nil)
	l.receive(l.caller(`[]`), voice.Program{Voice: "cy-GB-Standard-A", Verbs: parsed(t, `[{"say":{"text":"a","voice":"en-GB-Standard-C"}},{"say":{"text":"b","voice":"Brian"}}]`)}, nil)
	l.clock.Run(time.Hour)
	require.NotContains(t, l.log.String(), "no voice en-GB")
	require.Contains(t, l.log.String(), "there is no voice Brian, so cy-GB-Standard-A speaks")
}

// TestChangedCallerIDCausesAWarning checks that an event warns if another caller id is shown than the requested one, but not if only their
// spelling differs.
func TestChangedCallerIDCausesAWarning(t *testing.T) {
	for wanted, warned := range map[string]bool{"+44 1632 960000": false, "01632 960000": false, "+441632960009": true, "anonymous": true} {
		l := newLab(t, func(o *voice.Options) { o.CallerID = func(voice.Info, string) string { return "+441632960000" } })
		dial := voice.Dial{CallerID: wanted, Targets: []voice.Target{number("+999")}}
		l.receive(l.caller(`[]`), voice.Program{Verbs: voice.Document{dial}}, nil)
		l.clock.Run(time.Hour)
		require.Equal(t, warned, strings.Contains(l.log.String(), "verb.warning"), wanted)
	}
}
