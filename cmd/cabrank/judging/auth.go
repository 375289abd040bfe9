package judging

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// credentials turns the --auth flags into a function that adds them to each request.
func (f *accessFlags) credentials(ctx context.Context, out cli.Outside, config *tls.Config) (taxi.Auth, error) {
	var all []taxi.Auth
	for _, text := range f.auths {
		auth, err := f.style(ctx, text, out, config)
		if err != nil {
			return nil, err
		}
		if auth != nil {
			all = append(all, auth)
		}
	}
	switch len(all) {
	case 0:
		return nil, nil
	case 1:
		return all[0], nil
	}
	return func(r *http.Request) {
		for _, auth := range all {
			auth(r)
		}
	}, nil
}

func (f *accessFlags) style(ctx context.Context, text string, out cli.Outside, config *tls.Config) (taxi.Auth, error) {
	c, err := taxi.ParseAuth(text, cli.SecretFrom(out.Getenv), taxi.AuthQuery, taxi.AuthOAuth2)
	if err != nil {
		return nil, cli.UsageError("--auth: %w", err)
	}
	if c.Style == taxi.AuthOAuth2 {
		return f.oauth(ctx, c.Name, c.Secret, config)
	}
	return c.Auth(), nil
}

// oauth gets a token for client credentials (RFC 6749, 4.4), and a new one shortly before
// it expires. The secret is sent in a header, or in the form if the token server needs it
// there.
func (f *accessFlags) oauth(ctx context.Context, id, secret string, config *tls.Config) (taxi.Auth, error) {
	if f.tokenURL == "" {
		return nil, cli.UsageError("--auth oauth2 needs --token-url, the address that issues the token")
	}
	client := outbound.New(outbound.Options{Timeout: f.timeout, TLS: config})
	grant := clientcredentials.Config{ClientID: id, ClientSecret: secret, TokenURL: f.tokenURL, Scopes: strings.Fields(f.scope)}
	tokens := grant.TokenSource(context.WithValue(context.WithoutCancel(ctx), oauth2.HTTPClient, client))
	f.tokens = append(f.tokens, tokens)
	return func(r *http.Request) {
		if token, err := tokens.Token(); err == nil { // without a token the server refuses the request, and the report shows that
			token.SetAuthHeader(r)
		}
	}, nil
}

// askForTokens requests the first OAuth 2 tokens, so that a wrong secret is reported as
// such.
func (f *accessFlags) askForTokens() error {
	for _, tokens := range f.tokens {
		if _, err := tokens.Token(); err != nil {
			if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
				err = fmt.Errorf("the token server answered %s %s", refused.Response.Status, refused.ErrorCode)
			}
			return cli.Exit(cli.ExitUnreachable, fmt.Errorf("--auth oauth2: %w; check --token-url, --scope and the client's id and secret", err))
		}
	}
	return nil
}
