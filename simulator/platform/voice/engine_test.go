package voice_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/simline"
)

// TestLateTurnFailsAfterTheComfortTone checks that a caller who waits for a turn hears the comfort tone, and that a turn that takes too long
// fails with the apology.
func TestLateTurnFailsAfterTheComfortTone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var heard []string
		var result voice.Result
		clock := voice.NewWall(time.Now, 1)
		engine := voice.New(voice.Options{
			Clock: clock, NewID: func() string { return "1" },
			Heard: func(_ voice.Info, line voice.Line) { heard = append(heard, fmt.Sprint(line.AtMs, " ", line.Text)) },
		})
		turn := func(ctx context.Context, r voice.TurnRequest) (voice.Document, error) {
			switch r.Action {
			case voice.ActionHangup:
				return nil, nil
			case voice.ActionStart:
				time.Sleep(9 * time.Second)
				return voice.Document{voice.Gather{Verbs: voice.Document{voice.Say{Text: []string{"Well?"}}}}}, nil
			}
			<-ctx.Done()
			time.Sleep(time.Second) // slow to notice
			return nil, ctx.Err()
		}
		phone := simline.NewCaller(clock, nil)
		_, err := engine.Receive(voice.Incoming{Leg: phone.Leg(), Program: voice.Program{Turn: turn}, Done: func(r voice.Result) { result = r }})
		require.NoError(t, err)
		time.Sleep(10 * time.Second)
		phone.Press("1")
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, []string{"9000 ", "9000 Well?", "10000 1", "13000 comfort", "20000 Sorry, something has gone wrong. Please try again later.", "23600 a turn failed"}, heard)
		require.Equal(t, voice.Cause{SIP: 200, Q850: 41}, result.Cause)
		require.NoError(t, engine.Close(t.Context()))
	})
}

// TestCloseEndsAllCalls checks that Close hangs up all calls, cancels their turns, waits for them, and refuses later calls.
func TestCloseEndsAllCalls(t *testing.T) {
	defer goleak.VerifyNone(t)
	var ended atomic.Int64
	engine := voice.New(voice.Options{Clock: voice.NewWall(time.Now, 1), NewID: counter(), Events: func(ev voice.Event) {
		if ev.Type == voice.EventCompleted {
			ended.Add(1)
		}
	}})
	asked := make(chan struct{})
	returned := false
	turn := func(ctx context.Context, _ voice.TurnRequest) (voice.Document, error) {
		close(asked)
		<-ctx.Done()
		returned = true
		return nil, ctx.Err()
	}
	clock := voice.NewWall(time.Now, 1)
	for _, program := range []voice.Program{{Turn: turn}, {Verbs: voice.Document{voice.Gather{}}}} {
		_, err := engine.Receive(voice.Incoming{Leg: simline.NewCaller(clock, nil).Leg(), Program: program})
		require.NoError(t, err)
	}
	<-asked
	require.Len(t, engine.Calls(), 2)
	require.NoError(t, engine.Close(t.Context()))
	require.True(t, returned)
	require.Equal(t, int64(2), ended.Load())
	require.Empty(t, engine.Calls())
	_, err := engine.Receive(voice.Incoming{Leg: simline.NewCaller(clock, nil).Leg()})
	require.ErrorIs(t, err, voice.ErrClosed)
}

func counter() func() string {
	var n atomic.Int64
	return func() string { return fmt.Sprintf("call-%d", n.Add(1)) }
}

