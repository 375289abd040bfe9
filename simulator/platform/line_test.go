package platform_test

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// hum is a speaker that hums two seconds for each sentence.
type hum struct{}

func (hum) Speak(_ context.Context, _, _ string, rate int, deliver func([]int16) error) error {
	pcm := make([]int16, 2*rate)
	for i := range pcm {
		pcm[i] = int16(8000 * (i%2*2 - 1))
	}
	return deliver(pcm)
}

func withHum(o *platform.Options) { o.Speaker = hum{} }

// browser is a web page that makes a call with its microphone.
type browser struct {
	h    *house
	conn *websocket.Conn
	call string
}

func (h *house) browser(query string) *browser {
	h.t.Helper()
	conn, _, err := websocket.Dial(h.t.Context(), "ws"+strings.TrimPrefix(h.url, "http")+"/sim/v1/lines?"+query, nil) //nolint:bodyclose // there is none once it is a WebSocket
	require.NoError(h.t, err)
	h.t.Cleanup(func() { _ = conn.CloseNow() })
	b := &browser{h: h, conn: conn}
	b.call = strings.TrimSuffix(strings.TrimPrefix(b.read(), `{"call":"`), `"}`)
	return b
}

// read returns the next text message, or "sound" for a binary one.
func (b *browser) read() string {
	b.h.t.Helper()
	kind, body, err := b.conn.Read(b.h.t.Context())
	require.NoError(b.h.t, err)
	if kind == websocket.MessageBinary {
		require.Len(b.h.t, body, 640)
		return "sound"
	}
	return string(body)
}

func (b *browser) writes(text string) {
	b.h.t.Helper()
	require.NoError(b.h.t, b.conn.Write(b.h.t.Context(), websocket.MessageText, []byte(text)))
}

// unsure is a recogniser that returns two readings of everything.
type unsure struct{}

func (unsure) Recognise(context.Context, []voice.Utterance, voice.Grammar) (voice.Recognition, error) {
	return voice.Recognition{Text: "town hall", Confidence: 0.8, Complete: true, Alternatives: []voice.Alternative{{Text: "down hall", Confidence: 0.1}}}, nil
}

// TestStoryShowsSpeechAndAlternatives checks that the story of a call shows while the caller is speaking, and afterwards what was
// understood, with its alternatives.
func TestStoryShowsSpeechAndAlternatives(t *testing.T) {
	h := newHouse(t, withHum, func(o *platform.Options) { o.Recogniser = unsure{} })
	asked := make(chan string, 10)
	h.route(h.asks(func(turn string) (int, string) {
		asked <- turn
		return http.StatusOK, `[{"gather":{"input":["speech"]}}]`
	}))
	b := h.browser("from=" + caller + "&to=" + h.credentials.Accounts[0].DDIs[0].Name)
	require.JSONEq(t, `{"state": "ringing"}`, b.read())
	h.pass(time.Millisecond)
	require.JSONEq(t, `{"state": "answered"}`, b.read())
	<-asked
	story := func() simapi.StoryView {
		return decoded[simapi.StoryView](t, h.send(http.MethodGet, "/sim/v1/stories/"+b.call, ""))
	}
	require.False(t, story().Hearing)
	speaks := bytes.Repeat([]byte{0, 32, 0, 224}, 160)
	for range 10 {
		require.NoError(t, b.conn.Write(t.Context(), websocket.MessageBinary, make([]byte, 640)))
	}
	for range 20 {
		require.NoError(t, b.conn.Write(t.Context(), websocket.MessageBinary, speaks))
	}
	require.JSONEq(t, `{"hearing": true}`, b.read())
	require.True(t, story().Hearing)
	for range 40 {
		require.NoError(t, b.conn.Write(t.Context(), websocket.MessageBinary, make([]byte, 640)))
	}
	require.JSONEq(t, `{"hearing": false}`, b.read())
	require.Eventually(t, func() bool {
		h.pass(100 * time.Millisecond)
		return len(story().Turns) == 2
	}, time.Minute, time.Millisecond, "the caller is not understood")
	understood := story().Turns[1]
	require.Equal(t, "town hall", understood.Speech)
	require.InDelta(t, 0.8, understood.Confidence, 0.001)
	require.Equal(t, []voice.Alternative{{Text: "down hall", Confidence: 0.1}}, understood.Alternatives)
	b.writes(`{"hangup": true}`)
	_, _, err := b.conn.Read(t.Context())
	require.Error(t, err)
	require.Eventually(t, func() bool { return !story().Hearing }, time.Minute, time.Millisecond, "the caller is heard still")
}

// TestSpeechProgramInstalledLaterIsFound checks that a speech program that is installed while the platform runs is
// found at the next request.
func TestSpeechProgramInstalledLaterIsFound(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	h := newHouse(t, func(o *platform.Options) {
		o.Speaker, o.Recogniser = speech.SeekSpeaker(nil), speech.Recogniser{Listener: speech.SeekListener(nil)}
	})
	sound := func() string { return string(h.send(http.MethodGet, "/sim/v1/sound", "").body) }
	require.JSONEq(t, `{"speaks": false, "understands": false}`, sound())
	h.refused(h.send(http.MethodGet, "/sim/v1/lines?to=taxi", ""), api.CodeNotFound)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "espeak-ng"), []byte("#!/bin/sh\n"), 0o700)) //nolint:gosec // it is a program
	require.JSONEq(t, `{"speaks": true, "understands": false}`, sound())
	h.refused(h.send(http.MethodGet, "/sim/v1/lines", ""), api.CodeValidation)
}

// TestLinesAreRefused checks that a line is refused without a speech program, on a clock that is faster than the wall
// clock, without a number or with a wrong one.
func TestLinesAreRefused(t *testing.T) {
	silent, heard := newHouse(t), newHouse(t, withHum)
	fast := newHouse(t, withHum, func(o *platform.Options) { o.Line = voice.NewWall(time.Now, 10) })
	for _, h := range []*house{silent, fast} {
		require.JSONEq(t, `{"speaks": false, "understands": false}`, string(h.send(http.MethodGet, "/sim/v1/sound", "").body))
		h.refused(h.send(http.MethodGet, "/sim/v1/lines?to=taxi", ""), api.CodeNotFound)
	}
	require.JSONEq(t, `{"speaks": true, "understands": false}`, string(heard.send(http.MethodGet, "/sim/v1/sound", "").body))
	heard.refused(heard.send(http.MethodGet, "/sim/v1/lines", ""), api.CodeValidation)
	heard.refused(heard.send(http.MethodGet, "/sim/v1/lines?to=taxi&from=x", ""), api.CodeValidation)
	b := heard.browser("to=441632960999")
	require.JSONEq(t, `{"refused": "404 not_found: +*********999 is no number of this platform"}`, b.read(), "no number of the platform")
}
