package platformapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/platformapi"
)

func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// TestNoCredentialLeaves looks for what logs somebody in, in all that a run shows.
func TestNoCredentialLeaves(t *testing.T) {
	t.Parallel()
	r, err := newReference(t.Context())
	require.NoError(t, err)
	t.Cleanup(r.stop)
	report, err := platformapi.Run(t.Context(), r.target(serve(t, r), r.now))
	require.NoError(t, err)
	var text strings.Builder
	require.NoError(t, conformance.NewRunFile(report, "1.2.3").Write(&text))
	for _, u := range r.credentials.Users {
		require.NotContains(t, text.String(), u.Password)
	}
	for _, a := range r.credentials.Accounts {
		require.NotContains(t, text.String(), a.ClientID)
	}
	for _, x := range report.Exchanges {
		if token := x.Reply().At("access_token").Text(); token != "" {
			require.NotContains(t, text.String(), token)
		}
	}
	require.Contains(t, text.String(), "CONFORMANCE TEST")
}

func TestTargetsThatAreRefused(t *testing.T) {
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
		{platformapi.Target{URL: "http://voice.example", Now: time.Now}, "has to be allowed"},
		{platformapi.Target{URL: "http://127.0.0.1:1", VoiceURL: "https://voice.example", Now: time.Now}, "has to be allowed"},
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
