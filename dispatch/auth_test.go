package dispatch_test

import (
	"encoding/base64"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func TestOperationsRequireCredentials(t *testing.T) {
	for _, row := range []struct {
		spec, header, good, wrong string
	}{
		{"bearer:s3cret", "Authorization", "Bearer s3cret", "Bearer S3cret"},
		{"bearer:s3cret", "Authorization", "bearer s3cret", "Basic s3cret"},
		{"basic:ada:lovelace", "Authorization", "Basic YWRhOmxvdmVsYWNl", "Basic YWRhOmxvdmVsYWNm"},
		{"header:X-Api-Key:k", "X-Api-Key", "k", "K"},
		{"header:Authorization:ApiKey k", "Authorization", "ApiKey k", "Apikey k"},
	} {
		t.Run(row.spec, func(t *testing.T) {
			h := newHouse(t, func(_ *dispatch.Policy, o *dispatch.HTTPOptions) {
				var err error
				o.Credentials, err = taxi.ParseAuth(row.spec, nil)
				require.NoError(t, err)
			})
			for _, path := range paths {
				for _, shown := range []string{"", row.wrong} {
					resp, body := h.post(path, `{"phoneNumber":"442079460001"}`, row.header, shown)
					p := problem(t, resp, body)
					require.Equal(t, taxi.CodeUnauthenticated, p.Code)
					require.NotEmpty(t, resp.Header.Get("WWW-Authenticate"))
				}
			}
			resp, _ := h.post(taxi.PathConfig, "{}", row.header, row.good)
			require.Equal(t, http.StatusOK, resp.StatusCode)
			resp, _ = h.send(http.MethodGet, "/readyz", "")
			require.Equal(t, http.StatusOK, resp.StatusCode, "health needs no credentials")
		})
	}
	t.Run("a style that no server here can ask for", func(t *testing.T) {
		h := newHouse(t, func(_ *dispatch.Policy, o *dispatch.HTTPOptions) {
			o.Credentials = taxi.Credentials{Style: taxi.AuthQuery, Name: "key", Secret: "k"}
		})
		resp, _ := h.post(taxi.PathConfig+"?key=k", "{}")
		require.Equal(t, http.StatusUnauthorized, resp.StatusCode)
	})
}

func TestRateLimitRefusesExcessRequests(t *testing.T) {
	h := newHouse(t, func(_ *dispatch.Policy, o *dispatch.HTTPOptions) { o.RatePerSecond = 2 })
	statuses := func() (got []int) {
		for range 5 {
			resp, _ := h.post(taxi.PathConfig, "{}")
			got = append(got, resp.StatusCode)
		}
		return got
	}
	require.Equal(t, []int{200, 200, 200, 200, 429}, statuses(), "a burst of twice the rate")
	resp, body := h.post(taxi.PathConfig, "{}")
	require.Equal(t, taxi.CodeRateLimited, problem(t, resp, body).Code)
	require.Equal(t, "1", resp.Header.Get("Retry-After"))
	h.now = h.now.Add(time.Second)
	require.Equal(t, []int{200, 200, 429, 429, 429}, statuses())
}

// TestCredentialGuessesAreLimited checks that too many wrong credentials from an address block it for a moment, unless the
// right ones have come from it before.
func TestCredentialGuessesAreLimited(t *testing.T) {
	h := newHouse(t, func(_ *dispatch.Policy, o *dispatch.HTTPOptions) {
		o.Credentials = taxi.Credentials{Style: taxi.AuthBearer, Secret: "s3cret"}
	})
	ask := func(secret string) int {
		resp, _ := h.post(taxi.PathConfig, "{}", "Authorization", "Bearer "+secret)
		return resp.StatusCode
	}
	for range 20 {
		require.Equal(t, http.StatusUnauthorized, ask("wrong"))
	}
	resp, body := h.post(taxi.PathConfig, "{}", "Authorization", "Bearer s3cret")
	require.Equal(t, taxi.CodeRateLimited, problem(t, resp, body).Code, "it is not even looked at")
	h.now = h.now.Add(time.Second)
	require.Equal(t, http.StatusOK, ask("s3cret"))
	for range 40 {
		require.Equal(t, http.StatusUnauthorized, ask("wrong"))
	}
	require.Equal(t, http.StatusOK, ask("s3cret"), "whoever guesses does not lock the caller out")
}

// TestGuessesDoNotUseUpTheRateLimit checks that requests with wrong credentials do not count towards the rate limit of the
// legitimate caller.
func TestGuessesDoNotUseUpTheRateLimit(t *testing.T) {
	h := newHouse(t, func(_ *dispatch.Policy, o *dispatch.HTTPOptions) {
		o.RatePerSecond = 0.1
		o.Credentials = taxi.Credentials{Style: taxi.AuthBasic, Name: "ada", Secret: "s3cret"}
	})
	for range 5 {
		resp, _ := h.post(taxi.PathConfig, "{}", "Authorization", "Basic nonsense")
		require.Equal(t, http.StatusUnauthorized, resp.StatusCode)
	}
	token := base64.StdEncoding.EncodeToString([]byte("ada:s3cret"))
	resp, _ := h.post(taxi.PathConfig, "{}", "Authorization", "basic  "+token) // RFC 9110, 11.4: one space or more
	require.Equal(t, http.StatusOK, resp.StatusCode)
	resp, _ = h.post(taxi.PathConfig, "{}", "Authorization", "Basic "+token)
	require.Equal(t, http.StatusTooManyRequests, resp.StatusCode)
	require.Equal(t, "10", resp.Header.Get("Retry-After"))
}
