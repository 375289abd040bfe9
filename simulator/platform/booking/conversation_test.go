package booking_test

import (
	"testing"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/simulator/platform/booking"
)

// TestConversation holds the document to the table.
func TestConversation(t *testing.T) {
	golden.Equal(t, "../../../cmd/cabrank/docs/conversation.md", booking.Conversation())
}
