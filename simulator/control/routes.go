package control

import (
	_ "embed" // the document
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"sync"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control/tokens"
)

// Call is a call that a client makes: it sends an In, and receives an Out. In is
// [url.Values], the parameters of the query, if the call has no body; Out is []byte if the
// response is not decoded, and [io.ReadCloser] if it may be of any length.
type Call[In, Out any] struct{ *route }

// At returns the call of a path whose handler is not in this package, as those of the
// journal.
func At[In, Out any](method, path string) Call[In, Out] {
	return Call[In, Out]{&route{method: method, path: path}}
}

// row returns the route of a call. It panics if the call's types are not those of its handler,
// unless the document names others.
func (c Call[In, Out]) row() *route {
	in, out := reflect.TypeFor[In](), reflect.TypeFor[Out]()
	if in != c.in && (c.in != nil || in != reflect.TypeFor[url.Values]()) && c.reads == "" || out != c.out && c.out != reflect.TypeFor[written]() {
		panic("control: the types of " + c.id + " are not those of its handler")
	}
	return c.route
}

// Method returns the HTTP method of a call.
func (r *route) Method() string { return r.method }

// Path returns the path of a call below [Prefix]; {name} is one segment.
func (r *route) Path() string { return r.path }

// OfServer reports whether only the main world has the call.
func (r *route) OfServer() bool { return r.isMain }

// route declares a call. The router, the OpenAPI document and the client use it.
type route struct {
	id      string // operationId; "": the call is described elsewhere
	method  string // "": all
	path    string // below [Prefix]; {name} is one segment
	summary string
	handle  reflect.Value
	in, out reflect.Type // of the body (nil: none), and of the response

	tag, description string
	params           []parameter  // of the query, and path parameters that have a description
	reads, sends     string       // names of the body's schema and of the response in the document; "": the type's name
	done             string       // describes the result of a call whose response has no body
	status           int          // of the response
	creates          bool         // the status may be 201
	unchanged        bool         // the status may be 304
	refused          []int        // problem statuses, besides those that follow from its path and types
	isFree           bool         // the call does not hold the host, and has none
	isMain           bool         // only the main world has it
	isShared         bool         // it needs no world: every process that shares the worlds handles it
	right            tokens.Right // that it needs; "": see [call.needs]
}

// None is a body without members, or a response without a body.
type None struct{}

// written is the result of a handler that has written the response itself.
type written struct{}

func get(id, path, summary string, handler any) *route {
	return declared(http.MethodGet, id, path, summary, handler)
}

func del(id, path, summary string, handler any) *route {
	return declared(http.MethodDelete, id, path, summary, handler)
}

func post(id, path, summary string, handler any) *route {
	return declared(http.MethodPost, id, path, summary, handler)
}

func put(id, path, summary string, handler any) *route {
	return declared(http.MethodPut, id, path, summary, handler)
}

func patch(id, path, summary string, handler any) *route {
	return declared(http.MethodPatch, id, path, summary, handler)
}

// declared declares a call by its handler: func(*call) (Out, error), or func(*call, In)
// (Out, error) if it has a body. The types are read by reflection, since a generic
// function would be compiled once for each of them. Another type of handler panics when
// the routes are created, in any test.
func declared(method, id, path, summary string, handler any) *route {
	h := reflect.ValueOf(handler)
	t := h.Type()
	if t.NumIn() > 2 || t.In(0) != reflect.TypeFor[*call]() || t.NumOut() != 2 || t.Out(1) != reflect.TypeFor[error]() {
		panic("control: the handler of " + id + " is a " + t.String())
	}
	r := &route{
		method: method, id: id, path: path, summary: summary, handle: h, out: t.Out(0), status: http.StatusOK,
	}
	if t.NumIn() == 2 {
		r.in = t.In(1)
	}
	if r.out == reflect.TypeFor[None]() {
		r.status = http.StatusNoContent
	}
	return r
}

// answer decodes the body, if the call has one, and calls the handler.
func (r *route) answer(c *call) (any, error) {
	args := []reflect.Value{reflect.ValueOf(c)}
	if r.in != nil {
		in := reflect.New(r.in)
		if err := c.read(in.Interface()); err != nil {
			return nil, err
		}
		args = append(args, in.Elem())
	}
	out := r.handle.Call(args)
	err, _ := out[1].Interface().(error)
	return out[0].Interface(), err
}

// more adds a description to the summary.
func (r *route) more(description string) *route {
	r.description = description
	return r
}

// takes declares query parameters.
func (r *route) takes(all ...parameter) *route {
	r.params = append(r.params, all...)
	return r
}

// of sets the name of the body's schema if it differs from the type's.
func (r *route) of(schema string) *route {
	r.reads = schema
	return r
}

// answers sets the name of the response if it differs from the type's, or if the handler
// writes the response itself.
func (r *route) answers(response string) *route {
	r.sends = response
	return r
}

// says describes the result of a call whose response has no body.
func (r *route) says(done string) *route {
	r.done = done
	return r
}

// created sets the status 201.
func (r *route) created() *route {
	r.status = http.StatusCreated
	return r
}

// mayCreate allows the handler to set the status 201. The object of the path need not
// exist.
func (r *route) mayCreate() *route {
	r.creates = true
	return r
}

