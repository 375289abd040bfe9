package dispatchside_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"time"

	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
)

// A vendor judges its own server in its own tests.
func ExampleRun() {
	server := httptest.NewServer(dispatchsidetest.NewVendor(dispatchsidetest.None)) // what you wrote
	defer server.Close()
	report, err := dispatchside.Run(context.Background(), dispatchside.Target{
		URL: server.URL, Now: time.Now, Only: []string{"BOK-16", "CAN-01"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range report.Checks {
		if r.ID == "BOK-16" || r.ID == "CAN-01" {
			fmt.Println(r.ID, r.Level, r.Outcome)
		}
	}
	fmt.Println(report.Verdict())
	// Output:
	// BOK-16 must pass
	// CAN-01 must pass
	// none of the chosen checks failed: BOK-16, CAN-01
}
