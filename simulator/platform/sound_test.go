package platform_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// wav returns a WAV file of silence.
func wav(seconds int) []byte {
	return speech.Wave(make([]int16, seconds*voice.SampleRate), voice.SampleRate)
}

// files serves sound files, and paths that are not sound files, and records the requested paths.
func files(t *testing.T) (url string, asked *[]string) {
	t.Helper()
	asked = &[]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.URL.Path)
		switch r.URL.Path {
		case "/three-seconds.wav":
			_, _ = w.Write(wav(3))
		case "/moved":
			http.Redirect(w, r, "/three-seconds.wav", http.StatusFound)
		case "/text":
			_, _ = w.Write([]byte("no sound"))
		case "/long":
			_, _ = w.Write(append(wav(1), make([]byte, voice.MaxAudioBytes)...))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

// played places a call that plays a file and then says goodbye. It returns the event of the verb play, and the
// seconds between the answer and the goodbye.
func (h *house) played(events *thirdParty, url string) (outcome, detail string, seconds float64) {
	h.t.Helper()
	id := h.placed(strings.Replace(minimal, `{"say":{"text":["Hello."]}}`, `{"play":{"url":"`+url+`"}},{"say":{"text":["Goodbye."]}}`, 1))
	h.pass(time.Minute)
	call := h.call(id)
	require.Equal(h.t, []string{"Goodbye."}, said(call), "a file that is not to be had does not end the call")
	var answered, goodbye int64
	for _, line := range call.Transcript {
		switch line.Kind {
		case voice.LineAnswer:
			answered = line.AtMs
		case voice.LineSay:
			goodbye = line.AtMs
		}
	}
	for _, body := range events.bodies() {
		var e struct {
			Type string
			Data struct{ CallID, Verb, Outcome, Detail string }
		}
		require.NoError(h.t, json.Unmarshal([]byte(body), &e))
		if e.Type == string(voice.EventVerb) && e.Data.CallID == id && e.Data.Verb == voice.VerbPlay {
			outcome, detail = e.Data.Outcome, e.Data.Detail
		}
	}
	return outcome, detail, float64(goodbye-answered) / 1000
}

// TestPlayVerbPlaysWAVFiles checks that the verb play plays a WAV file from the web, and fails without ending the call for a redirect,
// a file that is not WAV, one that is too long and a missing one.
func TestPlayVerbPlaysWAVFiles(t *testing.T) {
	h := newHouse(t)
	events := h.events()
	url, asked := files(t)
	outcome, detail, seconds := h.played(events, url+"/three-seconds.wav")
	require.Equal(t, "completed", outcome, detail)
	require.InDelta(t, 3, seconds, 0.1)
	for path, why := range map[string]string{
		"/moved": "302", "/text": "not WAV", "/long": "longer than 10485760 bytes", "/nothing": "404",
	} {
		outcome, detail, seconds = h.played(events, url+path)
		require.Equal(t, "failed", outcome, path)
		require.Contains(t, detail, why, path)
		require.Zero(t, seconds, path)
	}
	require.Len(t, *asked, 5, "the redirect was not followed")
}

// TestSoundDownloadsPerAccountAreLimited checks that at most two of 20 calls of an account fetch a sound file at a time, and
// that each call goes on after the eleven minutes of the file.
func TestSoundDownloadsPerAccountAreLimited(t *testing.T) {
	h := newHouse(t)
	file := wav(11*60 - 5)
	var fetching, most, all atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		now := fetching.Add(1)
		defer fetching.Add(-1)
		all.Add(1)
		for before := most.Load(); now > before && !most.CompareAndSwap(before, now); before = most.Load() {
		}
		_, _ = w.Write(file)
	}))
	t.Cleanup(server.Close)
	var ids []string
	for range 20 {
		ids = append(ids, h.placed(strings.Replace(minimal, `{"say":{"text":["Hello."]}}`, `{"play":{"url":"`+server.URL+`"}},{"say":{"text":["Goodbye."]}}`, 1)))
	}
	h.pass(12 * time.Minute)
	require.EqualValues(t, 20, all.Load())
	require.LessOrEqual(t, most.Load(), int32(2))
	for _, id := range ids {
		lines := h.call(id).Transcript
		require.Equal(t, []string{"Goodbye."}, said(h.call(id)))
		require.InDelta(t, 11*60, float64(lines[len(lines)-2].AtMs)/1000, 20)
	}
}