// TestConcurrentCalls runs 150 calls in parallel, for the race detector: the callers talk to a hook, are connected, speak,
// and hang up at different moments.
func TestConcurrentCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := voice.NewWall(time.Now, 10)
		exchange := &simline.Exchange{Clock: clock, Phone: func(o voice.Offer) simline.Behaviour {
			return simline.Behaviour{AnswerAfter: 2 * time.Second, Party: func(p *simline.Phone, h simline.Happening) {
				if h.Kind == simline.Bridged {
					p.Say("hello from " + o.LegID)
				}
			}}
		}}
		var ended atomic.Int64
		engine := voice.New(voice.Options{
			Clock: clock, NewID: counter(),
			Route:    func(voice.Info, voice.Target) ([]voice.Route, error) { return []voice.Route{exchange.Route}, nil },
			Recorder: func(voice.Info, string) (voice.RecordingFile, error) { return &memoryFile{}, nil },
		})
		documents := []voice.Document{
			parsed(t, `[{"gather":{"input":["digits","speech"],"say":{"text":"Well, what will it be?"}}}]`),
			parsed(t, `[{"dial":{"record":{"playBeep":true,"maxLength":2},"timeLimit":60,"targets":[{"extension":{"extension":"1"}},{"extension":{"extension":"2"}}],"action":"d"}}]`),
			parsed(t, `[{"say":{"text":"Goodbye."}}]`),
		}
		turn := func(_ context.Context, r voice.TurnRequest) (voice.Document, error) { //nolint:unparam // the type of a turn
			time.Sleep(time.Duration(len(r.ID)) * time.Millisecond)
			return documents[min(r.Number, len(documents))-1], nil
		}
		const calls = 150
		for i := range calls {
			go func() {
				phone := simline.NewCaller(clock, nil)
				call, err := engine.Receive(voice.Incoming{Leg: phone.Leg(), Program: voice.Program{Turn: turn}, Done: func(voice.Result) { ended.Add(1) }})
				if err != nil {
					t.Error(err)
					return
				}
				time.Sleep(time.Duration(i) * time.Millisecond)
				phone.Say("to the station")
				phone.Press("1")
				call.View()
				switch i % 3 {
				case 0:
					time.Sleep(time.Duration(i) * 3 * time.Millisecond)
					phone.Hangup()
				case 1:
					time.Sleep(time.Duration(i) * 3 * time.Millisecond)
					call.Hangup("outside")
				}
			}()
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, int64(calls), ended.Load())
		require.NoError(t, engine.Close(t.Context()))
	})
}

func TestCallsBeyondTheLimitAreRefused(t *testing.T) {
	l := newLab(t, func(o *voice.Options) { o.MaxCalls = 1 })
	first := l.receive(l.caller(`[]`), voice.Program{Verbs: voice.Document{voice.Gather{}}}, nil)
	_, err := l.engine.Place(voice.Outgoing{Target: voice.CallTarget{Target: number("+441632960201")}})
	require.ErrorIs(t, err, voice.ErrFull)
	found, ok := l.engine.Call(first.ID())
	require.True(t, ok)
	require.Same(t, first, found)
	first.Hangup("no longer needed")
	first.Hangup("again")
	require.Equal(t, voice.StateCompleted, first.View().State)
	l.place(number("+441632960201"), 0, voice.Program{})
}

// TestTranscriptSizeAndLengthAreLimited checks that a transcript ends at its limit of bytes or lines, and that nothing is added
// after that.
func TestTranscriptSizeAndLengthAreLimited(t *testing.T) {
	for _, text := range []string{strings.Repeat("x", 1000), "x"} {
		l := newLab(t, nil)
		say := voice.Say{Text: []string{text}, Loop: 1000}
		call := l.receive(l.caller(`[]`), voice.Program{Verbs: voice.Document{say, say, say}}, nil)
		l.clock.Run(100 * time.Hour)
		lines := call.View().Transcript
		require.Equal(t, voice.Line{AtMs: lines[len(lines)-1].AtMs, Party: voice.PartyPlatform, Kind: voice.LineSay, Text: text}, lines[len(lines)-1])
		if text == "x" {
			require.Len(t, lines, 2000)
			continue
		}
		require.Greater(t, len(lines)*len(text), 200<<10)
		require.Less(t, len(lines)*len(text), 300<<10)
	}
}

