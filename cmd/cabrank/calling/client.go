package calling

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// DefaultURL is the default address of serve and demo.
const DefaultURL = "http://127.0.0.1:8080"

// clientFlags select a dispatch system and how to call it.
type clientFlags struct {
	cli.TLSFlags
	url     string
	sandbox string
	auth    string
	timeout time.Duration
	asJSON  bool
}

func (f *clientFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.url, "url", DefaultURL, "base address of the dispatch system")
	cmd.Flags().StringVar(&f.sandbox, "sandbox", "", "name of a sandbox of 'cabrank serve', such as ann (default the world of --url)")
	cmd.Flags().StringVar(&f.auth, "auth", "none", "credentials: none, basic:USER:PASSWORD, bearer:TOKEN, header:NAME:VALUE; @FILE or env:NAME instead of a secret")
	cmd.Flags().DurationVar(&f.timeout, "timeout", 10*time.Second, "timeout of one request")
	cli.Share(cmd.Flags(), "url", "auth")
	f.Add(cmd.Flags())
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the response as JSON")
}

// base returns the base address of the selected world: that of --url, or of its sandbox --sandbox.
func (f *clientFlags) base() string { return World(f.url, f.sandbox) }

// inSandbox matches the path of a sandbox at the end of an address, such as /s/ann.
var inSandbox = regexp.MustCompile(`/s/[a-z0-9-]+$`)

// mainWorld returns the address of the main world of a server; address may be that of a
// sandbox.
func mainWorld(address string) string {
	return inSandbox.ReplaceAllString(strings.TrimRight(address, "/"), "")
}

// World returns the address of a sandbox on the server of address; address itself if
// sandbox is "".
func World(address, sandbox string) string {
	if sandbox == "" {
		return strings.TrimRight(address, "/")
	}
	return mainWorld(address) + "/s/" + url.PathEscape(sandbox)
}

// client returns a client for the server and the credentials of the flags.
func (f *clientFlags) client(out cli.Outside) (*taxi.Client, error) {
	return f.clientVia(out, &replayed{})
}

// clientVia is [clientFlags.client] with requests that go through via, which detects repeated responses.
func (f *clientFlags) clientVia(out cli.Outside, via *replayed) (*taxi.Client, error) {
	credentials, err := taxi.ParseAuth(f.auth, cli.SecretFrom(out.Getenv))
	if err != nil {
		return nil, cli.UsageError("--auth: %w", err)
	}
	config, err := f.Config()
	if err != nil {
		return nil, err
	}
	if err := cli.CheckAddress("--url", f.url); err != nil {
		return nil, err
	}
	via.next = outbound.Transport(outbound.Options{TLS: config, Proxied: true})
	c, err := taxi.NewClient(f.base(), taxi.ClientOptions{
		Auth: credentials.Auth(), Transport: via, Timeout: f.timeout, UserAgent: "cabrank/" + cli.Version(),
	})
	if err != nil {
		return nil, cli.Exit(cli.ExitUsage, err)
	}
	return c, nil
}

// outcome turns the error of a request into one with an exit code and advice. It returns nil, and an error that has an
// exit code, unchanged.
func (f *clientFlags) outcome(err error) error {
	if _, hasCode := errors.AsType[*cli.ExitError](err); hasCode || err == nil {
		return err
	}
	if p, ok := errors.AsType[*taxi.Problem](err); ok {
		if p.Status == http.StatusUnauthorized {
			return cli.Exit(cli.ExitFindings, fmt.Errorf("refused: %w; set the credentials with --auth", cli.OneLine(p)))
		}
		return cli.Exit(cli.ExitFindings, fmt.Errorf("refused: %w", cli.OneLine(p)))
	}
	if slow, ok := errors.AsType[net.Error](err); ok && slow.Timeout() {
		return cli.Exit(cli.ExitUnreachable, fmt.Errorf("%s did not answer within %s; --timeout waits longer", f.base(), f.timeout))
	}
	return cli.Exit(cli.ExitUnreachable, fmt.Errorf("%w (is %s the dispatch system's address? 'cabrank serve' starts one)", cli.OneLine(err), f.base()))
}

// print prints a journey in the form that --json and --color select.
func (f *clientFlags) print(cmd *cobra.Command, out cli.Outside, j taxi.Journey) error {
	if f.asJSON {
		return cli.PrintJSON(out.Stdout, j)
	}
	coloured, err := cli.Coloured(cmd, out, out.Stdout)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out.Stdout, journeyLine(j, coloured))
	return err
}

// replayed is a transport that notes whether a response is the repeated one of an earlier identical request.
type replayed struct {
	next http.RoundTripper
	seen bool
}

// RoundTrip implements [http.RoundTripper].
func (t *replayed) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(r)
	if err == nil && resp.Header.Get("Idempotent-Replayed") == "true" {
		t.seen = true
	}
	return resp, err
}
