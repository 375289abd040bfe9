package phoning

import (
	"context"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	certificates "github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
)

// sipFlags configure the SIP server.
type sipFlags struct {
	address  string
	ports    string
	external bool
}

func (f *sipFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.address, "sip", "", "take and place calls by SIP at this address, by UDP and TCP, such as 127.0.0.1:5060 (default: all lines are simulated)")
	fs.StringVar(&f.ports, "rtp-ports", "20000-23999", "UDP ports for the sound of calls by SIP; a call uses one")
	fs.BoolVar(&f.external, "allow-external-calls", false, "let --sip listen for other machines, and call trunks and telephones there")
}

// options returns the flags as options of the platform.
func (f *sipFlags) options() (platform.SIP, error) {
	if f.address == "" && f.external {
		return platform.SIP{}, cli.UsageError("--allow-external-calls wants --sip")
	}
	from, to, ok := strings.Cut(f.ports, "-")
	first, err1 := strconv.ParseUint(from, 10, 16)
	last, err2 := strconv.ParseUint(to, 10, 16)
	if !ok || err1 != nil || err2 != nil || first < 1024 || last < first+1 {
		return platform.SIP{}, cli.UsageError("--rtp-ports is %q, want two ports from 1024 on, such as 20000-23999", f.ports)
	}
	return platform.SIP{Address: f.address, External: f.external, FirstPort: uint16(first), LastPort: uint16(last)}, nil
}

// banner prints where telephones log in, if the platform listens for them.
func (f *sipFlags) banner(w io.Writer, s *served) {
	if address, listens := s.platform.SIPAddress(); listens {
		fmt.Fprintf(w, "  telephones       sip:%s  (UDP and TCP; 'cabrank platform phone add 201%s' lets one log in)\n", address, platformFlag(s.url))
	}
}

// usualAccount is the account whose telephones are added unless another one is named.
const usualAccount = "Otterbridge Taxis"

// newRealPhone returns the command that lets telephones log in to a running platform, or no longer lets them.
func newRealPhone(out cli.Outside) *cobra.Command {
	var c client
	var account, user, number string
	var asJSON bool
	cmd := cli.WithActions(&cobra.Command{
		Use:   "phone",
		Short: "Let telephones log in to a running platform",
		Long: `Let a telephone log in as an extension of an account, with a new password, and print what to type into
Linphone or baresip. A telephone that could log in before keeps its settings except the password.

The platform must listen for telephones: 'cabrank platform --sip 127.0.0.1:5060'. With --number the telephone
calls with that number, and a call to that number rings the telephone, such as that of a customer or a driver.`,
		Example: `  cabrank platform phone add 201
  cabrank platform phone add 202 --number +447700900123 --account 'Harbour Minicabs'
  cabrank platform phone remove 201`,
	},
		cli.Action{
			Use: "add EXTENSION", Does: "let a telephone log in as an extension, and print what to type into it", Flags: []string{"user", "number", "json"},
			Run: func(cmd *cobra.Command, args []string) error {
				if err := c.connect(); err != nil {
					return err
				}
				made, err := c.addPhone(cmd.Context(), account, map[string]string{"extension": args[0], "user": user, "number": number})
				switch {
				case err != nil:
					return err
				case asJSON:
					return cli.PrintJSON(out.Stdout, made)
				}
				printPhone(out.Stdout, made)
				return nil
			},
		},
		cli.Action{Use: "remove USER", Does: "let a telephone log in no more", Run: func(cmd *cobra.Command, args []string) error {
			if err := c.connect(); err != nil {
				return err
			}
			path := "/sim/v1/accounts/" + url.PathEscape(account) + "/phones/" + url.PathEscape(args[0])
			if err := c.do(cmd.Context(), http.MethodDelete, path, nil, nil); err != nil {
				return fmt.Errorf("not done: %w", err)
			}
			_, err := fmt.Fprintf(out.Stdout, "%s cannot log in any more\n", cli.Printable(args[0]))
			return err
		}})
	c.add(cmd.Flags())
	cmd.Flags().StringVar(&account, "account", usualAccount, "id or name of the account")
	cmd.Flags().StringVar(&user, "user", "", "with add: user that it logs in as (default: the extension)")
	cmd.Flags().StringVar(&number, "number", "", "with add: number of its own")
	cmd.Flags().BoolVar(&asJSON, "json", false, "with add: print JSON")
	return cmd
}

// addPhone lets a telephone of an account log in, and returns its new settings.
func (c *client) addPhone(ctx context.Context, account string, phone map[string]string) (made simapi.RealPhone, err error) {
	if err := c.do(ctx, http.MethodPost, "/sim/v1/accounts/"+url.PathEscape(account)+"/phones", phone, &made); err != nil {
		return made, fmt.Errorf("not done: %w", err)
	}
	return made, nil
}

// printPhone prints what to type into a telephone so that it can log in.
func printPhone(w io.Writer, p simapi.RealPhone) {
	fmt.Fprintf(w, "extension %s: user %s, password %s\n", cli.Printable(p.Extension), cli.Printable(p.User), p.Password)
	if p.Server == "" {
		fmt.Fprintln(w, "the platform has no real lines: start it with --sip 127.0.0.1:5060, and with the same --db")
		return
	}
	host, port, _ := net.SplitHostPort(p.Server) // it is an address
	fmt.Fprintf(w, `
Linphone: Assistant, "I already have a SIP account"
  Username   %s
  Password   %s
  Domain     %s
  Transport  UDP

baresip: one line of ~/.baresip/accounts
  <sip:%s@%s>;auth_pass=%s;regint=300

anything else: user %s, domain and registrar %s, port %s, UDP or TCP, no encryption
then dial a number of the platform, or another extension
`, p.User, p.Password, p.Server, p.User, p.Server, p.Password, p.User, host, port)
}

// newCertificate creates a certificate for a listener, and writes that of its authority to a file, for clients to
// trust. No key is written.
func newCertificate(at net.Addr, path string) (tls.Certificate, error) {
	now := cli.Now()
	authority, err := certificates.NewAuthority(now)
	if err != nil {
		return tls.Certificate{}, err
	}
	host, _, err := net.SplitHostPort(at.String())
	if err != nil {
		return tls.Certificate{}, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: authority.Certificate()})
	if err := cli.Replace("--tls-cert", path, text, 0o644); err != nil {
		return tls.Certificate{}, err
	}
	return authority.Issue(now.AddDate(0, 0, -1), now.AddDate(1, 0, 0), "localhost", "127.0.0.1", "::1", host)
}
