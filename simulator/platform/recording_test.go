package platform_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// TestRecordingsAreAnnouncedAndServed checks that a dial is recorded, that an event contains the URL of the recording, that only permitted
// users can fetch it, and that it is removed when it has expired.
func TestRecordingsAreAnnouncedAndServed(t *testing.T) {
	folder := t.TempDir()
	h := newHouse(t, func(o *platform.Options) {
		o.Recordings, o.ControlToken = folder, "sesame"
		o.BaseURL = func() string { return "https://platform.example" }
	})
	third := h.events()
	h.placed(`{"target":{"phoneNumber":{"number":"+442079460001"}},"verbs":[{"dial":{"timeLimit":60,"record":{},` +
		`"targets":[{"phoneNumber":{"number":"+442079460002"}}]}}]}`)
	h.pass(5 * time.Minute)
	var told struct {
		Data struct {
			URL              string
			ExpiresAt        time.Time
			RecordedDuration float64
		}
	}
	for _, body := range third.bodies() {
		if strings.Contains(body, `"recording.completed"`) {
			require.NoError(t, json.Unmarshal([]byte(body), &told))
		}
	}
	id := strings.TrimPrefix(told.Data.URL, "https://platform.example/sim/v1/recordings/")
	require.Regexp(t, "^[0-9a-f]{24}$", id)
	require.True(t, told.Data.ExpiresAt.After(h.line.Now()))

	path := "/sim/v1/recordings/" + id
	for _, headers := range [][]string{
		{simapi.ControlHeader, "sesame"},
		{"Authorization", "Bearer " + h.login("recorder").AccessToken},
		{"Authorization", "Bearer " + h.login("admin").AccessToken},
	} {
		a := h.send(http.MethodGet, path, "", headers...)
		require.Equal(t, http.StatusOK, a.status, "%s", a.body)
		require.Equal(t, "RIFF", string(a.body[:4]))
	}
	h.refused(h.send(http.MethodGet, path, ""), api.CodeUnauthenticated)
	h.refused(h.send(http.MethodGet, path, "", "Authorization", "Bearer "+h.login("voice").AccessToken), api.CodeRole)
	for _, other := range []string{strings.Repeat("0", 24), "..%2f..%2fetc%2fpasswd", "x"} {
		h.refused(h.send(http.MethodGet, "/sim/v1/recordings/"+other, "", simapi.ControlHeader, "sesame"), api.CodeNotFound)
	}

	file := filepath.Join(folder, id+".wav")
	long := h.line.Now().AddDate(0, -2, 0)
	require.NoError(t, os.Chtimes(file, long, long))
	h.pass(time.Hour)
	require.NoFileExists(t, file, "it was kept long enough")
}

// TestRecordingsExpireInRealTime checks that recordings expire by the wall clock, not by the clock of the calls,
// which is a year ahead here.
func TestRecordingsExpireInRealTime(t *testing.T) {
	line := voice.NewVirtual(morning.AddDate(1, 0, 0))
	h := newHouse(t, func(o *platform.Options) {
		o.Line, o.Recordings, o.BaseURL = line, t.TempDir(), func() string { return "https://platform.example" }
	})
	third := h.events()
	h.placed(`{"target":{"phoneNumber":{"number":"+442079460001"}},"verbs":[{"dial":{"timeLimit":60,"record":{},` +
		`"targets":[{"phoneNumber":{"number":"+442079460002"}}]}}]}`)
	line.Advance(5 * time.Minute)
	h.pass(time.Minute)
	all := strings.Join(third.bodies(), "\n")
	require.Contains(t, all, `"expiresAt":"`+morning.Add(calls.RecordingsKept).Format(time.RFC3339)+`"`)
}

// TestPrivateHookAddressesAreRefused checks that, unless private hooks are allowed, a flow hook on this machine is
// refused and logged with the option that would allow it, and that a sound file on this machine is not fetched.
func TestPrivateHookAddressesAreRefused(t *testing.T) {
	var log bytes.Buffer
	h := newHouse(t, func(o *platform.Options) {
		o.PrivateHooks, o.Log = false, slog.New(slog.NewTextHandler(&log, nil))
	})
	h.route(h.asks(nil))
	h.dial("")
	h.pass(time.Minute)
	url, asked := files(t)
	_, _, seconds := h.played(&thirdParty{}, url+"/three-seconds.wav")
	require.Zero(t, seconds)
	require.Empty(t, *asked)
	require.Contains(t, log.String(), `msg="a flow hook failed"`)
	require.Contains(t, log.String(), "--allow-private-hooks allows")
	require.NotContains(t, log.String(), "http://")
}
