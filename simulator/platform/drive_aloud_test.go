package platform_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/booking/robot"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// TestDrivingAloud books a taxi by a drive whose words go by sound, to and from programs of this
// machine.
func TestDrivingAloud(t *testing.T) {
	t.Parallel()
	speaker, listener := programs(t)
	d := dispatchtest.New(t, dispatchtest.Options{World: simulator.Options{Start: time.Now()}})
	h, _ := seeded(t, "", func(o *platform.Options) {
		o.Now, o.Line, o.Work = time.Now, voice.NewWall(time.Now, 1), voice.NewWall(time.Now, 1)
		o.Speaker, o.Recogniser = inOneVoice{speaker}, speech.Recogniser{Listener: listener}
	})
	require.NoError(t, h.platform.UseThirdParty(t.Context(), platform.ThirdParty{URL: d.URL()}))
	hall, err := json.Marshal(d.Place("Town Hall"))
	require.NoError(t, err)
	station, err := json.Marshal(d.Place("station"))
	require.NoError(t, err)
	a := h.send(http.MethodPost, "/sim/v1/drive?aloud=true", `{"from":"442079460022","want":"book","pickup":`+string(hall)+`,"dropoffs":[`+string(station)+`]}`,
		"Content-Type", "application/json")
	require.Equal(t, http.StatusOK, a.status, "%s", a.body)
	got := decoded[robot.Result](t, a)
	require.Equal(t, robot.Completed, got.Outcome, "%+v", got)
	j := d.Latest()
	require.NotNil(t, j, "%+v", got)
	require.Equal(t, d.Place("Town Hall").Address, j.Pickup.Address)

	story := decoded[simapi.StoryView](t, h.send(http.MethodGet, "/sim/v1/stories/"+h.calls()[0].ID, ""))
	require.True(t, story.Sound)
	require.True(t, slices.ContainsFunc(story.Turns, func(turn simapi.Turn) bool {
		return turn.Reason == voice.ReasonSpeech && strings.Contains(turn.Speech, "town hall")
	}), "%+v", story.Turns)
}

// inOneVoice speaks everything in one voice of flite.
type inOneVoice struct{ speech.Speaker }

func (v inOneVoice) Speak(ctx context.Context, text, _ string, rate int, deliver func([]int16) error) error {
	return v.Speaker.Speak(ctx, text, "rms", rate, deliver)
}

// TestDrivingAloudIsRefused: without programs, and for a value that is none.
func TestDrivingAloudIsRefused(t *testing.T) {
	h := newHouse(t)
	h.refused(h.send(http.MethodPost, "/sim/v1/drive?aloud=true", `{"want":"book"}`, "Content-Type", "application/json"), api.CodeUnavailable)
	p := h.refused(h.send(http.MethodPost, "/sim/v1/drive?aloud=loud", `{"want":"book"}`, "Content-Type", "application/json"), api.CodeValidation)
	require.Equal(t, []string{"/aloud"}, at(p))
}
