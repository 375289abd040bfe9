package simapi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// TestStoriesMaskDialledNumbers checks that the story of a call masks the dialled numbers and caller ids in verbs and
// results, and leaves the originals unchanged.
func TestStoriesMaskDialledNumbers(t *testing.T) {
	said := voice.Document{voice.Dial{CallerID: "+442079460020", Targets: []voice.Target{{PhoneNumber: &voice.PhoneNumber{Number: "+442079460021"}}}}}
	require.JSONEq(t, `[{"dial":{"callerId":"+*********020","targets":[{"phoneNumber":{"number":"+*********021"}}]}}]`, string(shownVerbs(said)))
	require.Equal(t, "+442079460020", said[0].(voice.Dial).CallerID)

	s := Stories{}
	dialled := voice.DialResult{CallID: "c", To: "+442079460021", From: "+442079460020"}
	s.Turned(calls.Turned{Call: "a", Request: voice.TurnRequest{Dial: &dialled}})
	shown := s.view(s.find("a")).Turns[0].Dial
	require.Equal(t, []string{"+*********021", "+*********020"}, []string{shown.To, shown.From})
	require.Equal(t, "+442079460021", dialled.To, "the turn itself is told all")
	require.Equal(t, "+*********123", shownDial(&voice.DialResult{To: "+44 7700 900 123"}).To)
}
