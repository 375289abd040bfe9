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

// allowed refuses callers who may not call: pages of other sites, names that are not
// this machine's where no token is asked for, and whoever lacks the token.
func (s *Server) allowed(r *http.Request) error {
	if err := s.knows(r); err != nil {
		return err
	}
	if err := crossOrigin.Check(r); err != nil {
		return taxi.NewProblem(http.StatusForbidden, taxi.CodeForbidden, "a page of another site asks")
	}
	// A page can send a form, or nothing at all, to another site without being asked. It
	// cannot say that it is JSON. A program that sends nothing means {}.
	hasBody, mayBePage := r.ContentLength != 0, r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != ""
	if (r.Method == http.MethodPost && mayBePage || hasBody && r.Method != http.MethodGet) && !isJSON(r) {
		return taxi.NewProblem(http.StatusUnsupportedMediaType, taxi.CodeUnsupportedMediaType, "Content-Type is %q, want application/json", r.Header.Get("Content-Type"))
	}
	return nil
}

// Guard lets through to next who may make calls: it is for pages that stand beside them.
func (s *Server) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.allowed(r); err != nil {
			s.fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// knows refuses who lacks the token, and limits how fast it can be guessed. Who shows
// nothing does not guess.
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

// addressOf is where a request comes from, without its port.
func addressOf(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return r.RemoteAddr
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
