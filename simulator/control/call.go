package control

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control/tokens"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/worlds"
)

const maxBody = inbound.MostCall

// call is a request that is being handled. Its context ends with the request, or with its
// world.
type call struct {
	context.Context

	w  http.ResponseWriter
	r  *http.Request
	at location // of the request

	original *http.Request // as it came
	route    *route
	who      person
	server   *Server
	box      *sandbox   // nil: the route is of no world
	host     *host.Host // nil: the route is free
	status   int        // of the response
}

// run executes the call and sends its response.
func (c *call) run() {
	if !c.route.isShared {
		box, leave, err := c.server.enter(c.Context, c.at)
		if err != nil {
			c.fail(err)
			return
		}
		defer leave()
		c.box = box
	}
	if err := c.permitted(); err != nil {
		c.fail(err)
		return
	}
	if !c.route.isFree {
		leave, err := c.enter()
		if err != nil {
			c.fail(err)
			return
		}
		defer leave()
	}
	c.status = c.route.status
	out, err := c.route.answer(c)
	_, isWritten := out.(written)
	if err == nil && !isWritten && c.box != nil && c.reads() && !c.box.Holds() {
		err = worlds.ErrLapsed // see confirmed
	}
	if err != nil {
		c.fail(err)
		return
	}
	switch out.(type) {
	case written:
	case None:
		c.w.WriteHeader(c.status)
	default:
		writeJSON(c.w, c.status, "application/json", out)
	}
}

// fail sends a problem document, or passes the request on. What fails because the client has gone is no
// fault of the database.
func (c *call) fail(err error) {
	c.server.fail(c.w, c.original, cmp.Or(c.r.Context().Err(), err))
}

// permitted returns an error if the client's token does not allow the call.
func (c *call) permitted() error {
	needs := c.needs()
	if c.who.may.Allows(needs) || c.route.right == "" && c.who.owns(c.owned()) {
		return nil
	}
	return c.who.forbidden(needs, c.owned())
}

// needs returns the right that the call requires in a world of another owner.
func (c *call) needs() tokens.Right {
	switch {
	case c.route.right != "":
		return c.route.right
	case c.reads():
		return tokens.MayRead
	}
	return tokens.MayEverything
}

// reads reports whether a call changes nothing.
func (c *call) reads() bool {
	return c.r.Method == http.MethodGet || c.r.Method == http.MethodHead || slices.Contains(questions, strings.TrimPrefix(c.r.URL.Path, Prefix))
}

// owned returns the world whose owner has rights: that of the call, or else the main one,
// which nobody owns.
func (c *call) owned() *worlds.World {
	if c.box == nil {
		return &worlds.World{}
	}
	return c.box.World
}

// enter acquires the host of the sandbox until leave is called.
func (c *call) enter() (leave func(), err error) {
	visit, err := c.box.Gate.Enter(c.Context)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(c.Context)
	stop := context.AfterFunc(visit.Ctx, cancel)
	c.Context, c.host = ctx, visit.Host
	return func() {
		stop()
		cancel()
		visit.Leave()
	}, nil
}

// world returns the world of the host.
func (c *call) world() *simulator.World { return c.host.World() }

// takeLong removes the server's time limits for the response, after it has read the rest
// of the body.
func (c *call) takeLong() {
	_, _ = io.Copy(io.Discard, http.MaxBytesReader(c.w, c.r.Body, maxBody)) // the rest is ignored
	rc := http.NewResponseController(c.w)
	_ = errors.Join(rc.SetReadDeadline(time.Time{}), rc.SetWriteDeadline(time.Time{})) // a test's recorder has no deadlines
}

// path returns the value of {name} in the path of the route.
func (c *call) path(name string) string { return c.r.PathValue(name) }

func writeJSON(w http.ResponseWriter, status int, contentType string, v any) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // the client may have disconnected
}

// read parses the request's body strictly: one JSON value of at most a megabyte, no
// unknown members, no duplicate names. An empty body leaves the value unchanged.
func (c *call) read(to any) error {
	raw, err := io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, maxBody))
	if err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return taxi.NewProblem(http.StatusRequestEntityTooLarge, taxi.CodeTooLarge, "the body is longer than %d bytes", maxBody)
		}
		return taxi.NewProblem(http.StatusBadRequest, taxi.CodeMalformedJSON, "the body did not arrive whole")
	}
	if len(raw) == 0 {
		return nil
	}
	faults, err := inbound.Reading{Known: true}.Read(raw, to)
	if err != nil {
		return taxi.NewProblem(http.StatusBadRequest, taxi.CodeMalformedJSON, "the body is not JSON: %v", err)
	}
	if len(faults) == 0 {
		return nil
	}
	errs := make([]taxi.FieldError, len(faults))
	for i, f := range faults {
		errs[i] = taxi.FieldError{Pointer: f.Pointer, Code: "type", Detail: f.Detail}
	}
	return taxi.InvalidFields(errs)
}

// isJSON reports whether a request has the Content-Type of JSON.
func isJSON(r *http.Request) bool {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && media == "application/json"
}
