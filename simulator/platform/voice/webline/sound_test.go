package webline_test

import (
	"context"
	"encoding/binary"
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

// nobody is a speaker that is never used.
type nobody struct{}

func (nobody) Speak(context.Context, string, string, int, func([]int16) error) error { return nil }

// TestBurstsOfSoundLeaveNoGaps checks that speech that arrives in bursts, as over a busy network, is one utterance of
// the right length.
func TestBurstsOfSoundLeaveNoGaps(t *testing.T) {
	clock := voice.NewVirtual(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	keys, said := make(chan bool), make(chan time.Duration, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		line, err := webline.Accept(w, r, clock, "c1")
		if err != nil {
			return
		}
		leg := line.Leg(soundline.New(line, soundline.Options{Clock: clock, Speaker: nobody{}, Lost: -1}), nil)
		leg.Start(func(ev voice.LegEvent) {
			switch ev.Kind {
			case voice.LegKey:
				keys <- true
			case voice.LegSpeechEnded:
				said <- ev.Speech.Audio.Length
			}
		})
		leg.Answer()
		line.Serve()
	}))
	defer server.Close()
	conn, _, err := websocket.Dial(t.Context(), server.URL, nil) //nolint:bodyclose // there is none once it is a WebSocket
	require.NoError(t, err)
	defer func() { _ = conn.CloseNow() }()
	arrive := func(frames int, level int16) { // ten at a time
		frame := make([]byte, 640)
		for i := range 320 {
			binary.LittleEndian.PutUint16(frame[2*i:], uint16(level*int16(1-2*(i%2))))
		}
		for n := 0; n < frames; n += 10 {
			clock.Advance(200 * time.Millisecond)
			for range 10 {
				require.NoError(t, write(conn, websocket.MessageBinary, frame))
			}
			require.NoError(t, write(conn, websocket.MessageText, []byte(`{"key": "1"}`))) // by then they are heard
			<-keys
		}
	}
	arrive(50, 0)
	arrive(50, 8000) // a second
	arrive(50, 0)
	require.Len(t, said, 1, "one answer")
	require.InDelta(t, (1500 * time.Millisecond).Seconds(), (<-said).Seconds(), 0.1, "with the silence that is kept around it")
}
