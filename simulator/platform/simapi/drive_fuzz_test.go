package simapi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/booking"
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
