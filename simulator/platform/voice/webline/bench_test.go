package webline_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/soundline"
	"github.com/cabrank/cabrank/simulator/platform/voice/webline"
)

// nobody is a speaker that is never asked.
type nobody struct{}

func (nobody) Speak(context.Context, string, string, int, func([]int16) error) error { return nil }

// BenchmarkSilence is what a frame of a silent microphone costs, that of the browser's side over TCP included:
// core-% is the share of a core for a caller, who sends 50 of them a second.
func BenchmarkSilence(b *testing.B) {
	clock := voice.NewVirtual(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	pressed := make(chan bool)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		line, err := webline.Accept(w, r, clock, "c1")
		if err != nil {
			return
		}
		leg := line.Leg(soundline.New(line, soundline.Options{Clock: clock, Speaker: nobody{}, Lost: -1}), nil)
		leg.Start(func(ev voice.LegEvent) {
			if ev.Kind == voice.LegKey {
				pressed <- true
			}
		})
		leg.Answer()
		line.Serve()
	}))
	defer server.Close()
	conn, _, err := websocket.Dial(b.Context(), server.URL, nil) //nolint:bodyclose // there is none once it is a WebSocket
	require.NoError(b, err)
	defer func() { _ = conn.CloseNow() }()
	frame := make([]byte, 640)
	b.ReportAllocs()
	for sent := 0; b.Loop(); sent++ {
		if sent%200 == 0 { // the server is never further behind than that
			require.NoError(b, conn.Write(b.Context(), websocket.MessageText, []byte(`{"key": "1"}`)))
			<-pressed
		}
		clock.Advance(20 * time.Millisecond)
		require.NoError(b, conn.Write(b.Context(), websocket.MessageBinary, frame))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)*50/1e9*100, "core-%")
}
