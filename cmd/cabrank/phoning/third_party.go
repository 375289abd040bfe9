package phoning

import (
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform"
)

// thirdPartyFlags select the dispatch system that the taxi plugin books with.
type thirdPartyFlags struct {
	url, auth, ca string
	party         platform.ThirdParty
}

func (f *thirdPartyFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.url, "third-party", "", "base address of the dispatch system for all accounts; callers use its /places, if it has them (default: the setting of each account)")
	fs.StringVar(&f.auth, "third-party-auth", "none", "credentials for --third-party: none, basic:USER:PASSWORD, bearer:TOKEN, header:NAME:VALUE or query:NAME:VALUE; @FILE or env:NAME instead of a secret")
	fs.StringVar(&f.ca, "third-party-ca", "", "PEM file with CA certificates for --third-party, in addition to the system's")
}

// read validates the flags, and sets f.party.
func (f *thirdPartyFlags) read(out cli.Outside) error {
	credentials, err := taxi.ParseAuth(f.auth, cli.SecretFrom(out.Getenv), taxi.AuthQuery)
	if err != nil {
		return cli.UsageError("--third-party-auth: %w", err)
	}
	if f.url == "" {
		if f.auth != "none" || f.ca != "" {
			return cli.UsageError("--third-party is missing: want the address that --third-party-auth and --third-party-ca are for")
		}
		return nil
	}
	if err := cli.CheckAddress("--third-party", f.url); err != nil {
		return err
	}
	if err := platform.CheckThirdParty(f.url); err != nil {
		return cli.UsageError("--third-party%s: %w", shown(f.url), err)
	}
	f.party = platform.ThirdParty{URL: f.url, Auth: written(credentials)}
	if f.ca == "" {
		return nil
	}
	text, err := cli.ReadText(f.ca)
	if err != nil {
		return cli.UsageError("--third-party-ca: %w", err)
	}
	if !x509.NewCertPool().AppendCertsFromPEM(text) {
		return cli.UsageError("--third-party-ca %s: it holds no certificate in PEM form", f.ca)
	}
	f.party.Roots = string(text)
	return nil
}

// shown returns an address in quotation marks for an error message, or "" if it may contain a secret.
func shown(address string) string {
	if strings.ContainsAny(address, "@?") {
		return ""
	}
	return " " + strconv.Quote(address)
}

// written returns credentials in the form of an --auth flag, including the secret; "" for none.
func written(c taxi.Credentials) string {
	switch c.Style {
	case taxi.AuthNone:
		return ""
	case taxi.AuthBearer:
		return string(c.Style) + ":" + c.Secret
	default:
		return string(c.Style) + ":" + c.Name + ":" + c.Secret
	}
}

// use makes all accounts of a platform book with the dispatch system of the flags. Callers use its places, if it lists
// them.
func (f *thirdPartyFlags) use(ctx context.Context, p *platform.Platform) error {
	if f.url == "" {
		return nil
	}
	if f.party.Places == nil {
		asking, cancel := context.WithTimeout(ctx, placesWithin)
		defer cancel()
		if served := calling.AskPlaces(asking, outbound.New(outbound.Options{}), f.url); len(served) > 0 {
			f.party.Places = platform.PlacesOf(served)
		}
	}
	return p.UseThirdParty(ctx, f.party)
}

// placesWithin is the timeout for the list of places, which few third parties have.
const placesWithin = 3 * time.Second

func (f *thirdPartyFlags) banner(w io.Writer, url string) {
	if f.url == "" {
		fmt.Fprintln(w, "  taxis            no dispatch system (--third-party names one)")
		return
	}
	fmt.Fprintf(w, "  taxis            booked with %s\n", f.url)
	fmt.Fprintf(w, "  book one         cabrank call taxi --from 442079460001%s\n", platformFlag(url))
	fmt.Fprintf(w, "  drive address    %s/sim/v1/drive  (for cabrank check caller --drive)\n", url)
}
