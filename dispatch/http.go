package dispatch

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/dispatch/memo"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// HTTPOptions configures the HTTP server of the five operations. The zero value serves
// everybody without rate limits.
type HTTPOptions struct {
	// Credentials are required of clients: [taxi.AuthBasic], [taxi.AuthBearer] or
	// [taxi.AuthHeader]; with another style every request is refused. Zero: none are
	// required. The interface leaves authentication to the third party.
	Credentials   taxi.Credentials
	RatePerSecond float64 // requests a second for each client (or /64 of IPv6), with bursts of twice that; 0: unlimited
	Version       string  // shown by /version
}

// Limits of a request.
const (
	maxBody    = inbound.MostOperation
	maxHeaders = 16 << 10 // bytes
	maxKey     = 255      // characters of an Idempotency-Key

	headersWithin = 5 * time.Second
	requestWithin = 10 * time.Second
	answerWithin  = 30 * time.Second
	idleFor       = 2 * time.Minute
)

// Server returns an HTTP server for a handler, with this package's timeouts and limits on
// connections.
func Server(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headersWithin,
		ReadTimeout:       requestWithin,
		WriteTimeout:      answerWithin,
		IdleTimeout:       idleFor,
		MaxHeaderBytes:    maxHeaders,
		ConnState:         inbound.LimitConns(),
	}
}

// Handler serves the five operations and the pages about the server: explanations of
// refusals, the contract, health and version. The wall clock is for measuring requests and
// for rate limits; the service may have another clock.
func (s *Service) Handler(wall func() time.Time, opts HTTPOptions) http.Handler {
	return (&web{s}).handler(wall, opts)
}

// web is the service over HTTP.
type web struct{ *Service }

func (s *web) handler(wall func() time.Time, opts HTTPOptions) http.Handler {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.RedirectTrailingSlash = false
	e.HandleMethodNotAllowed = true
	e.UseRawPath = false
	_ = e.SetTrustedProxies(nil) // fails only for a malformed list
	e.Use(s.withRequestID(wall))
	e.NoRoute(func(c *gin.Context) {
		s.fail(c, refuse(taxi.CodeNotFound, "the operations are POST /config, /user, /book, /cancel and /status"))
	})
	e.NoMethod(func(c *gin.Context) {
		s.fail(c, refuse(taxi.CodeMethodNotAllowed, "allowed here: %s", c.Writer.Header().Get("Allow")))
	})
	s.pages(e, opts)

	ops := e.Group("", s.requireCredentials(wall, opts.Credentials), s.limitRate(wall, opts.RatePerSecond), s.requireJSON())
	var flights inFlight
	// Settings of the wrong type are ignored like unknown ones: /config answers.
	ops.POST(taxi.PathConfig, operation(s, nil, func(ctx context.Context, r request[taxi.ConfigRequest]) (reply, error) {
		return replyWith(s.Config(ctx, r.body))
	}))
	ops.POST(taxi.PathUser, operation(s, nil, func(ctx context.Context, r request[taxi.UserRequest]) (reply, error) {
		return replyWith(s.user(ctx, r.body, r.mistyped))
	}))
	ops.POST(taxi.PathBook, operation(s, nil, func(ctx context.Context, r request[taxi.BookRequest]) (reply, error) {
		return s.bookHTTP(ctx, r, &flights)
	}))
	ops.POST(taxi.PathCancel, operation(s, nil, func(ctx context.Context, r request[taxi.JourneyRef]) (reply, error) {
		return replyWith(s.cancel(ctx, r.body, r.mistyped))
	}))
	ops.POST(taxi.PathStatus, operation(s, memo.New[decoded[taxi.JourneyRef]](), func(ctx context.Context, r request[taxi.JourneyRef]) (reply, error) {
		encoded, err := s.statusJSON(ctx, r.body, r.mistyped)
		return reply{encoded: encoded}, err
	}))
	return e
}

// request is one request of an operation over HTTP.
type request[In any] struct {
	body     In
	raw      []byte       // as received
	mistyped *fieldErrors // fields of the wrong type
	asked    http.Header
	answer   http.Header
}

