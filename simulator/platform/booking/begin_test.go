package booking_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/simulator/platform/booking"
)

// TestTheFirstStepHasOneLimit has the caller hear what is wrong, and get a person,
// however many answers of the third party do not come.
func TestTheFirstStepHasOneLimit(t *testing.T) {
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

// TestConversation holds the document to the table.
func TestConversation(t *testing.T) {
	golden.Equal(t, "../../../cmd/cabrank/docs/conversation.md", booking.Conversation())
}
