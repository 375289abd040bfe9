package soundline

import (
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// line is a leg over a wire.
type line struct {
	wire    Wire
	options Options

	mu     sync.Mutex
	report func(voice.LegEvent)
	over   bool
	peer   voice.Leg
	tap    func(at time.Time, pcm []int16)
}

var (
	_ voice.Leg = (*line)(nil)
	_ Far       = (*line)(nil)
)

func (l *line) Start(report func(voice.LegEvent)) {
	l.report = report
	l.wire.Start(l)
}

func (l *line) Ring()                                    { l.wire.Ring() }
func (l *line) Answer()                                  { l.wire.Answer() }
func (l *line) Play(voice.Prompt)                        {}
func (l *line) Stop()                                    {}
func (l *line) Hear(s voice.Sound)                       {}
func (l *line) Bridge(p voice.Leg)                       { l.peer = p }
func (l *line) Ringing()                                 { l.report(voice.LegEvent{Kind: voice.LegRinging}) }
func (l *line) EarlyMedia()                              { l.report(voice.LegEvent{Kind: voice.LegEarlyMedia}) }
func (l *line) Answered()                                { l.report(voice.LegEvent{Kind: voice.LegAnswered}) }
func (l *line) Key(k byte)                               { l.report(voice.LegEvent{Kind: voice.LegKey, Key: k}) }
func (l *line) Frame(at time.Time, pcm []int16)          {}
func (l *line) Tap(sink func(at time.Time, pcm []int16)) { l.tap = sink }

func (l *line) Ended(cause voice.Cause, reason string) {
	l.report(voice.LegEvent{Kind: voice.LegEnded, Cause: cause, Reason: reason})
}

func (l *line) Hangup(cause voice.Cause, reason string) { l.wire.Hangup(cause, reason) }
