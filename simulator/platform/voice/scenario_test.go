package voice_test

import (
	"context"
	"testing"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/simline"
)

const menu = `[{"gather":{"action":"menu","verbs":[{"say":{"text":["Hello. For a taxi, press 1.","For a person, press 0."]}}]}}]`

// TestIncomingCallScenarios checks scenarios of incoming calls against golden files: the turns of the hook, what the caller does,
// the events and the transcript.
func TestIncomingCallScenarios(t *testing.T) {
	for _, row := range []struct {
		name   string
		turns  []string
		script string
	}{
		{"say-and-done", []string{`[{"say":{"text":["One two three.","Four."],"loop":2}}]`}, `[]`},
		{"nothing-to-do", []string{`[]`}, `[]`},
		{"menu-key", []string{menu, `[{"say":{"text":"One."}}]`}, `[{"expect":"press 1"},{"press":"1"}]`},
		{"menu-silence", []string{menu, `[]`}, `[]`},
		{"menu-hangup", []string{menu}, `[{"expect":"hello"},{"hangup":true}]`},
		{"no-barge-in", []string{`[{"gather":{"bargeIn":false,"maxDigits":4,"say":{"text":"This has to be heard by everybody."}}}]`}, `[{"press":"12#"}]`},
		{
			"finish-key",
			[]string{`[{"gather":{"maxDigits":4}}]`, `[{"gather":{"maxDigits":4,"finishOnKey":""}}]`, `[{"gather":{"minDigits":3,"maxDigits":4}}]`},
			`[{"press":"12#"},{"wait":"1s"},{"press":"1#23"},{"wait":"1s"},{"press":"7#"}]`,
		},
		{
			"digits-time-out",
			[]string{`[{"gather":{"minDigits":2,"maxDigits":4,"timeout":5,"interDigitTimeout":2}}]`, `[{"gather":{"minDigits":2,"maxDigits":4,"timeout":5}}]`},
			`[{"press":"12"},{"wait":"3s"},{"press":"1"}]`,
		},
		{
			"speech",
			[]string{`[{"gather":{"input":["speech"],"say":{"text":"Where would you like to go today?"}}}]`, `[{"gather":{"input":["speech","digits"],"hints":"yes,no"}}]`},
			`[{"expect":"where"},{"say":"the station"},{"wait":"500ms"},{"say":"please"},{"wait":"3s"},{"say":"YES"}]`,
		},
		{"speech-given-up", []string{`[{"gather":{"input":["speech","digits"],"numDigits":1}}]`}, `[{"say":"erm"},{"press":"2"}]`},
		{"reject", []string{`[{"reject":{}}]`}, `[]`},
		{"reject-busy", []string{`[{"reject":{"reason":"busy"}}]`}, `[]`},
		{"reject-too-late", []string{`[{"say":{"text":"Hello."}},{"reject":{"reason":"busy"}}]`}, `[]`},
		{"hangup-before-answer", []string{`[{"hangup":{"reason":"closed"}}]`}, `[]`},
		{"redirect", []string{`[{"redirect":{"url":"/b"}},{"say":{"text":"Never."}}]`, `[{"say":{"text":"There."}}]`}, `[]`},
		{"hook-fails", []string{"!"}, `[]`},
		{"hook-panics", []string{menu, "panic"}, `[{"press":"1"}]`},
		{"unknown-voice-and-recording", []string{`[{"say":{"text":"Hello.","voice":"Brian"}},{"say":{"text":"Hello.","voice":"en-GB-Standard-C"}},{"play":{"url":"http://a.example/b.wav"}}]`}, `[]`},
		{"dial-answered", []string{`[{"dial":{"targets":[{"phoneNumber":{"number":"+441632960201"}}]}},{"say":{"text":"They have gone."}}]`}, `[]`},
		{"dial-after-answer", []string{`[{"say":{"text":"One moment."}},{"dial":{"callerId":"+441632960000","action":"dialled","targets":[{"phoneNumber":{"number":"+441632960201"}}]}}]`, `[]`}, `[]`},
		{"dial-talk", []string{`[{"dial":{"targets":[{"phoneNumber":{"number":"+441632960202"}}]}}]`}, `[{"wait":"1s"},{"say":"I am at the station"},{"wait":"3s"},{"hangup":true}]`},
		{"dial-busy", []string{`[{"dial":{"targets":[{"phoneNumber":{"number":"+441632960203"}}]}}]`}, `[]`},
		{"dial-rejected", []string{`[{"dial":{"action":"d","targets":[{"phoneNumber":{"number":"+441632960204"}}]}}]`, `[{"say":{"text":"No."}}]`}, `[]`},
		{"dial-no-answer", []string{`[{"dial":{"timeout":5,"targets":[{"phoneNumber":{"number":"+441632960205"}}]}}]`}, `[]`},
		{"dial-unknown", []string{`[{"dial":{"targets":[{"phoneNumber":{"number":"+999"}}]}}]`}, `[]`},
		{"dial-given-up", []string{`[{"say":{"text":"Wait."}},{"dial":{"targets":[{"phoneNumber":{"number":"+441632960205"}}]}}]`}, `[{"wait":"3s"},{"hangup":true}]`},
		{"dial-time-limit", []string{`[{"dial":{"timeLimit":60,"targets":[{"phoneNumber":{"number":"+441632960206"}}]}},{"say":{"text":"Time is up."}}]`}, `[]`},
		{"dial-all", []string{`[{"dial":{"targets":[{"phoneNumber":{"number":"+441632960205"}},{"phoneNumber":{"number":"+441632960203"}},{"extension":{"extension":"101"}},{"phoneNumber":{"number":"+441632960201"}}]}}]`}, `[]`},
		{"dial-all-lost", []string{`[{"dial":{"timeout":6,"targets":[{"phoneNumber":{"number":"+441632960205"}},{"phoneNumber":{"number":"+441632960204"}},{"phoneNumber":{"number":"+441632960203"}}]}}]`}, `[]`},
		{"dial-second-route", []string{`[{"dial":{"targets":[{"device":{"id":"desk-second"}}]}}]`}, `[]`},
	} {
		t.Run(row.name, func(t *testing.T) {
			l := newLab(t, func(o *voice.Options) {
				o.CallerID = func(_ voice.Info, wanted string) string {
					if wanted == "" {
						return "+441632960000"
					}
					return wanted
				}
			})
			l.phones = map[string]simline.Behaviour{
				"+441632960201": l.person(2*time.Second, `[{"wait":"4s"},{"hangup":true}]`),
				"+441632960202": l.person(time.Second, `[{"expect":"station"},{"press":"5"},{"say":"coming"}]`),
				"+441632960203": {Setup: 100 * time.Millisecond, Refuse: 486},
				"+441632960204": {Setup: 100 * time.Millisecond, Refuse: 603},
				"+441632960205": {Setup: 100 * time.Millisecond, AnswerAfter: simline.Never},
				"+441632960206": l.person(time.Second, `[]`),
				"101":           l.person(time.Second, `[{"wait":"1s"},{"hangup":true}]`),
				"desk-second":   l.person(time.Second, `[{"wait":"1s"},{"hangup":true}]`),
			}
			l.receive(l.caller(row.script), voice.Program{Turn: l.turns(row.turns...)}, nil)
			l.golden(row.name)
		})
	}
}

