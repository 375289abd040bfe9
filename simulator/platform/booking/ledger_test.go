package booking_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/ledger"
)

// TestLedger checks what a new customer's booking by keys allocates against the ledger: a whole call of six turns,
// with /config, /user and /book over HTTP.
func TestLedger(t *testing.T) {
	w := beside(t)
	i := 0
	ledger.Compare(t, "simulator/platform/booking", ledger.Work("a booking by telephone, six turns", 50, func() {
		i++
		w.dial(fmt.Sprintf("447700%06d", i), strangerBooks)
		w.line.Run(2 * time.Minute)
	})...)
}
