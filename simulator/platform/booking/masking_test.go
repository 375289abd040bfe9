package booking_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking"
)

// arrived returns the answers of a third party whose driver has arrived.
func arrived() map[string][]reply {
	journey := `{"journeyId":"J-1","status":"ARRIVED","pickup":{"address":"Mill Lane","location":{"longitude":2,"latitude":54}},` +
		`"driver":{"name":"Agnes","phoneNumber":"+441134960007","badgeNumber":"B1"}}`
	return map[string][]reply{
		"/config": {{Body: []byte(`{"status":"OK"}`)}},
		"/user":   {{Body: []byte(`{"userId":"u","name":"Rosalind","phoneNumber":"442079460001","activeBookings":[` + journey + `]}`)}},
		"/status": {{Body: []byte(journey)}},
	}
}

// TestJobIDLikeAPhoneNumberIsHidden checks that the id of a journey is not read out if it looks like a telephone number of the
// customer's country.
func TestJobIDLikeAPhoneNumberIsHidden(t *testing.T) {
	for _, row := range []struct {
		id   taxi.JourneyID
		told bool
	}{
		{"JQ99714P9", true},
		{"4471", true},
		{"", true},
		{"1234567890123456", true},
		{"3312345678", true},
		{"44AB123456", true},
		{"+15551234567", false},
		{"02079460001", false},
		{"442079460001", false},
		{"4412345678", false},
	} {
		want := row.id
		if !row.told {
			want = ""
		}
		require.Equal(t, want, booking.JobID("+442079460002", row.id))
	}
}
