package dispatchside_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"sync"
)

// object is a JSON object on its way through a rewriting layer.
type object = map[string]any

// call is one exchange that passes a layer. A layer changes what it likes before
// and after next.
type call struct {
	op     string // path without its slash
	req    object // nil: not a JSON object, or a very large one
	asIs   bool   // the request goes on as it came: nobody has changed req
	status int
	reply  object
	header http.Header
	raw    []byte // when set, sent in place of reply
	http   *http.Request
	server http.Handler
}

// layer changes one thing about a server. next passes the request on and fills
// in the answer.
type layer func(c *call, next func())

// under puts a layer over a server. made is called once for each server, so that
// what a layer remembers belongs to one server.
func under(server http.Handler, made func() layer) http.Handler {
	l := made()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := readAll(r)
		if r.Method != http.MethodPost {
			r.Body = io.NopCloser(bytes.NewReader(body))
			server.ServeHTTP(w, r)
			return
		}
		c := &call{op: strings.TrimPrefix(r.URL.Path, "/"), server: server, http: r}
		if len(body) < 128<<10 {
			_ = json.Unmarshal(body, &c.req) // nil when it is no object
		}
		l(c, func() { c.pass(r, body) })
		c.write(w)
	})
}

// pass sends the request, as it now is, to the server.
func (c *call) pass(r *http.Request, body []byte) {
	if c.req != nil && !c.asIs {
		var came object
		_ = json.Unmarshal(body, &came)
		if !reflect.DeepEqual(came, c.req) {
			body = []byte(jsonText(c.req)) // else odd bytes reach the server untouched
		}
	}
	inner := r.Clone(r.Context())
	inner.Body, inner.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	rec := httptest.NewRecorder()
	c.server.ServeHTTP(rec, inner)
	c.status, c.header = rec.Code, rec.Header()
	d := json.NewDecoder(rec.Body)
	d.UseNumber()
	c.reply = nil
	_ = d.Decode(&c.reply)
}

// ask makes another call to the server, which the client does not see.
func (c *call) ask(op string, body object) object {
	raw := []byte(jsonText(body))
	req := c.http.Clone(c.http.Context()) // with the caller's credentials
	req.URL.Path, req.RequestURI = "/"+op, "/"+op
	req.Header.Del("Idempotency-Key") // it belongs to the caller's call
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
	rec := httptest.NewRecorder()
	c.server.ServeHTTP(rec, req)
	var reply object
	_ = json.Unmarshal(rec.Body.Bytes(), &reply)
	return reply
}

