package dispatch

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// HTTPOptions is how the five operations are served; the zero value serves
// anybody, unlimited.
type HTTPOptions struct {
	Credentials   Credentials
	RatePerSecond float64 // requests a client may make each second, with bursts of twice that; 0: unlimited
	Version       string  // what /version says
}

// Limits of a request.
const (
	maxBody    = 64 << 10 // bytes
	maxHeaders = 16 << 10 // bytes
	maxKey     = 255      // characters of an Idempotency-Key

	headersWithin = 5 * time.Second
	requestWithin = 10 * time.Second
	answerWithin  = 30 * time.Second
	idleFor       = 2 * time.Minute
)

// Server returns an HTTP server for a handler with this package's limits on how
// long a client may take, so that a slow one holds up nobody.
func Server(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headersWithin,
		ReadTimeout:       requestWithin,
		WriteTimeout:      answerWithin,
		IdleTimeout:       idleFor,
		MaxHeaderBytes:    maxHeaders,
	}
}

// Handler serves the five operations, and beside them the pages that explain a
// refusal, the contract, and whether the server lives and is ready. The wall
// clock times requests and paces clients; it need not be the service's own.
func (s *Service) Handler(wall func() time.Time, opts HTTPOptions) http.Handler {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.RedirectTrailingSlash = false
	e.HandleMethodNotAllowed = true
	e.UseRawPath = false
	_ = e.SetTrustedProxies(nil) // fails only for a malformed list
	e.Use(s.edge(wall))
	e.NoRoute(func(c *gin.Context) {
		s.fail(c, refuse(taxi.CodeNotFound, "the operations are POST /config, /user, /book, /cancel and /status"))
	})
	e.NoMethod(func(c *gin.Context) {
		s.fail(c, refuse(taxi.CodeMethodNotAllowed, "allowed here: %s", c.Writer.Header().Get("Allow")))
	})
	s.pages(e, opts)

	ops := e.Group("", s.admission(wall, opts), s.plain())
	var flights inFlight
	ops.POST(taxi.PathConfig, operation(s, func(c *gin.Context, r taxi.ConfigRequest, _ body, f *faults) (any, error) {
		if err := f.err(); err != nil {
			return nil, err
		}
		return s.Config(c, r)
	}))
	ops.POST(taxi.PathUser, operation(s, func(c *gin.Context, r taxi.UserRequest, _ body, f *faults) (any, error) {
		return s.user(c, r, f)
	}))
	ops.POST(taxi.PathBook, operation(s, func(c *gin.Context, r taxi.BookRequest, b body, f *faults) (any, error) {
		return s.bookHTTP(c, r, b, f, &flights)
	}))
	ops.POST(taxi.PathCancel, operation(s, func(c *gin.Context, r taxi.JourneyRef, _ body, f *faults) (any, error) {
		return s.cancel(c, r, f)
	}))
	ops.POST(taxi.PathStatus, operation(s, func(c *gin.Context, r taxi.JourneyRef, _ body, f *faults) (any, error) {
		return s.statusJSON(c, r, f)
	}))
	return e
}

// body is a request's body as it came.
type body []byte

// operation adapts one of the five to HTTP: it reads the body, decodes it,
// calls, and encodes the answer or the refusal. All five go through here.
func operation[In any](s *Service, do func(*gin.Context, In, body, *faults) (any, error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		raw, release, err := readBody(c)
		if err != nil {
			s.fail(c, err)
			return
		}
		defer release()
		var in In
		mistyped, err := decode(raw, &in)
		if err != nil {
			s.fail(c, err)
			return
		}
		out, err := do(c, in, raw, &faults{list: mistyped})
		if err != nil {
			s.fail(c, err)
			return
		}
		encoded, ok := out.(json.RawMessage)
		if !ok {
			if encoded, err = json.Marshal(out); err != nil {
				s.fail(c, err)
				return
			}
		}
		write(c, http.StatusOK, jsonType, encoded)
	}
}

// bookHTTP is /book with what only HTTP knows: the body as it came and the
// Idempotency-Key.
func (s *Service) bookHTTP(c *gin.Context, r taxi.BookRequest, raw body, f *faults, flights *inFlight) (any, error) {
	again := repeat{key: c.GetHeader(taxi.IdempotencyHeader), hash: sha256.Sum256(raw)}
	if len(again.key) > maxKey {
		return nil, refuse(taxi.CodeValidationFailed, "the Idempotency-Key is longer than %d characters", maxKey)
	}
	if again.key == "" && s.policy.DuplicateWindow > 0 {
		again.fingerprint = again.hash
	}
	end, err := flights.begin(again.key)
	if err != nil {
		return nil, err
	}
	defer end()
	// A caller who hangs up has still booked: the answer is kept for the retry.
	b, err := s.book(context.WithoutCancel(c), r, again, f)
	if err != nil {
		return nil, err
	}
	if b.replayed {
		c.Header(ReplayedHeader, "true")
	}
	if b.body != nil {
		return b.body, nil
	}
	return b.journey, nil
}

var (
	jsonType    = []string{"application/json"}
	problemType = []string{taxi.ProblemContentType}
)

// write sends a whole answer; its length is known, so it goes in one piece.
func write(c *gin.Context, status int, contentType []string, body []byte) {
	h := c.Writer.Header()
	h["Content-Type"] = contentType
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	c.Writer.WriteHeader(status)
	_, _ = c.Writer.Write(body) // the caller is gone: nobody to tell
}

// fail sends a refusal, and logs what the caller is not shown.
func (s *Service) fail(c *gin.Context, err error) {
	p := problemOf(err)
	if p.Status >= http.StatusInternalServerError && p.Code != taxi.CodeServiceClosed && p.Code != taxi.CodeDispatchPaused {
		s.log.ErrorContext(c, "request failed", "request", requestID(c), "error", err)
	}
	shown := *p
	shown.Instance = requestID(c)
	if p.RetryAfter > 0 {
		c.Header("Retry-After", strconv.Itoa(int(p.RetryAfter/time.Second)))
	}
	body, err := json.Marshal(shown)
	if err != nil {
		body = []byte(`{"title":"internal","status":500}`)
	}
	write(c, p.Status, problemType, body)
	c.Abort()
}
