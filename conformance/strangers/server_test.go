package strangers_test

import (
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/judging"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
)

// ofTheServer are the mistakes of testdata/Server.java.
var ofTheServer = []mistake{
	{1, "Fares are pence where a journey is read, and pounds in the answer to /book.", "ENR-07 ENR-25!", ""},
	{2, "An edit keeps the fare, whatever the new route.", "ENR-24!", ""},
	{3, "A cancelled journey is deleted.", "CAN-02!", ""},
	{4, "The offset of pickupTime is dropped.", "BOK-11", ""},
	{5, "activeBookings shows a journey as it was when it was booked.", "STA-11", "JRN-06"},
	{6, "Only the last drop-off is kept.", "BOK-07", ""},
	{7, "/status and /cancel do not look at userId.", "STA-08 CAN-06", ""},
	{8, "The journeyId is the second of the booking.", "BOK-04", ""},
	{9, "Two calls of /user at once enrol a new number twice.", "CON-04", ""},
	{10, "ETAs are seconds, and the unit says minutes.", "ENR-27!", ""},
	{11, "A cancellation is confirmed once a driver has accepted, and the car goes on.", "CAN-02 JRN-13", ""},
	{12, "Refusals are HTTP 200 with an error object.", "BOK-30", ""},
	{13, "journeyId null is taken for an edit.", "BOK-02", ""},
	{14, "Requests are read as ISO 8859-1.", "BOK-33 W-12", ""},
	{15, "The passenger is replaced by the account holder.", "BOK-08", ""},
}

// TestServer judges the server of testdata. It moves journeys on when it is asked to:
// without that nobody sees mistakes 5 and 11, which need a driver who has accepted.
func TestServer(t *testing.T) {
	java, javac := installed(t, "java"), installed(t, "javac")
	classes := t.TempDir()
	require.NoError(t, exec.CommandContext(t.Context(), javac, "-d", classes, "testdata/Server.java").Run())
	everyMistake(t, ofTheServer, func(t *testing.T, env string, only []string) *conformance.Report {
		url := start(t, env+" ADVANCE=1", java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classes, "Server", "0")
		report, err := dispatchside.Run(t.Context(), dispatchside.Target{
			URL: url, Only: only, Now: time.Now, Seed: 1, Advance: judging.AdvanceByURL(url+"/advance", "", 10*time.Second),
		})
		require.NoError(t, err)
		return report
	})
}
