package serving

import (
	"crypto/tls"
	"net"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// tlsFlags select the certificate of the server.
type tlsFlags struct{ certFile, keyFile, made string }

// madeForRun is the value for a certificate that is generated at the start, and signed by
// a generated CA.
const madeForRun = "self-signed"

func (f *tlsFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.certFile, "tls-cert", "", "serve HTTPS with the certificate in this PEM file, followed by its intermediate certificates")
	fs.StringVar(&f.keyFile, "tls-key", "", "private key of --tls-cert, PEM file")
	fs.StringVar(&f.made, "tls", "", "serve HTTPS with a generated certificate: self-signed; --ca-out writes the CA certificate")
}

// on reports whether connections use TLS.
func (f *tlsFlags) on() bool { return f.certFile != "" || f.keyFile != "" || f.made != "" }

// check refuses flags that do not go together.
func (f *tlsFlags) check() error {
	switch {
	case f.made != "" && f.made != madeForRun:
		return cli.UsageError("--tls is %q, want %s; --tls-cert and --tls-key take a certificate of your own", f.made, madeForRun)
	case f.made != "" && (f.certFile != "" || f.keyFile != ""):
		return cli.UsageError("--tls and --tls-cert are two certificates: take one")
	case (f.certFile == "") != (f.keyFile == ""):
		return cli.UsageError("--tls-cert and --tls-key go together")
	}
	return nil
}

// secure wraps a listener in TLS with the certificate of the files.
func (f *tlsFlags) secure(l net.Listener) (net.Listener, error) {
	pair, err := tls.LoadX509KeyPair(f.certFile, f.keyFile)
	if err != nil {
		return nil, cli.UsageError("--tls-cert and --tls-key: %w", err)
	}
	return secured(l, pair), nil
}

// secured wraps a listener in TLS. It offers no HTTP/2, because a fault may take over the
// connection.
func secured(l net.Listener, shown tls.Certificate) net.Listener {
	return tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{shown}, NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12})
}
