// Package rest is the REST API and the Voice API of the platform: access control,
// requests and responses. Other packages add operations to its [API].
package rest

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

// Limits of a request.
const (
	maxBody    = 64 << 10 // bytes
	maxHeaders = 16 << 10 // bytes

	headersWithin = 5 * time.Second
	requestWithin = 10 * time.Second
	answerWithin  = 10 * time.Second // for the beginning of a response, and for each part of a long one
	idleFor       = 2 * time.Minute
)

// Server returns an HTTP server with this package's time limits for sending a request and
// reading its response. Handlers that wait have more time, see [Request.Wait].
func Server(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headersWithin,
		ReadTimeout:       requestWithin,
		WriteTimeout:      requestWithin + answerWithin,
		IdleTimeout:       idleFor,
		MaxHeaderBytes:    maxHeaders,
	}
}

// Options configures the API; all but Insecure is required.
type Options struct {
	Records   *records.Records
	Calls     *calls.Calls
	Tokens    *access.Issuer
	Passwords *access.Passwords
	Chance    *access.Chance
	Now       func() time.Time
	Log       *slog.Logger
	Limits    Limits
	Insecure  bool // serve the Voice API over plain HTTP to other machines, too
}

// API is the REST API and the Voice API. The control API uses it for its requests and
// responses, too.
type API struct {
	Options

	throttle *access.Throttle
	inFlight inFlight
	pace     *pace
}

// New returns the API.
func New(o Options) *API { return &API{Options: o, throttle: access.NewThrottle(), pace: newPace()} }

// Engine returns a router with the API's routes; more can be added.
func (p *API) Engine() *gin.Engine {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.RedirectTrailingSlash = false
	e.HandleMethodNotAllowed = true
	e.UseRawPath = false
	_ = e.SetTrustedProxies(nil) // fails only for a malformed list
	e.Use(p.edge())
	e.NoRoute(func(c *gin.Context) { p.Fail(c, api.Refuse(api.CodeNotFound, "nothing is served at this path")) })
	e.NoMethod(func(c *gin.Context) {
		p.Fail(c, api.Refuse(api.CodeMethodNotAllowed, "allowed here: %s", c.Writer.Header().Get("Allow")))
	})
	p.restRoutes(e)
	p.voiceRoutes(e)
	return e
}

// restRoutes adds the REST API, as in the interface's table.
func (p *API) restRoutes(e *gin.Engine) {
	r := e.Group("/api/v1")
	r.POST("/oauth/authorize", p.Answer(p.authorize))
	r.GET("/userAccounts/me", p.user(anyRole, p.organisation))
	r.GET("/account", p.user(anyRole, p.listAccounts))
	a := r.Group("/account/:account")
	a.GET("", p.account(anyRole, p.getAccount))
	a.GET("/address", p.account(adminOnly, p.getAddress))
	a.PUT("/address", p.account(adminOnly, p.putAddress))
	a.GET("/ddi", p.account(anyRole, p.listDDIs))
	serveResource(p, a, p.trunks())
	serveResource(p, a, p.hookResource())
	serveResource(p, a, p.devices())
}

// Request is a request for a handler.
type Request struct {
	C       *gin.Context
	Who     access.Who
	Account *records.Account // of the path
}

// Wait returns a context for a handler that waits up to most; after that, there is the
// usual time to send the response.
func (r *Request) Wait(most time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(r.C.Request.Context(), most)
	until, _ := ctx.Deadline()
	_ = http.NewResponseController(r.C.Writer).SetWriteDeadline(until.Add(answerWithin)) // a test's recorder has no deadlines
	return ctx, cancel
}

// LongAnswer gives each part of a long response, such as a recording, its own time limit,
// so that it is sent as long as the client reads.
type LongAnswer struct{ http.ResponseWriter }

// Write sends a part.
func (w LongAnswer) Write(part []byte) (int, error) {
	until := time.Now().Add(answerWithin)                                    // sockets use the machine's clock
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(until) // a test's recorder has no deadlines
	return w.ResponseWriter.Write(part)
}

