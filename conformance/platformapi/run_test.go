package platformapi_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/conformance/platformapi"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/conformance/report/har"
)

func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// TestReportsHideCredentialsAndNumbers checks that the run file, the page and the HAR file of a run contain no
// credentials and no telephone numbers.
func TestReportsHideCredentialsAndNumbers(t *testing.T) {
	t.Parallel()
	r := started(t)
	rep, err := platformapi.Run(t.Context(), r.target(serve(t, r), r.now))
	require.NoError(t, err)
	run := conformance.NewRunFile(rep, "1.2.3")
	var text strings.Builder
	require.NoError(t, run.Write(&text))
	require.NoError(t, report.WriteHTML(&text, run))
	require.NoError(t, har.Write(&text, run))
	for _, u := range r.credentials.Users {
		require.NotContains(t, text.String(), u.Password)
	}
	for _, a := range r.credentials.Accounts {
		require.NotContains(t, text.String(), a.ClientID)
	}
	numbers := []string{"7700900123"}
	for _, x := range rep.Exchanges {
		if token := x.Reply().At("access_token").Text(); token != "" {
			require.NotContains(t, text.String(), token)
		}
		if mbn := x.Reply().At("mbn").Text(); mbn != "" {
			numbers = append(numbers, mbn[2:])
		}
		for _, item := range x.Reply().Items() {
			if strings.HasSuffix(x.Request.URL, "/ddi") {
				numbers = append(numbers, item.At("name").Text()[2:])
			}
		}
	}
	require.Greater(t, len(numbers), 4)
	for _, n := range numbers {
		require.NotContains(t, text.String(), n)
	}
	require.Contains(t, text.String(), "CONFORMANCE TEST")
}

// TestAPasswordThatIsAWordIsHidden checks that a password is hidden in a login although it is a word that the
// suite's own texts use.
func TestAPasswordThatIsAWordIsHidden(t *testing.T) {
	t.Parallel()
	server := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusConflict)
	})
	rep, err := platformapi.Run(t.Context(), platformapi.Target{URL: serve(t, server), Now: time.Now, Credentials: platformapi.Credentials{
		Users: []platformapi.User{{Username: "ann", Password: "account"}}, Accounts: []platformapi.Account{{ID: "a", ClientID: "b"}},
	}})
	require.NoError(t, err)
	run := conformance.NewRunFile(rep, "")
	require.NotEmpty(t, run.Calls)
	for _, x := range run.Calls {
		require.Regexp(t, `^password=credential-\d+&username=ann$`, string(x.Request.Body))
	}
}

func TestInvalidTargetsAreRefused(t *testing.T) {
	t.Parallel()
	whole := platformapi.Credentials{
		Users: []platformapi.User{{Username: "a", Password: "b"}}, Accounts: []platformapi.Account{{ID: "c", ClientID: "d"}},
	}
	for _, row := range []struct {
		target platformapi.Target
		says   string
	}{
		{platformapi.Target{URL: "ftp://x"}, "want http"},
		{platformapi.Target{URL: "http://127.0.0.1:1?a=b", Now: time.Now}, "without credentials"},
		{platformapi.Target{URL: "http://voice.example", Now: time.Now}, "must be allowed"},
		{platformapi.Target{URL: "http://127.0.0.1:1", VoiceURL: "https://voice.example", Now: time.Now}, "must be allowed"},
		{platformapi.Target{URL: "http://127.0.0.1:1"}, "Now is required"},
		{platformapi.Target{URL: "http://127.0.0.1:1", Now: time.Now}, "users is empty"},
		{platformapi.Target{URL: "http://127.0.0.1:1", Now: time.Now, Credentials: whole}, "TCP"},
	} {
		_, err := platformapi.Run(t.Context(), row.target)
		require.ErrorContains(t, err, row.says)
	}
	for text, says := range map[string]string{
		`[]`: "want {", `{}`: "users is empty", `{"users":[{"username":"a"}],"accounts":[{}]}`: "users/0 lacks",
		`{"users":[{"username":"a","password":"b"}]}`:                 "accounts is empty",
		`{"users":[{"username":"a","password":"b"}],"accounts":[{}]}`: "accounts/0 lacks",
	} {
		_, err := platformapi.ReadCredentials(strings.NewReader(text))
		require.ErrorContains(t, err, says)
	}
}

// TestTheJudgeIsJudged checks the verdicts of the suite on platforms that are wrong, on platforms that are
// unusual but right, and on servers that are no platforms.
func TestTheJudgeIsJudged(t *testing.T) {
	t.Parallel()
	share := matrix.Share{Wrong: 15, Odd: 6, Idle: 3}
	if testing.Short() {
		share = matrix.Share{Wrong: 30, Odd: 15, Idle: 3}
	}
	matrix.Judge(t, matrix.Trial{
		Suite: &platformapi.Suite, Sound: sound, Now: time.Now, Width: 3,
		Mutants: wrongPlatforms(), Variants: oddPlatforms(), Peers: idlePeers(), Behind: map[string]string{
			"numbers share an id": "API-01: a device with such a number is refused",
			"no sipGateway":       "DEV-05: nothing of the gateway is read as it was sent",
		},
	}, share)
}

// TestEachCheckHasAMutant checks that every check that is not only observed has a wrong platform that proves
// it, and compares the list with testdata/proofs.txt.
func TestEachCheckHasAMutant(t *testing.T) {
	t.Parallel()
	proofs := matrix.Proofs(&platformapi.Suite, wrongPlatforms())
	require.NotContains(t, proofs, "no mutant")
	golden.Equal(t, filepath.Join("testdata", "proofs.txt"), proofs)
}
