package platform

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// TestAStoryShowsNoNumbers of those who are dialled, and of whoever they see calling.
func TestAStoryShowsNoNumbers(t *testing.T) {
	said := voice.Document{voice.Dial{CallerID: "+442079460020", Targets: []voice.Target{{PhoneNumber: &voice.PhoneNumber{Number: "+442079460021"}}}}}
	require.JSONEq(t, `[{"dial":{"callerId":"+*********020","targets":[{"phoneNumber":{"number":"+*********021"}}]}}]`, string(shownVerbs(said)))
	require.Equal(t, "+442079460020", said[0].(voice.Dial).CallerID)
}
