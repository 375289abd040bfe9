package platformapi_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

type object = map[string]any

// call is one exchange that passes a layer.
type call struct {
	r      *http.Request
	sent   []byte
	status int
	header http.Header
	reply  any
	raw    []byte
	next   http.Handler
}

// pass sends the request to the platform and reads its answer.
func (c *call) pass() {
	inner := c.r.Clone(c.r.Context())
	inner.Body, inner.ContentLength = io.NopCloser(bytes.NewReader(c.sent)), int64(len(c.sent))
	w := httptest.NewRecorder()
	c.next.ServeHTTP(w, inner)
	c.status, c.header, c.raw, c.reply = w.Code, w.Header(), w.Body.Bytes(), nil
	d := json.NewDecoder(bytes.NewReader(c.raw))
	d.UseNumber()
	_ = d.Decode(&c.reply) // nil when it is no JSON
}

// is reports whether a call has a method and a path that ends in a pattern.
func (c *call) is(method, pattern string) bool {
	return c.r.Method == method && regexp.MustCompile(pattern+"$").MatchString(c.r.URL.Path)
}

// answer replaces the answer.
func (c *call) answer(status int, reply any) {
	c.status, c.reply, c.raw, c.header = status, reply, nil, http.Header{"Content-Type": {"application/json"}}
}

// object returns the reply as an object, which may be changed; nil: it is not an object.
func (c *call) object() object { o, _ := c.reply.(object); return o }

// items returns the objects of a reply: those of a list, or the one.
func (c *call) items() []object {
	if o := c.object(); o != nil {
		return []object{o}
	}
	var all []object
	list, _ := c.reply.([]any)
	for _, item := range list {
		if o, ok := item.(object); ok {
			all = append(all, o)
		}
	}
	return all
}

func (c *call) write(w http.ResponseWriter) {
	body := c.raw
	if c.reply != nil {
		body, _ = json.Marshal(c.reply) // it was JSON before
	}
	maps.Copy(w.Header(), c.header)
	w.Header().Del("Content-Length")
	if c.status != http.StatusNoContent {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	}
	w.WriteHeader(c.status)
	if c.status != http.StatusNoContent {
		_, _ = w.Write(body) // whoever has gone needs no answer
	}
}

// state has what a layer remembers about one platform.
type state struct {
	mu      sync.Mutex
	tokens  []string          // access tokens that were given
	refresh []string          // refresh tokens that were given
	login   []byte            // a form that was served
	basic   string            // credentials that were served
	last    map[string]any    // replies by what they are of
	fake    map[string]string // the right token for one that was changed
	flags   map[string]bool
}

type layer func(s *state, c *call)

// wrap makes a mutant of a layer.
func wrap(l layer) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		s := &state{last: map[string]any{}, fake: map[string]string{}, flags: map[string]bool{}}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body) // the suite sends whole bodies
			c := &call{r: r, sent: body, next: next}
			s.mu.Lock()
			defer s.mu.Unlock()
			l(s, c)
			s.learn(c)
			c.write(w)
		})
	}
}

// learn remembers the tokens that were issued, and the first login and Basic credentials that were served.
func (s *state) learn(c *call) {
	if c.status/100 != 2 {
		return
	}
	if c.is("POST", "/authorize") {
		access, _ := c.object()["access_token"].(string)
		refresh, _ := c.object()["refresh_token"].(string)
		s.tokens, s.refresh = append(s.tokens, access), append(s.refresh, refresh)
		if s.login == nil {
			s.login = c.sent
		}
	}
	if s.basic == "" && strings.HasPrefix(c.r.Header.Get("Authorization"), "Basic ") {
		s.basic = c.r.Header.Get("Authorization")
	}
}

// after makes a layer of a change to the answers to one kind of call that was served.
func after(method, pattern string, change func(c *call)) layer {
	return func(_ *state, c *call) {
		c.pass()
		if c.status/100 == 2 && c.is(method, pattern) {
			change(c)
		}
	}
}

// set returns a change that sets a member in every object of an answer; nil removes the member.
func set(member string, value any) func(c *call) {
	return func(c *call) {
		for _, o := range c.items() {
			if o[member] = value; value == nil {
				delete(o, member)
			}
		}
	}
}

// showing makes a layer that replaces a wrong token with a right one, so that the call is served.
func showing(pattern string, wrong func(s *state, shown string) bool) layer {
	return func(s *state, c *call) {
		shown := strings.TrimPrefix(c.r.Header.Get("Authorization"), "Bearer ")
		if c.is(c.r.Method, pattern) && len(s.tokens) > 0 && wrong(s, shown) {
			c.r.Header.Set("Authorization", "Bearer "+s.tokens[0])
		}
		c.pass()
	}
}

// calls is the path of call requests.
const calls = "/channels/voice"

// sending makes a layer that answers some call requests, by their bodies, with another class of status than the platform.
func sending(when func(body string) bool, status int) layer {
	return func(_ *state, c *call) {
		c.pass()
		if c.is("POST", calls) && when(string(c.sent)) && (c.status/100 == 2) != (status/100 == 2) && c.status != 401 {
			c.answer(status, object{"id": "0"})
		}
	}
}
