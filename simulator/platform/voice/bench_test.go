package voice_test

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/simline"
)

func newIDs(n *atomic.Int64) func() string {
	return func() string { return "call-" + time.Duration(n.Add(1)).String() }
}

// talker is a caller who presses 1 whenever a prompt has been heard.
func talker(clock voice.Clock) *simline.Phone {
	var phone *simline.Phone
	phone = simline.NewCaller(clock, func(h simline.Happening) {
		if h.Kind == simline.Silence {
			phone.Press("1")
		}
	})
	return phone
}

// chat asks for a key so many times.
func chat(turns int) voice.Turn {
	question := voice.Document{voice.Gather{Verbs: voice.Document{voice.Say{Text: []string{"For a taxi from the station, press 1."}}}}}
	return func(_ context.Context, r voice.TurnRequest) (voice.Document, error) {
		if r.Number > turns || r.Action == voice.ActionHangup {
			return voice.Document{}, nil
		}
		return question, nil
	}
}

// BenchmarkTenThousandCalls keeps 10,000 calls talking for ten seconds of the wall:
// each hears a prompt and presses a key every three seconds or so.
func BenchmarkTenThousandCalls(b *testing.B) {
	const calls, seconds = 10000, 10
	for b.Loop() {
		clock := voice.NewWall(time.Now, 1)
		var n, events atomic.Int64
		engine := voice.New(voice.Options{Clock: clock, NewID: newIDs(&n), MaxCalls: calls, Events: func(voice.Event) { events.Add(1) }})
		began, cpu := time.Now(), processor()
		for i := range calls {
			time.Sleep(time.Until(began.Add(time.Duration(i) * 2 * time.Second / calls)))
			_, err := engine.Receive(voice.Incoming{Leg: talker(clock).Leg(), Program: voice.Program{Turn: chat(voice.MaxTurns)}})
			require.NoError(b, err)
		}
		time.Sleep(time.Until(began.Add(seconds * time.Second)))
		up := len(engine.Calls())
		b.ReportMetric(float64(processor()-cpu)/float64(time.Since(began)), "cores")
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.Sys)/(1<<20), "MiB")
		b.ReportMetric(float64(events.Load())/seconds, "events/s")
		require.Equal(b, calls, up)
		require.NoError(b, engine.Close(b.Context()))
	}
}

// processor is the time that this process has spent on the processors.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkSetUp takes 500 calls a second for five seconds, and measures the time
// from each one's arrival to its first prompt.
func BenchmarkSetUp(b *testing.B) {
	const rate, calls = 500, 2500
	for b.Loop() {
		clock := voice.NewWall(time.Now, 1)
		var n atomic.Int64
		engine := voice.New(voice.Options{Clock: clock, NewID: newIDs(&n), MaxCalls: calls})
		var mu sync.Mutex
		var took []time.Duration
		began := time.Now()
		for i := range calls {
			time.Sleep(time.Until(began.Add(time.Duration(i) * time.Second / rate)))
			arrived := time.Now()
			var once sync.Once
			phone := simline.NewCaller(clock, func(h simline.Happening) {
				if h.Kind == simline.Heard {
					once.Do(func() {
						mu.Lock()
						took = append(took, time.Since(arrived))
						mu.Unlock()
					})
				}
			})
			_, err := engine.Receive(voice.Incoming{Leg: phone.Leg(), Program: voice.Program{Turn: chat(1)}})
			require.NoError(b, err)
		}
		time.Sleep(200 * time.Millisecond)
		mu.Lock()
		require.Len(b, took, calls)
		slices.Sort(took)
		b.ReportMetric(float64(took[calls/2].Microseconds()), "p50-µs")
		b.ReportMetric(float64(took[calls*99/100].Microseconds()), "p99-µs")
		mu.Unlock()
		require.NoError(b, engine.Close(b.Context()))
	}
}