func jsonText(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func (c *call) write(w http.ResponseWriter) {
	maps.Copy(w.Header(), c.header)
	body := c.raw
	if body == nil {
		body, _ = json.Marshal(c.reply)
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(c.status)
	_, _ = w.Write(body)
}

// ok reports whether a call was answered 200 and is of one of the operations named, if any are.
func (c *call) ok(ops ...string) bool {
	return c.status == http.StatusOK && (len(ops) == 0 || strings.Contains(" "+strings.Join(ops, " ")+" ", " "+c.op+" "))
}

// answer replaces the answer.
func (c *call) answer(status int, reply object) {
	c.status, c.reply, c.raw = status, reply, nil
	c.header = http.Header{"Content-Type": {"application/json"}}
}

// creates reports whether a call of /book is for a new journey.
func (c *call) creates() bool { return c.op == "book" && c.req["journeyId"] == nil }

// journeys returns the journey objects in the answer.
func (c *call) journeys() []object {
	if !c.ok() {
		return nil
	}
	if c.op == "user" {
		var all []object
		list, _ := c.reply["activeBookings"].([]any)
		for _, j := range list {
			all = append(all, j.(object))
		}
		return all
	}
	if c.op == "config" {
		return nil
	}
	return []object{c.reply}
}

// list adds a journey to the active bookings in the answer.
func (c *call) list(j object) {
	all, _ := c.reply["activeBookings"].([]any)
	c.reply["activeBookings"] = append(all, j)
}

// after makes a layer of a change to the answer alone. What rows call is not inlined: two hundred
// rows would make the program larger.
//
//go:noinline
func after(change func(c *call)) func() layer {
	return func() layer {
		return func(c *call, next func()) {
			c.asIs = true
			next()
			change(c)
		}
	}
}

// answersOf makes a layer of a change to the answers of one operation.
func answersOf(op string, change func(c *call)) func() layer {
	return after(func(c *call) {
		if c.op == op {
			change(c)
		}
	})
}

// onRefusal makes a layer of a change to the refusals of one operation.
func onRefusal(op string, change func(c *call)) func() layer {
	return answersOf(op, func(c *call) {
		if c.status >= http.StatusBadRequest {
			change(c)
		}
	})
}

// on makes a layer of a change to the answers of one operation that were served.
//
//go:noinline
func on(op string, change func(c *call)) func() layer {
	return answersOf(op, func(c *call) {
		if c.ok() {
			change(c)
		}
	})
}

// onStatus makes a layer of a change to an object in the answers of /status.
func onStatus(member string, change func(o object)) func() layer {
	return on("status", func(c *call) {
		if o, ok := c.reply[member].(object); ok {
			change(o)
		}
	})
}

// onCreation makes a layer of a change to the answers to bookings of new journeys.
func onCreation(change func(c *call)) func() layer {
	return on("book", func(c *call) {
		if c.creates() {
			change(c)
		}
	})
}

// put gives a member of the answer a value, and drop takes a member away.
//
//go:noinline
func put(member string, value any) func(*call) { return func(c *call) { c.reply[member] = value } }
func drop(member string) func(*call)           { return func(c *call) { delete(c.reply, member) } }

// refuses makes a layer that answers some calls with an error.
//
//go:noinline
func refuses(status int, why string, which func(c *call) bool) func() layer {
	return after(func(c *call) {
		if which(c) {
			c.answer(status, object{"error": why})
		}
	})
}

// before makes a layer of a change to the request.
//
//go:noinline
func before(change func(c *call)) func() layer {
	return func() layer {
		return func(c *call, next func()) {
			change(c)
			next()
		}
	}
}

// remembering makes a layer that has a memory for each server.
//
//go:noinline
func remembering(change func(m *memory, c *call, next func())) func() layer {
	return func() layer {
		m := newMemory()
		return func(c *call, next func()) { change(m, c, next) }
	}
}

// then makes a layer with a memory of a change to the answer.
//
//go:noinline
func then(change func(m *memory, c *call)) func() layer {
	return remembering(func(m *memory, c *call, next func()) {
		next()
		change(m, c)
	})
}

// eachMember makes a layer of a change to an object in every journey shown.
//
//go:noinline
func eachMember(name string, change func(o object)) func() layer {
	return eachJourney(func(j object) {
		if o, ok := j[name].(object); ok {
			change(o)
		}
	})
}

// inStatus makes a layer of a change to the journeys that are shown in a status.
func inStatus(status string, change func(j object)) func() layer {
	return eachJourney(func(j object) {
		if j["status"] == status {
			change(j)
		}
	})
}

// showsAs makes a layer that shows one value for a member wherever it is shown.
func showsAs(member string, value any) func() layer {
	return eachJourney(func(j object) {
		if j[member] != nil {
			j[member] = value
		}
	})
}

// eachJourney makes a layer of a change to every journey shown.
//
//go:noinline
func eachJourney(change func(j object)) func() layer {
	return after(func(c *call) {
		for _, j := range c.journeys() {
			change(j)
		}
	})
}

// memory has values that a layer remembers. It is safe for concurrent use.
type memory struct {
	mu sync.Mutex
	m  map[string]any
	n  int
}

func newMemory() *memory { return &memory{m: map[string]any{}} }

func (m *memory) get(key string) any {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.m[key]
}

func (m *memory) set(key string, v any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.m[key] = v
}

// times returns how often it was called with a key before.
func (m *memory) times(key string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, _ := m.m[key].(int)
	m.m[key] = n + 1
	return n
}

// count returns 1, 2, 3 and so on.
func (m *memory) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.n++
	return m.n
}

func text(v any) string { s, _ := v.(string); return s }
