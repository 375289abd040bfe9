package dispatch

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// RequestHeader carries the request id, which is also in the problem document and in
// the log line.
const RequestHeader = "X-Cabrank-Request"

// withRequestID sets the id of each request, recovers from panics of its handler, and logs
// one line after the answer.
func (s *web) withRequestID(wall func() time.Time) gin.HandlerFunc {
	ids := inbound.RequestIDs()
	return func(c *gin.Context) {
		id := ids()
		h := c.Writer.Header()
		h[RequestHeader] = []string{id}
		h["X-Content-Type-Options"] = nosniff
		if !s.log.Enabled(c, slog.LevelInfo) {
			s.recoverPanic(c)
			return
		}
		began := wall()
		s.recoverPanic(c)
		s.log.InfoContext(c, "request", "request", id, "client", c.RemoteIP(), "method", c.Request.Method, "path", cut(c.Request.URL.Path),
			"status", c.Writer.Status(), "bytes", c.Writer.Size(), "took_ms", milliseconds(wall().Sub(began)))
	}
}

// milliseconds converts a duration for the log, where the name of a number has its unit.
func milliseconds(d time.Duration) float64 {
	return math.Round(float64(d)/float64(time.Microsecond)) / 1000
}

// nosniff prevents browsers from guessing another content type.
var nosniff = []string{"nosniff"}

// cut shortens a path for the log, since clients choose its length.
func cut(path string) string {
	const most = 120
	if len(path) <= most {
		return path
	}
	return strings.ToValidUTF8(path[:most], "") + fmt.Sprintf("… (%d bytes)", len(path))
}

// recoverPanic runs the handlers. A panic fails this request only.
func (s *web) recoverPanic(c *gin.Context) {
	defer func() {
		if broken := recover(); broken != nil {
			s.fail(c, fmt.Errorf("panic: %v\n%s", broken, debug.Stack()))
		}
	}()
	c.Next()
}

func requestID(c *gin.Context) string { return c.Writer.Header().Get(RequestHeader) }

// requireCredentials refuses requests without the credentials, and limits how fast they
// can be guessed.
func (s *web) requireCredentials(wall func() time.Time, credentials taxi.Credentials) gin.HandlerFunc {
	want := expect(credentials)
	if want.header == "" {
		return func(*gin.Context) {}
	}
	limits := inbound.NewGuesses()
	return func(c *gin.Context) {
		switch heard, match := limits.Heard(c.RemoteIP(), wall(), func() bool { return want.match(c.Request) }); {
		case match:
		case !heard:
			s.fail(c, refuse(taxi.CodeRateLimited, "too many wrong credentials came from this address"))
		default:
			c.Header("WWW-Authenticate", want.challenge)
			s.fail(c, refuse(taxi.CodeUnauthenticated, "this server asks for credentials"))
		}
	}
}

// limitRate limits the rate of each client. It runs after the credentials check, so that
// guessing does not use up the legitimate client's limit.
func (s *web) limitRate(wall func() time.Time, perSecond float64) gin.HandlerFunc {
	if perSecond <= 0 {
		return func(*gin.Context) {}
	}
	limits := newLimiter(perSecond)
	return func(c *gin.Context) {
		if !limits.allow(inbound.Network(c.RemoteIP()), wall()) {
			p := refuse(taxi.CodeRateLimited, "at most %g requests a second are served", perSecond)
			p.RetryAfter = max(p.RetryAfter, time.Duration(math.Ceil(1/perSecond))*time.Second)
			s.fail(c, p)
		}
	}
}

// limiter holds a rate limit for each of the latest clients.
type limiter struct {
	perSecond rate.Limit
	mu        sync.Mutex // held from the lookup of a client until it is added
	clients   *lru.Cache[string, *rate.Limiter]
}

const rememberedClients = 4096

func newLimiter(perSecond float64) *limiter {
	clients, err := lru.New[string, *rate.Limiter](rememberedClients)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	return &limiter{perSecond: rate.Limit(perSecond), clients: clients}
}

func (l *limiter) allow(client string, at time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	known, ok := l.clients.Get(client)
	if !ok {
		known = rate.NewLimiter(l.perSecond, max(1, int(2*l.perSecond)))
		l.clients.Add(client, known)
	}
	return known.AllowN(at, 1)
}

