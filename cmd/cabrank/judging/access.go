package judging

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/oauth2"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

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

// dialable parses the phone number of a flag: the digits of E.164, with or without a
// plus.
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
