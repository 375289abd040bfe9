package serving

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/control"
)

// controlFlags say where the control API is served, and who may call it.
type controlFlags struct {
	listen, token string
	urlFile       string
	off           bool
}

// openControl is the address of the control API and the token that callers must send.
type openControl struct {
	listener net.Listener // separate; nil: the operations' listener
	url      string       // "": control is off
	local    bool         // only this machine reaches control
	token    string       // "": no token is needed
	made     bool         // the token was generated and must be printed
}

func (f *controlFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.listen, "control-listen", "", "serve the control API and /metrics at this separate address, such as 127.0.0.1:8081")
	fs.StringVar(&f.urlFile, "control-url-file", "", "write the address of the control API to this file, such as control.url, when the server is ready; with --control-listen it differs from that of --url-file")
	fs.StringVar(&f.token, "control-token", "", "token for the control API and /metrics: TOKEN, @FILE or env:NAME, such as env:MY_TOKEN (default none on loopback; on other addresses a generated one, which is printed)")
	fs.BoolVar(&f.off, "no-control", false, "serve neither the control API nor /metrics")
}

// Lengths of a token: the shortest that is accepted where other machines may guess it,
// and the longest.
const (
	leastToken = 16
	mostToken  = 1024
)

// isToken matches a token that a header can hold (RFC 6750, 2.1). "file:…" is not
// accepted, so that nobody takes it for a reference.
var isToken = regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`)

// check returns an error for flags that do not go together, before the server listens. listen is the address of the
// operations, and urlFile the file that it is written to.
func (f *controlFlags) check(cmd *cobra.Command, listen, urlFile string) error {
	switch {
	case f.urlFile != "" && f.urlFile == urlFile:
		return cli.UsageError("--control-url-file is %q, which --url-file has already", f.urlFile)
	case f.off && f.listen != "":
		return cli.UsageError("--control-listen: --no-control serves no control calls")
	case f.off && f.urlFile != "":
		return cli.UsageError("--control-url-file: --no-control serves no control calls")
	case f.off && cmd.Flags().Changed("control-token"):
		return cli.UsageError("--control-token: --no-control serves no control calls")
	case f.listen != "" && sameAddress(f.listen, listen):
		return cli.UsageError("--control-listen is %q, which --listen %s has already; want another port such as 127.0.0.1:8081, or leave it out to have both at one address", f.listen, listen)
	}
	return cli.AnnounceableAs(controlURLFile, f.urlFile)
}

// controlURLFile is the flag for the file with control's address.
const controlURLFile = "--control-url-file"

// sameAddress reports whether a server cannot listen on both addresses. Port 0 is never
// in conflict; an invalid address is reported later, when listening fails.
func sameAddress(a, b string) bool {
	one, err := net.ResolveTCPAddr("tcp", a)
	if err != nil || one.Port == 0 {
		return false
	}
	other, err := net.ResolveTCPAddr("tcp", b)
	if err != nil || one.Port != other.Port {
		return false
	}
	everywhere := func(ip net.IP) bool { return ip == nil || ip.IsUnspecified() }
	return everywhere(one.IP) || everywhere(other.IP) || one.IP.Equal(other.IP)
}

// open returns the address of the control API and its token. It listens on the separate address, if there is one. The
// operations are at url; local means that only this machine reaches them.
func (f *controlFlags) open(ctx context.Context, cmd *cobra.Command, out cli.Outside, url string, local bool) (c openControl, err error) {
	if f.off {
		return openControl{}, nil
	}
	c.url, c.local = url, local
	if given := cmd.Flags().Changed("control-token"); given {
		if c.token, err = f.given(out); err != nil {
			return openControl{}, cli.UsageError("--control-token: %w", err)
		}
	}
	if f.listen != "" {
		if c.listener, err = cli.ListenAs(ctx, "--control-listen", f.listen); err != nil {
			return openControl{}, err
		}
		c.url, c.local = "http://"+cli.Reachable(c.listener.Addr()), cli.Loopback(c.listener.Addr())
	}
	switch {
	case c.local:
	case c.token == "":
		c.token, c.made = rand.Text(), true
	case len(c.token) < leastToken:
		err := cli.UsageError("--control-token is shorter than %d characters, and other machines can guess it; leave it out to have one made, or keep control on this machine with --control-listen 127.0.0.1:0", leastToken)
		return openControl{}, errors.Join(err, c.close())
	}
	return c, nil
}

// given returns the token that the flag contains or refers to. Errors never repeat it.
func (f *controlFlags) given(out cli.Outside) (string, error) {
	token := f.token
	if cli.RefersToSecret(token) {
		var err error
		if token, err = cli.SecretFrom(out.Getenv)(token); err != nil {
			return "", err
		}
	}
	if token == "" {
		return "", errors.New("it is empty; give one as TOKEN, @FILE or env:NAME, or leave the flag out")
	}
	if !isToken.MatchString(token) || len(token) > mostToken {
		return "", fmt.Errorf("want letters, digits and the signs - . _ ~ + / only, at most %d; or @FILE or env:NAME, which hold the token", mostToken)
	}
	return token, nil
}

// close closes a listener that is not served.
func (c *openControl) close() error {
	if c.listener == nil {
		return nil
	}
	return c.listener.Close()
}

// beside reports whether control is at the address of the operations.
func (c *openControl) beside() bool { return c.url != "" && c.listener == nil }

// print prints the address of the control API and what callers must send. A token is printed only if it was generated:
// otherwise nobody would know it.
func (c *openControl) print(w io.Writer) {
	switch {
	case c.url == "":
		fmt.Fprintln(w, "  control          off")
	case c.token == "":
		fmt.Fprintf(w, "  control          %s%s  (cabrank requests, clock, fault add; check --advance-url takes …/advance)\n", c.url, control.Prefix)
	case c.made:
		fmt.Fprintf(w, "  control          %s%s\n", c.url, control.Prefix)
		fmt.Fprintf(w, "  control token    %s  (Authorization: Bearer TOKEN, or CABRANK_TOKEN for 'cabrank clock' and the like)\n", c.token)
	default:
		fmt.Fprintf(w, "  control          %s%s  (asks for the token that --control-token gave)\n", c.url, control.Prefix)
	}
}

// warn prints a warning if the token of the control API can be read on the network.
func (c *openControl) warn(w io.Writer) {
	if c.url != "" && !c.local && strings.HasPrefix(c.url, "http:") {
		fmt.Fprintln(w, "warning: other machines can reach control, and its token goes over the network in clear text; --control-listen 127.0.0.1:8081 keeps control on this machine, --no-control turns it off")
	}
}