// requireJSON refuses requests that do not send JSON or do not accept it, before their
// body is read.
func (s *web) requireJSON() gin.HandlerFunc {
	return func(c *gin.Context) {
		h := c.Request.Header
		switch {
		case isPlain(h): // the usual case
		case !inbound.SendsJSON(h.Get("Content-Type")):
			s.fail(c, refuse(taxi.CodeUnsupportedMediaType, "Content-Type is %q, want application/json", h.Get("Content-Type")))
		case h.Get("Content-Encoding") != "" && h.Get("Content-Encoding") != "identity":
			s.fail(c, refuse(taxi.CodeUnsupportedMediaType, "Content-Encoding %q is not understood", h.Get("Content-Encoding")))
		case !inbound.TakesJSON(h.Values("Accept")):
			s.fail(c, refuse(taxi.CodeNotAcceptable, "Accept leaves no room for application/json"))
		}
	}
}

// isPlain reports whether a request sends JSON and accepts any answer. Header names are in canonical form.
func isPlain(h http.Header) bool {
	sent := h["Content-Type"]
	return len(sent) > 0 && sent[0] == "application/json" && h["Content-Encoding"] == nil && h["Accept"] == nil
}

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// inMemory is a body that an outer layer has already read, so it need not be copied.
type inMemory interface{ Whole() []byte }

// readBody reads the complete body of a request, within the limits of size and time.
// The bytes are valid until release is called.
func readBody(c *gin.Context) (raw []byte, release func(), err error) {
	if c.Request.ContentLength > maxBody {
		inbound.Discard(c.Request)
		return nil, nil, refuse(taxi.CodeTooLarge, "%d bytes are more than %d", c.Request.ContentLength, maxBody)
	}
	if known, ok := c.Request.Body.(inMemory); ok && len(known.Whole()) <= maxBody {
		return known.Whole(), func() {}, nil
	}
	buf := bodies.Get().(*bytes.Buffer)
	buf.Reset()
	_, err = buf.ReadFrom(io.LimitReader(c.Request.Body, maxBody+1))
	switch {
	case err == nil && buf.Len() <= maxBody:
		return buf.Bytes(), func() { bodies.Put(buf) }, nil
	case err == nil:
		inbound.Discard(c.Request)
		err = refuse(taxi.CodeTooLarge, "more than %d bytes", maxBody)
	case timedOut(err):
		err = refuse(taxi.CodeRequestTimeout, "the body did not arrive in time")
	default:
		err = refuse(taxi.CodeMalformedJSON, "the body broke off")
	}
	bodies.Put(buf)
	return nil, nil, err
}

func timedOut(err error) bool {
	netErr, ok := errors.AsType[net.Error](err)
	return errors.Is(err, os.ErrDeadlineExceeded) || ok && netErr.Timeout()
}

// proof is the header with the credentials that a client must send.
type proof struct {
	header    string   // "": none
	scheme    bool     // the value starts with a scheme, whose case does not matter (RFC 9110, 11.1)
	want      [32]byte // SHA-256 of the header's value, so that comparing takes the same time for any guess
	challenge string   // WWW-Authenticate
}

// expect returns the header that a client must send for credentials. Credentials that
// cannot be sent in a header never match.
func expect(c taxi.Credentials) proof {
	switch c.Style {
	case "", taxi.AuthNone:
		return proof{}
	case taxi.AuthBearer:
		return proof{"Authorization", true, digest("Bearer " + c.Secret), `Bearer realm="cabrank"`}
	case taxi.AuthBasic:
		token := base64.StdEncoding.EncodeToString([]byte(c.Name + ":" + c.Secret))
		return proof{"Authorization", true, digest("Basic " + token), `Basic realm="cabrank", charset="UTF-8"`}
	case taxi.AuthHeader:
		return proof{c.Name, false, digest(c.Secret), `ApiKey realm="cabrank"`}
	default:
		return proof{header: "Authorization", challenge: `Bearer realm="cabrank"`}
	}
}

func digest(value string) [32]byte { return sha256.Sum256([]byte(value)) }

// match reports whether a request carries the proof.
func (p proof) match(r *http.Request) bool {
	if p.header == "" {
		return true
	}
	shown := r.Header.Get(p.header)
	if scheme, token, ok := strings.Cut(shown, " "); ok && scheme != "" && p.scheme {
		shown = strings.ToUpper(scheme[:1]) + strings.ToLower(scheme[1:]) + " " + strings.TrimLeft(token, " ")
	}
	got := digest(shown)
	return subtle.ConstantTimeCompare(got[:], p.want[:]) == 1
}
