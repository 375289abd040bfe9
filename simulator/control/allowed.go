package control

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// crossOrigin refuses requests that a page of another site makes.
var crossOrigin = http.NewCrossOriginProtection()

// allowed refuses requests of pages of other sites, requests that name another host than
// this machine if no token is configured, and requests without the token.
func (s *Server) allowed(r *http.Request) error {
	if err := s.knows(r); err != nil {
		return err
	}
	if err := crossOrigin.Check(r); err != nil {
		return taxi.NewProblem(http.StatusForbidden, taxi.CodeForbidden, "a page of another site asks")
	}
	// A page can send a form, or an empty body, to another site without permission. It
	// cannot set the Content-Type of JSON. An empty body from a program means {}.
	hasBody, mayBePage := r.ContentLength != 0, r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != ""
	if (r.Method == http.MethodPost && mayBePage || hasBody && r.Method != http.MethodGet) && !isJSON(r) {
		return taxi.NewProblem(http.StatusUnsupportedMediaType, taxi.CodeUnsupportedMediaType, "Content-Type is %q, want application/json", r.Header.Get("Content-Type"))
	}
	return nil
}

// Guard passes on requests of clients that may call the control API, for pages that are
// served beside it.
func (s *Server) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.allowed(r); err != nil {
			s.fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// knows refuses requests without the token, and limits how fast it can be guessed. A
// request without any token is not a guess.
func (s *Server) knows(r *http.Request) error {
	token := s.options.Token
	if token == "" {
		if !localName(r.Host) {
			return taxi.NewProblem(http.StatusMisdirectedRequest, codeMisdirected, "these calls are answered on loopback names only")
		}
		return nil
	}
	if r.Header.Get("Authorization") != "" {
		heard, match := s.guesses.Heard(addressOf(r), s.options.Now(), func() bool { return shows(r, token) })
		switch {
		case match:
			return nil
		case !heard:
			p := taxi.NewProblem(http.StatusTooManyRequests, taxi.CodeRateLimited, "too many wrong tokens came from this address")
			p.RetryAfter = time.Second
			return p
		}
	}
	return taxi.NewProblem(http.StatusUnauthorized, taxi.CodeUnauthenticated, "want the server's token, as Authorization: Bearer TOKEN")
}

// addressOf returns the client address of a request, without its port.
func addressOf(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return r.RemoteAddr
}

// shows reports whether a request contains the token. It compares hashes, so the time
// does not depend on the token's length.
func shows(r *http.Request, token string) bool {
	style, sent, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got, want := sha256.Sum256([]byte(strings.TrimSpace(sent))), sha256.Sum256([]byte(token))
	return strings.EqualFold(style, "Bearer") && subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// localName reports whether a Host header names this machine. Otherwise a web page could
// reach it under a name that the page's owner controls (DNS rebinding).
func localName(name string) bool {
	if h, _, err := net.SplitHostPort(name); err == nil {
		name = h
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	ip, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && ip.IsLoopback()
}