// TestHangupInEachStateOfACall checks the final state of a call that is hung up while it is placed, while it rings, and
// after the answer.
func TestHangupInEachStateOfACall(t *testing.T) {
	for _, row := range []struct {
		after time.Duration
		want  voice.State
	}{{0, voice.StateCanceled}, {time.Second, voice.StateCanceled}, {3 * time.Second, voice.StateCompleted}} {
		l := newLab(t, nil)
		l.phones["101"] = simline.Behaviour{Setup: 500 * time.Millisecond, AnswerAfter: time.Second}
		call := l.place(voice.Target{Extension: &voice.Extension{Extension: "101"}}, 0, voice.Program{Verbs: voice.Document{voice.Gather{}}})
		l.clock.Advance(row.after)
		call.Hangup("enough")
		view := call.View()
		require.Equal(t, row.want, view.State, "after %s", row.after)
		l.clock.Run(time.Hour)
		require.Zero(t, l.clock.Pending())
	}
}

// TestTurnLimitAppliesToTheWholeFlow checks that the limit of turns applies to a whole call, even if its flow has many hooks.
func TestTurnLimitAppliesToTheWholeFlow(t *testing.T) {
	l := newLab(t, nil)
	turns := 0
	ask := &voice.Program{Turn: func(_ context.Context, r voice.TurnRequest) (voice.Document, error) {
		if r.Action != voice.ActionHangup {
			turns++
		}
		return voice.Document{voice.Dial{Action: "again", Targets: []voice.Target{number("+999")}}}[:r.Number%2], nil
	}}
	failed := false
	next := func(_ context.Context, _ voice.Info, ended voice.Ended) *voice.Program {
		failed = ended.Outcome == voice.OutcomeError
		return ask
	}
	l.receive(l.caller(`[]`), *ask, next)
	l.clock.Run(time.Hour)
	require.Equal(t, voice.MaxTurns, turns)
	require.True(t, failed)
}

// TestEndlessFlowIsStopped checks that a flow without an end is stopped after MaxPrograms programs.
func TestEndlessFlowIsStopped(t *testing.T) {
	l := newLab(t, nil)
	programs := 0
	next := func(context.Context, voice.Info, voice.Ended) *voice.Program {
		programs++
		return &voice.Program{Verbs: voice.Document{}}
	}
	l.receive(l.caller(`[]`), voice.Program{Verbs: voice.Document{}}, next)
	l.clock.Run(time.Hour)
	require.Equal(t, voice.MaxPrograms-1, programs)
	require.Empty(t, l.engine.Calls())
}

func TestCallTimeLimit(t *testing.T) {
	l := newLab(t, func(o *voice.Options) { o.MaxCallTime = time.Minute })
	call := l.receive(l.caller(`[]`), voice.Program{Verbs: voice.Document{voice.Say{Text: []string{"On and on."}, Loop: 1000}}}, nil)
	require.Equal(t, time.Minute, l.clock.Run(time.Hour))
	require.Equal(t, voice.StateCompleted, call.View().State)
}

// TestEngineRecoversFromPanics checks that the engine recovers from a panic in any function or service of its options, and ends the
// call.
func TestEngineRecoversFromPanics(t *testing.T) {
	var log strings.Builder
	no := func() { panic("no") }
	l := newLab(t, func(o *voice.Options) {
		o.Logger = slog.New(slog.NewTextHandler(&log, nil))
		o.Events = func(voice.Event) { no() }
		o.Heard = func(voice.Info, voice.Line) { no() }
		o.CallerID = func(voice.Info, string) string { no(); return "" }
		o.Route = func(voice.Info, voice.Target) ([]voice.Route, error) { no(); return nil, nil }
		o.Fetch = func(context.Context, voice.Info, string) (voice.Audio, error) { no(); return voice.Audio{}, nil }
		o.Synthesizer, o.Recogniser = panicking{}, panicking{}
	})
	document := parsed(t, `[{"say":{"text":"a"}},{"play":{"url":"http://a.example/b"}},{"gather":{"input":["speech"]}},{"dial":{"targets":[{"device":{"id":"d"}}]}}]`)
	ended := false
	_, err := l.engine.Receive(voice.Incoming{
		Leg: l.caller(`[{"wait":"1s"},{"say":"hello"}]`).Leg(), Program: voice.Program{Verbs: document},
		Next: func(context.Context, voice.Info, voice.Ended) *voice.Program { no(); return nil },
		Done: func(voice.Result) { ended = true; no() },
	})
	require.NoError(t, err)
	l.clock.Run(time.Hour)
	require.True(t, ended)
	require.Empty(t, l.engine.Calls())
	require.Contains(t, log.String(), "panic=no")
}

