package simapi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// FuzzReadDrive reads what a judge may ask a platform to do: what is taken is within its limits.
func FuzzReadDrive(f *testing.F) {
	for _, seed := range []string{
		`{"want":"book","from":"+442079460001","pickup":{"address":"1 Old Road","location":{"longitude":2,"latitude":54}},"dropoffs":[{"address":"b"}],"times":2}`,
		`{"want":"status","channel":"messaging","journeyId":"j/7","followSeconds":30,"settings":{"features":["voice"],"options":[],"skipDropOff":true}}`,
		`{"want":"edit","pickupTime":"2026-11-24T10:00:00+01:00","name":"Ann","vehicleCategory":"SALOON"}`, `{"withheld":true,"want":"cancel"}`,
		`{"times":1e9}`, `{"pickup":null,"dropoffs":[{}],"pickupTime":"soon"}`, `{"settings":[]}`, `[]`, `{"from":"\u0000"}`, "\xff",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		o, errs, err := api.Body(body)
		if err != nil {
			return
		}
		d := readDrive(o, errs)
		o.Done()
		if errs.Err() != nil {
			return
		}
		require.Contains(t, []taxi.Feature{taxi.FeatureVoice, booking.FeatureMessaging}, d.channel)
		require.LessOrEqual(t, d.Times, mostTimes)
		require.LessOrEqual(t, d.follow.Seconds(), float64(mostFollow))
		require.LessOrEqual(t, len(d.Dropoffs), mostStops)
		require.True(t, d.Pickup == nil || d.Pickup.Address != "")
	})
}

// TestAStoryShowsNoNumbers of those who are dialled, and of whoever they see calling.
func TestAStoryShowsNoNumbers(t *testing.T) {
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
