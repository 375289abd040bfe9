package booking_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain runs more tests at the same time than there are processors: some wait for a dispatch system that is slow.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