// mayBeUnchanged allows the status 304.
func (r *route) mayBeUnchanged() *route {
	r.unchanged = true
	return r
}

// refuses adds problem statuses to those that follow from the path (404), and from a body
// or a query (422).
func (r *route) refuses(statuses ...int) *route {
	r.refused = statuses
	return r
}

// free marks a call that does not hold the host.
func (r *route) free() *route {
	r.isFree = true
	return r
}

// shared marks a free call of the main world that needs no world.
func (r *route) shared() *route {
	r.isShared, r.isFree, r.isMain = true, true, true
	return r
}

// needs sets the right that the call needs, instead of the one that follows from its
// method and the owner of the sandbox.
func (r *route) needs(right tokens.Right) *route {
	r.right = right
	return r
}

// calls are the routes of a file.
type calls []*route

// tagged sets the tag of the routes in the document.
func (all calls) tagged(tag string) calls {
	for i := range all {
		all[i].tag = tag
	}
	return all
}

// where describes a path parameter of those routes that have it.
func (all calls) where(p parameter) calls {
	p.in = "path"
	for i := range all {
		if strings.Contains(all[i].path, "{"+p.name+"}") {
			all[i].params = append(all[i].params, p)
		}
	}
	return all
}

// newRouter creates the router of some routes. The context of a request that it gets is a
// [call].
func newRouter(all calls) *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(_ http.ResponseWriter, r *http.Request) { r.Context().(*call).refuseUnmatched(mux, r) })
	for _, r := range all {
		pattern := strings.TrimSpace(r.method + " " + Prefix + r.path)
		if r.path == "/" {
			pattern += "{$}"
		}
		mux.HandleFunc(pattern, func(_ http.ResponseWriter, req *http.Request) {
			c := req.Context().(*call)
			if req.Method == http.MethodHead && r.method != "" { // the router would treat it as GET
				c.refuseUnmatched(mux, req)
				return
			}
			c.r, c.route = req, r
			c.run()
		})
	}
	return mux
}

// methods lists the HTTP methods of the calls.
var methods = []string{http.MethodDelete, http.MethodGet, http.MethodPatch, http.MethodPost, http.MethodPut}

// refuseUnmatched refuses a request that matches no route. If the path is known but not the
// method, the response lists the methods.
func (c *call) refuseUnmatched(mux *http.ServeMux, r *http.Request) {
	var allowed []string
	for _, method := range methods {
		if _, pattern := mux.Handler(&http.Request{Method: method, URL: r.URL}); pattern != "/" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) == 0 {
		c.server.fail(c.w, r, errNoCall)
		return
	}
	c.w.Header().Set("Allow", strings.Join(allowed, ", "))
	c.server.fail(c.w, r, taxi.NewProblem(http.StatusMethodNotAllowed, taxi.CodeMethodNotAllowed, "want %s", strings.Join(allowed, " or ")))
}

// pathOf returns the path of a call, without trailing slashes. It refuses empty segments,
// and segments in which an escaped slash is hidden.
func pathOf(escaped string) (string, error) {
	escaped = strings.Trim(escaped, "/")
	if escaped == "" {
		return "/", nil
	}
	var path strings.Builder
	for part := range strings.SplitSeq(escaped, "/") {
		segment, err := url.PathUnescape(part)
		if err != nil || segment == "" || segment == "." || segment == ".." || strings.ContainsAny(segment, "/\\\x00") {
			return "", errNoCall
		}
		path.WriteString("/" + segment)
	}
	return path.String(), nil
}

// journalCalls are the routes that lead to the journal, which has its own handler.
func journalCalls() (all calls) {
	for _, path := range []string{"/requests", "/verify", "/report", "/rules"} {
		all = append(all, declared("", "", path, "", askJournal).free(), declared("", "", path+"/{below...}", "", askJournal).free())
	}
	return all
}

// askJournal passes a request to the journal, whose handler expects the path
// "/requests/…".
func askJournal(c *call) (written, error) {
	if c.box.journal == nil {
		return written{}, taxi.NewProblem(http.StatusNotFound, taxi.CodeNotFound, "this server keeps no journal")
	}
	inner := c.r.WithContext(c)
	inner.URL = &url.URL{Path: strings.TrimPrefix(c.r.URL.Path, Prefix), RawQuery: c.r.URL.RawQuery}
	c.box.journal.API().ServeHTTP(c.w, inner)
	return written{}, nil
}

// ReadDocument is the call that returns the OpenAPI document.
var ReadDocument = Call[url.Values, []byte]{get("readDocument", "/openapi.json", "This document", readOpenAPI).free().answers("Document")}

//go:generate go test -run TestOpenAPIMatchesTheRoutesAndTypes -update .

//go:embed openapi/openapi.json
var openAPI string

// OpenAPI returns the OpenAPI document of the calls, as JSON. Each route describes
// itself, except for the journal's, which are described in the folder openapi. "go
// generate" creates the document, with the schemas from the Go types of the calls. The
// schemas of journeys and users come from the contract of the five operations.
func OpenAPI() []byte { return []byte(openAPI) }

// document is the file at /openapi.json.
var document = sync.OnceValue(func() *inbound.File { return inbound.NewFile("application/json", OpenAPI()) })

func readOpenAPI(c *call) (written, error) {
	document().ServeHTTP(c.w, c.r)
	return written{}, nil
}
