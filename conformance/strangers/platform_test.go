package strangers_test

import (
	"context"
	"net"
	"net/http"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/client"
)

// ofThePlatform are the mistakes of testdata/voice.py.
var ofThePlatform = []mistake{
	{1, "A missing ETA is taken for 0 minutes.", "P-60", ""},
	{2, "The offset of a time is dropped, and Z written in its place.", "P-76", ""},
	{3, "/book is repeated after a timeout or a 5xx.", "P-19", ""},
	{4, "An edit sends only the first drop-off.", "P-74", ""},
	{5, "An edit sends the caller's name and number for the passenger's.", "P-75", ""},
	{6, "An edit sends the new address with the old coordinates.", "P-74", ""},
	{7, "A cancellation that was refused is said to be done.", "P-55 P-56", ""},
	{8, "Answers of /status are kept for 30 s, also for the next call.", "P-83", ""},
	{9, "The unit of an ETA is not read.", "P-68", ""},
	{10, "The currency is not read.", "P-68", ""},
	{11, "The settings of one request become the defaults of the next.", "P-23", ""},
	{12, "Drivers see the caller's number.", "P-45", ""},
	{13, "Names and addresses are sent in ASCII alone.", "P-42 P-84", ""},
	{14, "The caller is kept in one place for all calls.", "P-72", ""},
	{15, "A caller with several bookings is given the first of them.", "P-77", ""},
}

// TestPlatform judges the platform of testdata, which calls a third party below a path.
func TestPlatform(t *testing.T) {
	python := installed(t, "python3")
	if exec.CommandContext(t.Context(), python, "-c", "import sys; sys.exit(sys.version_info < (3, 11))").Run() != nil {
		t.Skip("python3 is older than 3.11")
	}
	everyMistake(t, ofThePlatform, func(t *testing.T, env string, only []string) *conformance.Report {
		listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		require.NoError(t, err)
		drive := start(t, env+" POLL=0.5", python, "testdata/voice.py", "0", "http://"+listener.Addr().String()+"/dispatch")
		report, err := callingside.Run(t.Context(), callingside.Options{
			Listener: listener, BasePath: "/dispatch", Actor: callingside.Drive{URL: drive, Client: &http.Client{}}, Nonce: 3, Only: only,
			Now: time.Now, Wait: func(ctx context.Context, d time.Duration) { client.Pause(ctx, d) },
		})
		require.NoError(t, err)
		return report
	})
}
