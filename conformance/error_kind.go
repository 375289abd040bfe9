package conformance

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
)

// ErrorKind says what kind of failure left a call without an answer.
type ErrorKind string

// The kinds of failure. Each objection of a server to the caller's certificate has
// its own kind, since each has a different cure.
const (
	ErrRefused ErrorKind = "refused"  // the port accepts no connections
	ErrReset   ErrorKind = "reset"    // the connection was reset
	ErrClosed  ErrorKind = "closed"   // the connection was closed before an answer
	ErrTimeout ErrorKind = "timeout"  // the answer took too long
	ErrHungUp  ErrorKind = "hung-up"  // the caller did not wait for the answer
	ErrLookup  ErrorKind = "lookup"   // the host's name was not found
	ErrTLS     ErrorKind = "tls"      // the TLS handshake failed
	ErrNotHTTP ErrorKind = "not-http" // the answer was not HTTP

	ErrCertRequired    ErrorKind = "certificate-required"
	ErrCertBad         ErrorKind = "certificate-bad"
	ErrCertUnknownCA   ErrorKind = "certificate-unknown-authority"
	ErrCertExpired     ErrorKind = "certificate-expired"
	ErrCertRevoked     ErrorKind = "certificate-revoked"
	ErrCertUnsupported ErrorKind = "certificate-unsupported"
	ErrCertUnknown     ErrorKind = "certificate-unknown"
)

// alerts are the error texts of crypto/tls for a server's objections to the caller's
// certificate. Alerts have no exported type.
var alerts = []struct {
	says string
	kind ErrorKind
}{
	{"certificate required", ErrCertRequired},
	{"bad certificate", ErrCertBad},
	{"unknown certificate authority", ErrCertUnknownCA},
	{"expired certificate", ErrCertExpired},
	{"revoked certificate", ErrCertRevoked},
	{"unsupported certificate", ErrCertUnsupported},
	{"unknown certificate", ErrCertUnknown},
}

// FailureOf returns the kind of a network error; "": err is nil, or its kind is not known.
func FailureOf(err error) ErrorKind {
	network, isNetwork := errors.AsType[net.Error](err)
	switch {
	case err == nil:
		return ""
	case isLookup(err):
		return ErrLookup
	case errors.Is(err, context.Canceled):
		return ErrHungUp
	case isNetwork && network.Timeout():
		return ErrTimeout
	case errors.Is(err, syscall.ECONNREFUSED):
		return ErrRefused
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, syscall.ECONNABORTED):
		return ErrReset
	case isTLS(err):
		return tlsKind(err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return ErrClosed
	}
	return unnamedKind(err.Error())
}

func isLookup(err error) bool {
	_, is := errors.AsType[*net.DNSError](err)
	return is
}

func isTLS(err error) bool {
	_, record := errors.AsType[tls.RecordHeaderError](err)
	_, certificate := errors.AsType[*tls.CertificateVerificationError](err)
	network, is := errors.AsType[*net.OpError](err)
	return record || certificate || is && (network.Op == "remote error" || network.Op == "local error")
}

// tlsKind returns the kind of a failed TLS handshake: the server's objection to the caller's certificate,
// or else [ErrTLS].
func tlsKind(err error) ErrorKind {
	for _, alert := range alerts {
		if strings.Contains(err.Error(), "remote error: tls: "+alert.says) {
			return alert.kind
		}
	}
	return ErrTLS
}

// unnamedKind finds, by its text, the kind of a net/http error that has no type of its own; "": not known.
func unnamedKind(text string) ErrorKind {
	switch {
	case strings.Contains(text, "malformed HTTP"):
		return ErrNotHTTP
	case strings.Contains(text, "server closed idle connection"), strings.Contains(text, "connection broken"):
		return ErrClosed
	}
	return ""
}