type panicking struct{}

func (panicking) Knows(string) bool { panic("no") }

func (panicking) Synthesize(context.Context, string, string) (voice.Audio, error) { panic("no") }

func (panicking) Recognise(context.Context, []voice.Utterance, voice.Grammar) (voice.Recognition, error) {
	panic("no")
}

// brokenLeg panics in Answer, and in the Hangup that follows.
type brokenLeg struct{ voice.Leg }

func (brokenLeg) Answer() { panic("no") }

func (brokenLeg) Hangup(voice.Cause, string) { panic("no") }

func TestPanickingLegFailsTheCall(t *testing.T) {
	l := newLab(t, nil)
	call, err := l.engine.Receive(voice.Incoming{Leg: brokenLeg{l.caller(`[]`).Leg()}, Program: voice.Program{Verbs: voice.Document{voice.Gather{}}}})
	require.NoError(t, err)
	require.Equal(t, voice.StateFailed, call.View().State)
	require.Empty(t, l.engine.Calls())
}

// deaf is a recogniser that always fails.
type deaf struct{ voice.Words }

func (deaf) Recognise(context.Context, []voice.Utterance, voice.Grammar) (voice.Recognition, error) {
	return voice.Recognition{}, errors.New("the recogniser is away")
}

func TestFailingRecogniserIsReported(t *testing.T) {
	l := newLab(t, func(o *voice.Options) { o.Recogniser = deaf{} })
	l.receive(l.caller(`[{"say":"the station"}]`), voice.Program{Turn: l.turns(`[{"gather":{"input":["speech"]}}]`)}, nil)
	l.golden("deaf-recogniser")
}

// slow takes three seconds to recognise anything. It counts the recognitions whose start was cancelled while they
// ran.
type slow struct {
	voice.Words

	cut *int
}

func (s slow) Start(ctx context.Context, _ voice.Grammar) voice.Recogniser { return started{s, ctx} }

// started is the recogniser that slow returns from Start.
type started struct {
	slow

	until context.Context
}

func (s started) Recognise(ctx context.Context, speech []voice.Utterance, grammar voice.Grammar) (voice.Recognition, error) {
	defer context.AfterFunc(s.until, func() {
		if ctx.Err() == nil {
			*s.cut++
		}
	})()
	return s.slow.Recognise(ctx, speech, grammar)
}

func (s slow) Recognise(ctx context.Context, speech []voice.Utterance, grammar voice.Grammar) (voice.Recognition, error) {
	time.Sleep(3 * time.Second)
	return s.Words.Recognise(ctx, speech, grammar)
}

// TestGatherWaitsForTheRecogniser checks that a gather waits for the recogniser, starts again with all words when the caller has
// said more meanwhile, and does not cancel a recognition when the caller starts to speak again.
func TestGatherWaitsForTheRecogniser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := voice.NewWall(time.Now, 1)
		began := time.Now()
		var got string
		var took time.Duration
		var cut int
		engine := voice.New(voice.Options{Clock: clock, NewID: counter(), Recogniser: slow{cut: &cut}})
		turn := func(_ context.Context, r voice.TurnRequest) (voice.Document, error) {
			switch r.Reason {
			case voice.ReasonStart:
				return voice.Document{voice.Gather{Input: []voice.Input{voice.InputSpeech}}}, nil
			case voice.ReasonSpeech:
				got, took = r.Speech, time.Since(began)
			}
			return nil, nil
		}
		phone := simline.NewCaller(clock, nil)
		_, err := engine.Receive(voice.Incoming{Leg: phone.Leg(), Program: voice.Program{Turn: turn}})
		require.NoError(t, err)
		time.Sleep(time.Second)
		phone.Say("the station") // until 1.8 s; the silence after it ends at 2.8 s
		time.Sleep(2 * time.Second)
		phone.Say("no the airport") // from 3 s to 4.2 s
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, "the station no the airport", got)
		require.Equal(t, 7200*time.Millisecond, took)
		require.Zero(t, cut)
		require.NoError(t, engine.Close(t.Context()))
	})
}
