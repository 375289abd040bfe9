package sip_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain runs more tests at the same time than there are processors: they wait for telephones
// that ring and for the timers of the protocol.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
