package booking_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/ledger"
)

// TestLedger counts what a stranger's booking by keys takes, from the ring to the end of the
// call: six turns, and /config, /user and /book of the reference over HTTP.
func TestLedger(t *testing.T) {
	w := beside(t)
	i := 0
	ledger.Compare(t, "simulator/platform/booking", ledger.Work("a booking by telephone, six turns", 50, func() {
		i++
		w.dial(fmt.Sprintf("447700%06d", i), strangerBooks)
		w.line.Run(2 * time.Minute)
	})...)
}