// reply is the answer of an operation, which may be encoded already.
type reply struct {
	encoded json.RawMessage // nil: value must be encoded
	value   any
}

func replyWith[Out any](out Out, err error) (reply, error) { return reply{value: out}, err }

// decoded is a decoded body.
type decoded[In any] struct {
	in       In
	mistyped []taxi.FieldError
	err      error
}

// operation adapts one of the five operations to HTTP: it reads and decodes the body, calls
// the operation, and writes the answer or the refusal. A memo caches decoded bodies of
// operations that clients poll; In must then hold no pointers.
func operation[In any](s *web, bodies *memo.Memo[decoded[In]], do func(context.Context, request[In]) (reply, error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		raw, release, err := readBody(c)
		if err != nil {
			s.fail(c, err)
			return
		}
		defer release()
		var read decoded[In]
		if bodies != nil {
			read = bodies.Of("", raw, func(bool) decoded[In] { return decodeAll[In](raw) })
		} else {
			read = decodeAll[In](raw)
		}
		if read.err != nil {
			s.fail(c, read.err)
			return
		}
		out, err := do(c.Request.Context(), request[In]{read.in, raw, &fieldErrors{list: read.mistyped}, c.Request.Header, c.Writer.Header()})
		if err != nil {
			s.fail(c, err)
			return
		}
		if out.encoded == nil {
			if out.encoded, err = json.Marshal(out.value); err != nil {
				s.fail(c, err)
				return
			}
		}
		write(c, http.StatusOK, jsonType, out.encoded)
	}
}

// decodeAll is decode with all of its results.
func decodeAll[In any](raw []byte) (d decoded[In]) {
	d.mistyped, d.err = decode(raw, &d.in)
	d.mistyped = slices.Clip(d.mistyped) // the memo may return it again
	return d
}

// bookHTTP is /book with the data that only HTTP has: the raw body and the
// Idempotency-Key.
func (s *web) bookHTTP(ctx context.Context, r request[taxi.BookRequest], flights *inFlight) (reply, error) {
	idem := idempotency{key: r.asked.Get(taxi.IdempotencyHeader), hash: sha256.Sum256(r.raw)}
	if len(idem.key) > maxKey {
		return reply{}, refuse(taxi.CodeValidationFailed, "the Idempotency-Key is longer than %d characters", maxKey)
	}
	if idem.key == "" && s.policy.DuplicateWindow > 0 {
		idem.fingerprint = idem.hash
	}
	end, err := flights.begin(idem.key)
	if err != nil {
		return reply{}, err
	}
	defer end()
	// A booking is completed even if the client disconnects: the answer is stored for its retry.
	b, err := s.book(context.WithoutCancel(ctx), r.body, idem, r.mistyped)
	if err != nil {
		return reply{}, err
	}
	if b.replayed {
		r.answer.Set(ReplayedHeader, "true")
	}
	if b.body != nil {
		return reply{encoded: b.body}, nil
	}
	// The stored journey is already encoded for the disk, unless it has changed since.
	if snap, err := s.records.Journey(ctx, b.journey.JourneyID); err == nil && snap.Revision == b.stored {
		return reply{encoded: snap.JSON()}, nil
	}
	return reply{value: b.journey}, nil
}

var jsonType = []string{"application/json"}

// write sends a complete answer with its length.
func write(c *gin.Context, status int, contentType []string, body []byte) {
	h := c.Writer.Header()
	h["Content-Type"] = contentType
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	c.Writer.WriteHeader(status)
	_, _ = c.Writer.Write(body) // an error means that the client has disconnected
}

// fail sends a refusal, and logs the internal errors that the client does not see.
func (s *web) fail(c *gin.Context, err error) {
	p := problemOf(err)
	if p.Status >= http.StatusInternalServerError && p.Code != taxi.CodeServiceClosed && p.Code != taxi.CodeDispatchPaused {
		s.log.ErrorContext(c, "request failed", "request", requestID(c), "error", err)
	}
	shown := *p
	shown.Instance = requestID(c)
	shown.Send(c.Writer)
	c.Abort()
}
