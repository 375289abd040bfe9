package sip_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain runs more tests in parallel than there are processors, since most of their time is spent on waiting for
// telephones and the timers of SIP.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
