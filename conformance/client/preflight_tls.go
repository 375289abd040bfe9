package client

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch/outbound"
)

// secure makes the TLS handshake on a connection and returns it as a step of the preflight.
func (r *Client) secure(ctx context.Context, conn net.Conn, host string, config *tls.Config) conformance.Step {
	config = config.Clone()
	config.ServerName, config.NextProtos = cmp.Or(config.ServerName, host), []string{"h2", "http/1.1"}
	started := r.Config.Now()
	state, err := r.shakeHands(ctx, conn, config)
	s := conformance.Step{Name: "TLS", OK: err == nil, Took: r.Config.since(started)}
	if err != nil {
		s.Check, s.Detail, s.Cure = r.Config.TLSCheck, cause(err), "look at the server's log: the connection was not secured"
		r.diagnose(ctx, &s, err, conn.RemoteAddr().String(), config)
		return s
	}
	s.Detail = tls.VersionName(state.Version)
	if r.OffersHTTP2 = state.NegotiatedProtocol == "h2"; r.OffersHTTP2 {
		s.Detail += ", HTTP/2 on offer"
	}
	if len(state.PeerCertificates) > 0 {
		s.Detail += ", certificate good until " + state.PeerCertificates[0].NotAfter.Format(time.DateOnly)
	}
	if r.asksForCertificate.Load() {
		s.Detail += ", asks for a client certificate"
	}
	return s
}

// shakeHands makes a TLS connection, and records whether the server asks for a client
// certificate.
func (r *Client) shakeHands(ctx context.Context, conn net.Conn, config *tls.Config) (tls.ConnectionState, error) {
	if len(config.Certificates) == 0 && config.GetClientCertificate == nil {
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			r.asksForCertificate.Store(true)
			return &tls.Certificate{}, nil
		}
	}
	secured := tls.Client(conn, config)
	err := secured.HandshakeContext(ctx)
	return secured.ConnectionState(), err
}

// diagnose adds to a step why the handshake failed, and the cure.
func (r *Client) diagnose(ctx context.Context, s *conformance.Step, err error, at string, config *tls.Config) {
	var (
		expired x509.CertificateInvalidError
		foreign x509.HostnameError
		unknown x509.UnknownAuthorityError
		noTLS   tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &expired) && expired.Reason == x509.Expired && expired.Cert.NotAfter.Before(r.Config.Now()):
		s.Detail = "the server's certificate expired on " + expired.Cert.NotAfter.Format(time.DateOnly)
		s.Cure = "renew the certificate, automatically and a month ahead"
	case errors.As(err, &foreign):
		s.Detail = fmt.Sprintf("the server's certificate is for %s, not for %s", cmp.Or(strings.Join(namesOf(foreign.Certificate), ", "), "no host"), foreign.Host)
		s.Cure = "use a certificate for this host name, or the address that the certificate is for"
	case errors.As(err, &unknown):
		s.Detail = "nobody whom this machine trusts has signed the server's certificate"
		s.Cure, s.Aid = "send the whole chain with the intermediate certificates; for an authority of your own give its certificate", conformance.AidAuthority
	case errors.As(err, &noTLS):
		s.Check, s.Detail = r.Config.HTTPSCheck, "the server does not speak TLS on this port"
		s.Cure = "serve https there, or give an http:// address if the server speaks plain HTTP"
	case r.asksForCertificate.Load() || r.certificateObjection(conformance.FailureOf(err)) != "":
		s.Check, s.Detail = "", cmp.Or(r.certificateObjection(conformance.FailureOf(err)), noCertificate)
		s.Cure, s.Aid = r.certificateCure()
	default:
		if version := r.oldVersion(ctx, at, config); version != "" {
			s.Detail = "the server offers " + version + " at most"
			s.Cure = "switch TLS 1.2 and 1.3 on, and what is older off"
		}
	}
}

func namesOf(c *x509.Certificate) []string {
	names := c.DNSNames
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	return names
}

// oldVersion makes another handshake that allows TLS 1.0 and 1.1, and returns the newest version that the
// server supports; "": this handshake failed, too. Nothing is sent over the connection.
func (r *Client) oldVersion(ctx context.Context, at string, config *tls.Config) string {
	conn, err := outbound.Dialer(outbound.Options{Guard: r.Config.Guard}).DialContext(ctx, "tcp", at)
	if err != nil {
		return ""
	}
	defer conn.Close()
	config = config.Clone()
	config.MinVersion, config.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
	state, err := r.shakeHands(ctx, conn, config)
	if err != nil {
		return ""
	}
	return tls.VersionName(state.Version)
}

const noCertificate = "the server wants to see a client certificate"

// refusals describes a server's objections to the caller's certificate.
var refusals = map[conformance.ErrorKind]string{
	conformance.ErrCertRequired:    noCertificate,
	conformance.ErrCertBad:         "the server does not accept the client certificate",
	conformance.ErrCertUnknownCA:   "the server does not know who signed the client certificate",
	conformance.ErrCertExpired:     "the server says that the client certificate has expired",
	conformance.ErrCertRevoked:     "the server says that the client certificate is revoked",
	conformance.ErrCertUnsupported: "the server has no use for a client certificate of this kind",
	conformance.ErrCertUnknown:     "the server does not accept the client certificate",
}

// certificateObjection describes a server's objection to the caller's certificate, given the kind of
// failure of a call; "": it is another kind. In TLS 1.3 a server objects only in answer to the first call.
func (r *Client) certificateObjection(kind conformance.ErrorKind) string {
	says := refusals[kind]
	if _, shown := r.OwnCertificate(); says != "" && !shown {
		return noCertificate
	}
	return says
}

// certificateCure returns what to do if the server does not accept the caller's certificate, and the aid
// that helps.
func (r *Client) certificateCure() (cure string, aid conformance.Aid) {
	if _, shown := r.OwnCertificate(); !shown {
		return "give the certificate and its key", conformance.AidCertificate
	}
	return "have the client certificate signed, for clients, by the authority that the server trusts, and look at its dates", ""
}
