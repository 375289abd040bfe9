package judging

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// credentials returns a function that adds the credentials of the --auth flags to each request; nil: there are none.
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

// oauth returns a function that adds a token for client credentials (RFC 6749, 4.4) to requests, and renews it shortly
// before it expires. The secret is sent in a header, or in the form if the token server needs it there.
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

// accessFlags say how to reach a server: credentials, certificates, and the phone numbers
// of its users.
type accessFlags struct {
	cli.TLSFlags
	auths     []string
	tokenURL  string
	scope     string
	timeout   time.Duration
	allowHost bool
	phones    []string

	tokens []oauth2.TokenSource // one for each oauth2 credential of --auth
}

func (f *accessFlags) add(fs *pflag.FlagSet) {
	fs.StringArrayVar(&f.auths, "auth", nil, `credentials; repeat the flag for several headers: none, basic:USER:PASSWORD,
bearer:TOKEN, header:NAME:VALUE, query:NAME:VALUE, oauth2:ID:SECRET (with --token-url);
@FILE or env:NAME instead of a secret`)
	cli.Share(fs, "auth")
	fs.StringVar(&f.tokenURL, "token-url", "", "URL that exchanges oauth2 client credentials for a token")
	fs.StringVar(&f.scope, "scope", "", "oauth2 scope to request")
	f.Add(fs)
	addTimeout(fs, &f.timeout)
	fs.BoolVar(&f.allowHost, "allow-host", false, "allow a host other than this machine: the run books and cancels journeys there")
	fs.StringSliceVar(&f.phones, "phone", nil, "phone numbers of known users for the run (default generated ones)")
}

// dialable returns the digits of the phone number in a flag, which may begin with a plus. Any other text is a usage
// error.
func dialable(flag, text string) (taxi.E164, error) {
	number := taxi.E164(strings.TrimSpace(text)).Digits()
	if !e164.MatchString(string(number)) {
		return "", cli.UsageError("%s is %q, want a telephone number with its country code, 7 to 15 digits such as 442079460001", flag, text)
	}
	return number, nil
}

// e164 matches numbers that can be dialled: no country code begins with 0.
var e164 = regexp.MustCompile(`^[1-9][0-9]{6,14}$`)

// addTimeout adds the flag for the time limit of a request.
func addTimeout(fs *pflag.FlagSet, timeout *time.Duration) {
	fs.DurationVar(timeout, "timeout", 10*time.Second, "timeout of one request")
}

// apply sets the certificates, credentials and numbers of a target. It sends no request.
func (f *accessFlags) apply(ctx context.Context, t *dispatchside.Target, out cli.Outside) (err error) {
	t.Timeout, t.AllowHost = f.timeout, f.allowHost
	if asks := slices.ContainsFunc(f.auths, func(a string) bool { return strings.HasPrefix(a, "oauth2:") }); !asks && f.tokenURL+f.scope != "" {
		return cli.UsageError("--token-url and --scope go with --auth oauth2:ID:SECRET")
	}
	for _, p := range f.phones {
		number, err := dialable("--phone", p)
		if err != nil {
			return err
		}
		t.Phones = append(t.Phones, number)
	}
	if t.TLS, err = f.Config(); err != nil {
		return err
	}
	t.Auth, err = f.credentials(ctx, out, t.TLS)
	return err
}