// Reply is the response of a handler: a body to encode, an encoded body, or neither.
type Reply struct {
	Status   int
	Body     any
	Encoded  []byte
	Location string
}

// OK returns a response with a body.
func OK(body any) Reply { return Reply{Status: http.StatusOK, Body: body} }

// NoContent is the response to an update.
var NoContent = Reply{Status: http.StatusNoContent}

// Handler handles a request.
type Handler func(*Request) (Reply, error)

// Answer adapts a handler to HTTP: it calls the handler, and encodes the response or the
// error. All operations use it.
func (p *API) Answer(do Handler) gin.HandlerFunc {
	return func(c *gin.Context) { p.Respond(&Request{C: c}, do) }
}

// Respond is Answer for a request that is being handled.
func (p *API) Respond(r *Request, do Handler) {
	out, err := do(r)
	if err != nil {
		p.Fail(r.C, err)
		return
	}
	if out.Location != "" {
		r.C.Header("Location", out.Location)
	}
	if out.Body != nil {
		if out.Encoded, err = json.Marshal(out.Body); err != nil {
			p.Fail(r.C, err)
			return
		}
	}
	if out.Encoded == nil {
		r.C.Status(out.Status)
		return
	}
	write(r.C, out.Status, jsonType, out.Encoded)
}

var (
	jsonType    = []string{"application/json"}
	problemType = []string{api.ProblemContentType}
)

// write sends a whole response with its length.
func write(c *gin.Context, status int, contentType []string, body []byte) {
	h := c.Writer.Header()
	h["Content-Type"] = contentType
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	c.Writer.WriteHeader(status)
	_, _ = c.Writer.Write(body) // the client may have disconnected
}

// Fail sends a problem, and logs details that the client does not see.
func (p *API) Fail(c *gin.Context, err error) {
	problem := problemOf(err)
	if problem.Code == api.CodeInternal || problem.Code == api.CodeStorage {
		p.Log.ErrorContext(c, "request failed", "request", requestID(c), "error", err)
	}
	shown := *problem
	shown.Instance = requestID(c)
	if problem.Status == http.StatusUnauthorized && c.Writer.Header().Get("WWW-Authenticate") == "" {
		c.Header("WWW-Authenticate", challenge(problem.Code))
	}
	if problem.RetryAfter > 0 {
		c.Header("Retry-After", strconv.Itoa(int((problem.RetryAfter+time.Second-1)/time.Second)))
	}
	body, err := json.Marshal(shown)
	if err != nil {
		body = []byte(`{"title":"internal","status":500}`)
	}
	write(c, problem.Status, problemType, body)
	c.Abort()
}

// problemOf converts any error to a problem for the client.
func problemOf(err error) *api.Problem {
	if p, ok := errors.AsType[*api.Problem](err); ok {
		return p
	}
	switch {
	case errors.Is(err, access.ErrBusy):
		return api.Refuse(api.CodeUnavailable, "too many logins wait already")
	case errors.Is(err, records.ErrStorage):
		return api.Refuse(api.CodeStorage, "nothing was changed; send the same request again")
	default:
		return api.Refuse(api.CodeInternal, "the request id says which log line tells more")
	}
}

// Limits limits what an account may do. Decision: the interface shows none.
type Limits struct {
	CallsPerSecond float64 // calls that an account may create, mean rate; 0: 10
	CallBurst      int     // burst of calls; 0: 20
	LiveCalls      int     // simultaneous calls of an account; 0: 50
	Resources      int     // trunks, hooks and devices of an account, each; 0: 1000
}

// WithDefaults sets the defaults.
func (l Limits) WithDefaults() Limits {
	if l.CallsPerSecond == 0 {
		l.CallsPerSecond = 10
	}
	if l.CallBurst == 0 {
		l.CallBurst = 20
	}
	if l.LiveCalls == 0 {
		l.LiveCalls = 50
	}
	if l.Resources == 0 {
		l.Resources = 1000
	}
	return l
}
