package serving

import (
	"crypto/tls"
	"encoding/pem"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/callingside"
)

// tlsFlags select the certificate of the server.
type tlsFlags struct{ certFile, keyFile, made, caOut string }

// madeForRun is the value of --tls for a certificate that is generated at the start, and signed by a generated CA.
const madeForRun = "self-signed"

func (f *tlsFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.certFile, "tls-cert", "", "serve HTTPS with the certificate in this PEM file, followed by its intermediate certificates")
	fs.StringVar(&f.keyFile, "tls-key", "", "private key of --tls-cert, PEM file")
	fs.StringVar(&f.made, "tls", "", "serve HTTPS with a generated certificate: self-signed; --ca-out writes the CA certificate")
	fs.StringVar(&f.caOut, "ca-out", "", "with --tls: write the CA certificate for clients to this PEM file")
}

// on reports whether connections use TLS.
func (f *tlsFlags) on() bool { return f.certFile != "" || f.keyFile != "" || f.made != "" }

// check returns a usage error for flags that do not go together.
func (f *tlsFlags) check() error {
	switch {
	case f.made != "" && f.made != madeForRun:
		return cli.UsageError("--tls is %q, want %s; --tls-cert and --tls-key take a certificate of your own", f.made, madeForRun)
	case f.made != "" && (f.certFile != "" || f.keyFile != ""):
		return cli.UsageError("--tls and --tls-cert are two certificates: take one")
	case (f.certFile == "") != (f.keyFile == ""):
		return cli.UsageError("--tls-cert and --tls-key go together")
	case f.caOut != "" && f.made == "":
		return cli.UsageError("--ca-out needs --tls self-signed")
	}
	return nil
}

// secure wraps a listener in TLS if a flag asks for it. It offers no HTTP/2, because a
// fault may take over the connection.
func (f *tlsFlags) secure(l net.Listener) (net.Listener, error) {
	if !f.on() {
		return l, nil
	}
	pair, err := f.pair(l)
	if err != nil {
		return nil, err
	}
	return tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12}), nil
}

// pair returns the certificate of the files, or a new one for the address of a listener.
func (f *tlsFlags) pair(l net.Listener) (tls.Certificate, error) {
	if f.certFile != "" {
		pair, err := tls.LoadX509KeyPair(f.certFile, f.keyFile)
		if err != nil {
			return pair, cli.UsageError("--tls-cert and --tls-key: %w", err)
		}
		return pair, nil
	}
	host, _, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return tls.Certificate{}, err
	}
	all, ca, err := callingside.TemporaryCertificates(cli.Now(), host, "localhost", "127.0.0.1")
	if err == nil && f.caOut != "" {
		err = cli.Replace("--ca-out", f.caOut, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ca}), 0o644)
	}
	if err != nil {
		return tls.Certificate{}, err
	}
	return all.Good, nil
}

// prefixes parses the addresses and ranges of a flag.
func prefixes(flag string, texts []string) ([]netip.Prefix, error) {
	var all []netip.Prefix
	for _, text := range texts {
		prefix, err := netip.ParsePrefix(text)
		if address, isAddress := netip.ParseAddr(text); isAddress == nil {
			prefix, err = address.Prefix(address.BitLen())
		}
		if err != nil {
			return nil, cli.UsageError("%s is %q, want an address such as 10.1.2.3, or a range such as 10.0.0.0/8", flag, text)
		}
		all = append(all, prefix.Masked())
	}
	return all, nil
}

// within reports whether an address is in one of the ranges.
func within(ranges []netip.Prefix, at netip.Addr) bool {
	return slices.ContainsFunc(ranges, func(p netip.Prefix) bool { return p.Contains(at.Unmap()) })
}

// behindProxies sets the client address of requests that come through trusted proxies
// from X-Forwarded-For, for limits and the log. It ignores the header of any other
// client.
func behindProxies(next http.Handler, trusted []netip.Prefix) http.Handler {
	if len(trusted) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		own := *r
		own.RemoteAddr = clientOf(r, trusted)
		next.ServeHTTP(w, &own)
	})
}

// clientOf returns the client address of a request: the last address that is not a
// trusted proxy.
func clientOf(r *http.Request, trusted []netip.Prefix) string {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		before, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil || !within(trusted, from.Addr()) {
			break
		}
		from = netip.AddrPortFrom(before.Unmap(), from.Port())
	}
	return from.String()
}
