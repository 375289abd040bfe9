package taxi_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

var errNowhere = errors.New("there is no such secret")

// keeper is where references lead to.
func keeper(reference string) (string, error) {
	kept := map[string]string{"@file": "from a file", "env:TOKEN": "from-env", "env:EMPTY": "", "@broken": "two\nlines"}
	secret, ok := kept[reference]
	if !ok {
		return "", errNowhere
	}
	return secret, nil
}

func TestParseAuthReadsEveryStyle(t *testing.T) {
	for _, row := range []struct {
		text string
		want taxi.Credentials
		sent string // what a request then carries
	}{
		{"none", taxi.Credentials{Style: taxi.AuthNone}, ""},
		{"basic:ada:lovelace", taxi.Credentials{Style: taxi.AuthBasic, Name: "ada", Secret: "lovelace"}, "Authorization: Basic YWRhOmxvdmVsYWNl"},
		{"basic:ada:love:lace", taxi.Credentials{Style: taxi.AuthBasic, Name: "ada", Secret: "love:lace"}, "Authorization: Basic YWRhOmxvdmU6bGFjZQ=="},
		{"basic:ada:", taxi.Credentials{Style: taxi.AuthBasic, Name: "ada"}, "Authorization: Basic YWRhOg=="},
		{"basic:ada:env:EMPTY", taxi.Credentials{Style: taxi.AuthBasic, Name: "ada"}, "Authorization: Basic YWRhOg=="},
		{"bearer:t", taxi.Credentials{Style: taxi.AuthBearer, Secret: "t"}, "Authorization: Bearer t"},
		{"bearer:a:b", taxi.Credentials{Style: taxi.AuthBearer, Secret: "a:b"}, "Authorization: Bearer a:b"},
		{"bearer:env:TOKEN", taxi.Credentials{Style: taxi.AuthBearer, Secret: "from-env"}, "Authorization: Bearer from-env"},
		{"header:X-Api-Key:@file", taxi.Credentials{Style: taxi.AuthHeader, Name: "X-Api-Key", Secret: "from a file"}, "X-Api-Key: from a file"},
		{"header:Authorization:ApiKey k", taxi.Credentials{Style: taxi.AuthHeader, Name: "Authorization", Secret: "ApiKey k"}, "Authorization: ApiKey k"},
		{"query:key:a b", taxi.Credentials{Style: taxi.AuthQuery, Name: "key", Secret: "a b"}, "?key=a+b"},
		{"oauth2:me:env:TOKEN", taxi.Credentials{Style: taxi.AuthOAuth2, Name: "me", Secret: "from-env"}, ""},
	} {
		t.Run(row.text, func(t *testing.T) {
			got, err := taxi.ParseAuth(row.text, keeper, taxi.AuthQuery, taxi.AuthOAuth2)
			require.NoError(t, err)
			require.Equal(t, row.want, got)
			require.Equal(t, row.sent, authOnRequest(got.Auth()))
			if got.Secret != "" && len(got.Secret) > 1 {
				require.NotContains(t, fmt.Sprintf("%v %s %+v %#v", got, got, got, got), got.Secret)
			}
		})
	}
}

// authOnRequest returns what credentials add to a request: "NAME: VALUE" for a header, "?QUERY" for a query parameter, or ""
// for none.
func authOnRequest(auth taxi.Auth) string {
	if auth == nil {
		return ""
	}
	r := httptest.NewRequest(http.MethodPost, "http://dispatch.example/", http.NoBody)
	auth(r)
	for name, values := range r.Header {
		return name + ": " + strings.Join(values, ", ")
	}
	return "?" + r.URL.RawQuery
}

func TestParseAuthRefusesInvalidTexts(t *testing.T) {
	const want = "want none, basic:USER:PASSWORD, bearer:TOKEN or header:NAME:VALUE"
	for text, says := range map[string]string{
		"": want, "s3cret": want, ":s3cret": want, "none:s3cret": want, "digest:s3cret": want, "Basic:a:s3cret": want,
		"basic": want, "basic:": want, "basic:s3cret": want, "basic::s3cret": want,
		"bearer": want, "bearer:": want, "bearer: ": "is blank", "basic:a:  ": "is blank",
		"header:s3cret": want, "header::s3cret": want, "header:X:": want,
		"query:key:s3cret": want, "oauth2:me:s3cret": want,
		"header:X Key:s3cret": `a header "X Key"`, "header:Schlüssel:s3cret": "such as X-Api-Key", "header:host:s3cret": "such as X-Api-Key",
		"bearer:s3cret\r\nX: y": "control characters", "bearer:@broken": "control characters",
		"bearer:@nofile": errNowhere.Error(), "header:X:env:NOPE": errNowhere.Error(), "bearer:env:EMPTY": "is empty",
	} {
		t.Run(text, func(t *testing.T) {
			got, err := taxi.ParseAuth(text, keeper)
			require.ErrorContains(t, err, says)
			require.NotContains(t, err.Error(), "s3cret")
			require.Zero(t, got)
		})
	}
	_, err := taxi.ParseAuth("digest:x", nil, taxi.AuthQuery, taxi.AuthOAuth2)
	require.EqualError(t, err, "want none, basic:USER:PASSWORD, bearer:TOKEN, header:NAME:VALUE, query:NAME:VALUE or oauth2:ID:SECRET")
}

// FuzzParseAuth checks that credentials that are accepted can be sent in a request.
func FuzzParseAuth(f *testing.F) {
	for _, text := range []string{"none", "basic:a:b", "bearer:env:X", "header:X-Key:@f", "query:a:b", "oauth2:a:b", "", "header:\x00:y"} {
		f.Add(text)
	}
	server := httptest.NewServer(http.NotFoundHandler())
	f.Cleanup(server.Close)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := taxi.ParseAuth(text, nil, taxi.AuthQuery, taxi.AuthOAuth2)
		if err != nil {
			require.Zero(t, c)
			return
		}
		auth := c.Auth()
		if auth == nil {
			require.Contains(t, []taxi.AuthStyle{taxi.AuthNone, taxi.AuthOAuth2}, c.Style)
			return
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, http.NoBody)
		require.NoError(t, err)
		auth(r)
		resp, err := http.DefaultClient.Do(r)
		require.NoError(t, err, "%q", text)
		require.NoError(t, resp.Body.Close())
	})
}
