package booking_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain runs more tests in parallel than there are processors, since some wait for a slow dispatch system.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
