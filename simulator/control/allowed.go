package control

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// crossOrigin refuses requests that a page of another site makes.
var crossOrigin = http.NewCrossOriginProtection()

// allowed refuses callers who may not call: pages of other sites, names that are not
// this machine's where no token is asked for, and whoever lacks the token.
func (s *Server) allowed(r *http.Request) error {
	switch token := s.options.Token; {
	case token == "" && !localName(r.Host):
		return refuse(http.StatusMisdirectedRequest, codeMisdirected, "these calls are answered on loopback names only")
	case token != "" && !shows(r, token):
		return refuse(http.StatusUnauthorized, taxi.CodeUnauthenticated, "want the token that the server printed, as Authorization: Bearer TOKEN")
	}
	if err := crossOrigin.Check(r); err != nil {
		return refuse(http.StatusForbidden, taxi.CodeForbidden, "a page of another site asks")
	}
	// A page can send a form, or nothing at all, to another site without being asked. It
	// cannot say that it is JSON.
	if hasBody := r.ContentLength != 0; (r.Method == http.MethodPost || hasBody && r.Method != http.MethodGet) && !isJSON(r) {
		return refuse(http.StatusUnsupportedMediaType, taxi.CodeUnsupportedMediaType, "Content-Type is %q, want application/json", r.Header.Get("Content-Type"))
	}
	return nil
}

// shows reports whether a request has the token. Sums are compared, as they are of one
// length.
func shows(r *http.Request, token string) bool {
	style, sent, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got, want := sha256.Sum256([]byte(strings.TrimSpace(sent))), sha256.Sum256([]byte(token))
	return strings.EqualFold(style, "Bearer") && subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// localName reports whether a Host header names this machine: a page could otherwise
// reach it under a name that it controls (DNS rebinding).
func localName(name string) bool {
	if h, _, err := net.SplitHostPort(name); err == nil {
		name = h
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	ip, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && ip.IsLoopback()
}