// TestOutgoingCallScenarios checks scenarios of calls that the platform places against golden files.
func TestOutgoingCallScenarios(t *testing.T) {
	for _, row := range []struct {
		name   string
		target voice.Target
		phone  simline.Behaviour
		verbs  string
	}{
		{"out-say", number("+441632960201"), simline.Behaviour{Setup: 20 * time.Millisecond, AnswerAfter: time.Second}, `[{"say":{"text":"Your taxi is outside."}}]`},
		{"out-role", voice.Target{PhoneNumber: &voice.PhoneNumber{Number: "+441632960201"}, Role: "driver"}, simline.Behaviour{AnswerAfter: time.Second}, `[{"hangup":{"reason":"told"}}]`},
		{"out-busy", number("+441632960201"), simline.Behaviour{Refuse: 486}, `[]`},
		{"out-not-in-use", number("+441632960201"), simline.Behaviour{Refuse: 404}, `[]`},
		{"out-no-answer", number("+441632960201"), simline.Behaviour{AnswerAfter: simline.Never}, `[]`},
		{"out-dead", number("+441632960201"), simline.Behaviour{Dead: true}, `[]`},
		{"out-early-media", number("+441632960201"), simline.Behaviour{EarlyMedia: true, AnswerAfter: time.Second}, `[{"gather":{}},{"say":{"text":"Next."}},{"redirect":{"url":"/x"}}]`},
		{"out-no-route", number("+999"), simline.Behaviour{}, `[]`},
	} {
		t.Run(row.name, func(t *testing.T) {
			l := newLab(t, nil)
			l.phones["+441632960201"] = row.phone
			l.place(row.target, 10, voice.Program{Verbs: parsed(t, row.verbs)})
			l.golden(row.name)
		})
	}
}

// TestFlowRunsOneProgramAfterTheOther checks that a call continues from program to program, as a flow continues from device to device.
func TestFlowRunsOneProgramAfterTheOther(t *testing.T) {
	l := newLab(t, nil)
	l.phones["desk"] = simline.Behaviour{Setup: 100 * time.Millisecond, Refuse: 486}
	desk := voice.Document{voice.Dial{Targets: []voice.Target{{Device: &voice.Device{ID: "desk"}}}}}
	next := func(_ context.Context, _ voice.Info, ended voice.Ended) *voice.Program {
		l.note("next after %s", ended.Outcome)
		switch ended.Outcome {
		case voice.OutcomeBusy:
			return &voice.Program{Turn: l.turns(`[{"say":{"text":"Busy."}}]`, "!")}
		case voice.OutcomeComplete:
			return &voice.Program{Turn: l.turns("!")}
		}
		return nil
	}
	l.receive(l.caller(`[]`), voice.Program{Verbs: desk}, next)
	l.golden("flow")
}
