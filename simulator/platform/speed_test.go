package platform_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// TestHookTimeoutIsInRealTime checks that a flow hook has its ten seconds of real time to answer, even if calls run a
// thousand times as fast as the wall clock.
func TestHookTimeoutIsInRealTime(t *testing.T) {
	line := voice.NewWall(time.Now, 1000)
	h := newHouse(t, func(o *platform.Options) { o.Line = line })
	h.route(h.asks(func(string) (int, string) {
		minute := make(chan struct{})
		line.AfterFunc(time.Minute, func() { close(minute) })
		<-minute
		return http.StatusOK, `[{"say":{"text":["At last."]}}]`
	}))
	phone := h.dial(`[{"expect":"at last"}]`)
	var view simapi.PhoneView
	require.Eventually(t, func() bool { view = h.phone(phone); return view.Call != nil && view.Script == "done" }, time.Minute, 5*time.Millisecond, "the call goes on")
	require.Equal(t, []string{"At last."}, said(*view.Call))
	for _, l := range view.Call.Transcript {
		require.NotEqual(t, voice.ToneComfort, l.Text, "nobody waited by the wall")
	}
}
