package rest

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"runtime/debug"

	"github.com/gin-gonic/gin"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/simulator/platform/api"
)

// RequestHeader contains the request id, which the problem and the log line contain, too.
const RequestHeader = "X-Cabrank-Request"

// edge gives each request an id, recovers from panics, and logs one line per response.
// Paths contain only ids; queries are not logged.
func (p *API) edge() gin.HandlerFunc {
	ids := inbound.RequestIDs()
	return func(c *gin.Context) {
		id := ids()
		c.Writer.Header()[RequestHeader] = []string{id}
		c.Writer.Header()["Cache-Control"] = []string{"no-store"}
		c.Writer.Header()["X-Content-Type-Options"] = []string{"nosniff"}
		c.Writer.Header()["Cross-Origin-Resource-Policy"] = []string{"same-origin"}
		if !p.Log.Enabled(c, slog.LevelInfo) {
			p.recoverPanics(c)
			return
		}
		began := p.Now()
		p.recoverPanics(c)
		p.Log.InfoContext(c, "request", "request", id, "method", c.Request.Method, "path", c.Request.URL.Path,
			"status", c.Writer.Status(), "bytes", c.Writer.Size(), "took_ms", float64(p.Now().Sub(began).Microseconds())/1000)
	}
}

// recoverPanics runs the handlers; a panic only fails this request.
func (p *API) recoverPanics(c *gin.Context) {
	defer func() {
		if broken := recover(); broken != nil {
			p.Fail(c, fmt.Errorf("panic: %v\n%s", broken, debug.Stack()))
		}
	}()
	c.Next()
}

func requestID(c *gin.Context) string { return c.Writer.Header().Get(RequestHeader) }

// Members parses a request's JSON object.
func (r *Request) Members() (api.Members, error) {
	raw, err := rawJSON(r.C)
	if err != nil {
		return nil, err
	}
	return api.Body(raw)
}

// Bind reads a request's JSON object into a struct, and returns the errors of the body or of its members.
func (r *Request) Bind(into any) *api.Errors {
	members, err := r.Members()
	errs := &api.Errors{Whole: err}
	errs.Take("", members, into)
	errs.Unknown("", members)
	return errs
}

// rawJSON reads a request's body, which must have the media type of JSON.
func rawJSON(c *gin.Context) ([]byte, error) {
	h := c.Request.Header
	if !inbound.SendsJSON(h.Get("Content-Type")) {
		return nil, api.Refuse(api.CodeMediaType, "Content-Type is %q, want application/json", h.Get("Content-Type"))
	}
	return readBody(c)
}

// readBody reads a request's body, with limits of size and time.
func readBody(c *gin.Context) ([]byte, error) {
	if encoding := c.GetHeader("Content-Encoding"); encoding != "" && encoding != "identity" {
		return nil, api.Refuse(api.CodeMediaType, "Content-Encoding %q is not understood", encoding)
	}
	if c.Request.ContentLength > maxBody {
		return nil, api.Refuse(api.CodeTooLarge, "%d bytes are more than %d", c.Request.ContentLength, maxBody)
	}
	raw, err := io.ReadAll(io.LimitReader(c.Request.Body, maxBody+1))
	switch {
	case err == nil && len(raw) <= maxBody:
		return raw, nil
	case err == nil:
		return nil, api.Refuse(api.CodeTooLarge, "more than %d bytes", maxBody)
	case timedOut(err):
		return nil, api.Refuse(api.CodeTimeout, "the body did not arrive in time")
	default:
		return nil, api.Refuse(api.CodeMalformed, "the body broke off")
	}
}

func timedOut(err error) bool {
	netErr, ok := errors.AsType[net.Error](err)
	return errors.Is(err, os.ErrDeadlineExceeded) || ok && netErr.Timeout()
}
