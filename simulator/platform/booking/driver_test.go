package booking_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// TestADriverIsRungOnceForTwoCallers has a passenger on two telephones press the same
// key while the driver is being rung: both hear how it went, when it has gone so.
func TestADriverIsRungOnceForTwoCallers(t *testing.T) {
	p := world(t, "ARRIVED", map[string][]reply{
		"/user": raw(`{"userId":"u-1","phoneNumber":"442079460002","name":"Desmond","activeBookings":[` + journey("ARRIVED") + `]}`),
	})
	w := newTown(t, p.url, onLine)
	const script = `[{"expect":"coming now, press 1"},{"press":"1"},{"expect":"one moment"},{"expect":"I have told the driver"},{"hangup":true}]`
	for range 2 {
		w.dial("442079460002", script)
	}
	w.line.Run(time.Hour)
	var driver, told int
	for _, c := range w.calls() {
		if c.Direction == voice.Outbound {
			driver++
		}
		told += strings.Count(written(c), "I have told the driver")
	}
	require.Equal(t, 1, driver)
	require.Equal(t, 2, told)
}
