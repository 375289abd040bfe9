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
	"github.com/cabrank/cabrank/simulator/control/tokens"
	"github.com/cabrank/cabrank/simulator/worlds"
)

// crossOrigin refuses requests that a page of another site makes.
var crossOrigin = http.NewCrossOriginProtection()

// allowed returns who makes a request. It refuses requests of pages of other sites,
// requests that name another host than this machine if no token is needed, and requests
// without a token otherwise.
func (s *Server) allowed(r *http.Request) (person, error) {
	who, err := s.authenticate(r)
	if err != nil {
		return person{}, err
	}
	if err := crossOrigin.Check(r); err != nil {
		return person{}, taxi.NewProblem(http.StatusForbidden, taxi.CodeForbidden, "a page of another site asks")
	}
	// A page can send a form, or an empty body, to another site without permission. It
	// cannot set the Content-Type of JSON. An empty body from a program means {}.
	hasBody, mayBePage := r.ContentLength != 0, r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != ""
	if (r.Method == http.MethodPost && mayBePage || hasBody && r.Method != http.MethodGet) && !isJSON(r) {
		return person{}, taxi.NewProblem(http.StatusUnsupportedMediaType, taxi.CodeUnsupportedMediaType, "Content-Type is %q, want application/json", r.Header.Get("Content-Type"))
	}
	return who, nil
}

// Guard passes on requests of clients that may call the control API, for pages that are
// served beside it. What changes something, or opens a connection that may, needs the
// right everything.
func (s *Server) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who, err := s.allowed(r)
		isRead := (r.Method == http.MethodGet || r.Method == http.MethodHead) && r.Header.Get("Upgrade") == ""
		if err == nil && !isRead && who.may != tokens.MayEverything {
			err = who.forbidden(tokens.MayEverything, &worlds.World{})
		}
		if err != nil {
			s.fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// authenticate returns the owner of the token in a request. It refuses requests without a valid one, and
// limits how fast one can be guessed. A request without any token is not a guess.
func (s *Server) authenticate(r *http.Request) (person, error) {
	all, err := s.tokens.List(r.Context())
	if err == nil && len(all) == 0 && s.options.Token == "" {
		if !localName(r.Host) {
			return person{}, taxi.NewProblem(http.StatusMisdirectedRequest, codeMisdirected, "these calls are answered on loopback names only")
		}
		return anybody, nil
	}
	if r.Header.Get("Authorization") != "" {
		var who person
		if _, known := s.shown(r, all); !known && err == nil && s.newer.AllowN(s.options.Now(), 1) {
			all, err = s.tokens.Newest(r.Context()) // another process may have added it just now
		}
		heard, match := s.guesses.Heard(addressOf(r), s.options.Now(), func() (known bool) {
			who, known = s.shown(r, all)
			return known
		})
		switch {
		case match && who.token != nil && who.token.Expired(s.options.Now()):
			return person{}, taxi.NewProblem(http.StatusUnauthorized, taxi.CodeUnauthenticated, "the token %s has expired", who.name)
		case match:
			return who, nil
		case !heard:
			p := taxi.NewProblem(http.StatusTooManyRequests, taxi.CodeRateLimited, "too many wrong tokens came from this address")
			p.RetryAfter = time.Second
			return person{}, p
		}
	}
	if err != nil {
		s.log.ErrorContext(r.Context(), "the tokens cannot be read", "error", err)
		return person{}, later(taxi.CodeStorageUnavailable, true, "the tokens cannot be read; the log says more")
	}
	return person{}, taxi.NewProblem(http.StatusUnauthorized, taxi.CodeUnauthenticated, "want the server's token, as Authorization: Bearer TOKEN")
}

// addressOf returns the client address of a request, without its port.
func addressOf(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return r.RemoteAddr
}

// shown returns the person whose token a request contains; false: it is neither the server's
// own nor one of all. It compares hashes, so the time does not depend on the token's length.
func (s *Server) shown(r *http.Request, all []tokens.Kept) (who person, known bool) {
	style, sent, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got, own := sha256.Sum256([]byte(strings.TrimSpace(sent))), sha256.Sum256([]byte(s.options.Token))
	found := tokens.Whose(all, got[:])
	switch {
	case !strings.EqualFold(style, "Bearer"):
		return person{}, false
	case s.options.Token != "" && subtle.ConstantTimeCompare(got[:], own[:]) == 1:
		return anybody, true
	case found == nil:
		return person{}, false
	}
	return person{found.Name, found.May, found.Sandboxes, found}, true
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
