package booking_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/simulator/platform/booking"
)

// TestFirstStepHasASingleTimeLimit checks that the requests of the first step have one time limit together: if any answer
// of the third party does not come, the caller is soon told so and connected to a person.
func TestFirstStepHasASingleTimeLimit(t *testing.T) {
	slow := []reply{{Slow: true}}
	for name, change := range map[string]map[string][]reply{
		"no answer to /config": {"/config": slow},
		"no answer to /user":   {"/user": slow},
		"no answer to /status": {"/user": booked(journey("ARRIVED")), "/status": slow},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			third := world(t, "", change)
			desk := deskOf(third.url)
			defer desk.Close()
			desk.BeginWithin(200 * time.Millisecond)
			began := time.Now()
			_, step := rings(t, desk, "442079460002")
			require.Less(t, time.Since(began), 3*time.Second, "sooner than any limit of one request")
			require.Equal(t, booking.ThenPerson, step.Then)
			require.Contains(t, step.Said, "Sorry, we cannot take automatic bookings right now.")
			require.LessOrEqual(t, strings.Count(third.paths(), "config"), 2)
		})
	}
}

// TestConversation checks that conversation.md is up to date with the state table.
func TestConversation(t *testing.T) {
	golden.Equal(t, "../../../cmd/cabrank/docs/conversation.md", booking.Conversation())
}
