package booking_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking"
)

// TestTheFirstStepHasOneLimit has the caller hear what is wrong, and get a person,
// however many answers of the third party do not come.
func TestTheFirstStepHasOneLimit(t *testing.T) {
	slow := []reply{{Slow: true}}
	for name, change := range map[string]map[string][]reply{
		"no answer to /user": {"/user": slow},
		"no answer to /status": {
			"/user": raw(`{"userId":"u-1","phoneNumber":"442079460002","name":"Desmond","activeBookings":[` + journey("ARRIVED") + `]}`), "/status": slow,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings := booking.Defaults("The firm")
			settings.ThirdParty = world(t, "", change).url
			desk := booking.New(booking.Options{
				Now:      time.Now,
				Settings: func(string) (booking.Settings, bool) { return settings, true },
				Number:   func(_, number string) (taxi.E164, bool) { return taxi.E164(number), true },
			})
			t.Cleanup(desk.Close)
			desk.BeginWithin(200 * time.Millisecond)
			began := time.Now()
			step := desk.Session(booking.Customer{Account: "a", Number: "442079460002", Channel: taxi.FeatureVoice}).Begin(t.Context())
			require.Less(t, time.Since(began), 3*time.Second, "sooner than any limit of one request")
			require.Equal(t, booking.ThenPerson, step.Then)
			require.Contains(t, step.Said, "Sorry, we cannot take automatic bookings right now.")
		})
	}
}

// TestConversation holds the document to the table.
func TestConversation(t *testing.T) {
	golden.Equal(t, "../../../cmd/cabrank/docs/conversation.md", booking.Conversation())
}
