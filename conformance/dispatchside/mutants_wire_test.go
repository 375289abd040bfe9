package dispatchside_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/matrix"
)

var wireFaults = []fault{
	{name: "refusals are sent as successes", killedBy: "USR-01", most: 40, layer: after(func(c *call) {
		if c.status == http.StatusNotFound || c.status == http.StatusConflict || c.status == http.StatusForbidden {
			c.status = http.StatusOK
		}
	})},
	{name: "replies in ISO 8859-1", killedBy: "W-13", most: 10, layer: after(func(c *call) {
		for _, r := range jsonText(c.reply) {
			if r > 0xff {
				r = '?'
			}
			c.raw = append(c.raw, byte(r))
		}
	})},
	{name: "text/html", killedBy: "W-03@status", layer: answersOf("status", func(c *call) { c.header.Set("Content-Type", "text/html") })},
	{name: "an array around the reply", killedBy: "W-01@config", most: 9, layer: answersOf("config", func(c *call) { c.raw = []byte("[" + jsonText(c.reply) + "]") })},
	{name: "trailing bytes", killedBy: "W-13@user", layer: on("user", func(c *call) { c.raw = []byte(jsonText(c.reply) + " {}") })},
	{name: "a stack trace in refusals", killedBy: "W-14@cancel", layer: onRefusal("cancel", func(c *call) { c.reply["trace"] = "goroutine 1 [running]:\nmain.main()\n\t/srv/app/main.go:12" })},
	{name: "a path of its own in refusals", killedBy: "W-14@status", layer: onRefusal("status", func(c *call) { c.reply["path"] = "/opt/dispatch/status.rb" })},
	{name: "a path with escaped slashes in refusals", killedBy: "W-14@cancel", layer: onRefusal("cancel", func(c *call) { c.raw = []byte(`{"error":"failed in=\/var\/www\/html\/cancel.inc"}`) })},
	{name: "a redirect", killedBy: "W-15@config", most: 26, layer: after(func(c *call) {
		if c.op == "config" && c.req["data"] != nil {
			c.answer(http.StatusFound, object{})
			c.header.Set("Location", "/")
		}
	})},
	{name: "unknown fields refused", killedBy: "W-04@book", layer: refuses(http.StatusBadRequest, "unknown field", func(c *call) bool {
		return c.op == "book" && c.req["extra"] != nil
	})},
	{name: "character sets lost", killedBy: "W-12@status", most: 6, layer: onStatus("pickup", func(p object) {
		p["address"] = strings.Map(func(r rune) rune {
			if r > 127 {
				return '?'
			}
			return r
		}, text(p["address"]))
	})},
	{name: "text escaped for HTML, but for &", killedBy: "W-12@status", most: 6, layer: onStatus("pickup", func(p object) {
		p["address"] = strings.NewReplacer("<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(text(p["address"]))
	})},
	{name: "201 for a look-up", warns: "W-02@user", layer: on("user", func(c *call) { c.status = http.StatusCreated })},
	{name: "a charset refused", killedBy: "W-05@config W-05@user W-05@book", http: refusing(func(r *http.Request) bool {
		return strings.Contains(r.Header.Get("Content-Type"), "charset")
	})},
	{name: "a doubled slash crashes", killedBy: "W-06@config W-06@user W-06@book W-06@cancel W-06@status", http: crashing(func(r *http.Request) bool {
		return strings.HasPrefix(r.URL.Path, "//")
	})},
	{name: "GET is as good as POST", killedBy: "W-07@config W-07@user W-07@book W-07@cancel W-07@status", http: rewriting(func(r *http.Request) {
		r.Method = http.MethodPost
	})},
	{name: "Accept demanded", killedBy: "W-08@config W-08@book", http: refusing(func(r *http.Request) bool {
		return r.Header.Get("Accept") == ""
	})},
	{name: "a length demanded", killedBy: "W-09@config W-09@user W-09@book", http: refusing(func(r *http.Request) bool {
		return r.ContentLength < 0
	})},
	{name: "a connection for each call", warns: "W-10@status", layer: after(func(c *call) { c.header.Set("Connection", "close") })},
	{name: "compressed unasked", killedBy: "W-11@config", most: 30, layer: answersOf("config", func(c *call) { c.compress() })},
	{name: "null is not absent", killedBy: "W-16@user W-16@config USR-20", layer: after(func(c *call) {
		if v, there := c.req["data"]; there && v == nil && (c.op == "user" || c.op == "config") {
			c.answer(http.StatusBadRequest, object{"error": "data is no object"})
		}
	})},
	{name: "a userId that is a number", killedBy: "W-17@book", layer: on("book", put("userId", 5))},
}

// compress compresses the answer with gzip.
func (c *call) compress() {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte(jsonText(c.reply)))
	_ = z.Close()
	c.raw = packed.Bytes()
	c.header.Set("Content-Encoding", "gzip")
}

// refusing answers 400 to the requests that hits selects.
func refusing(hits func(*http.Request) bool) func(http.Handler) http.Handler {
	return answering(http.StatusBadRequest, hits)
}

// crashing answers 500 to the requests that hits selects.
func crashing(hits func(*http.Request) bool) func(http.Handler) http.Handler {
	return answering(http.StatusInternalServerError, hits)
}

func answering(status int, hits func(*http.Request) bool) func(http.Handler) http.Handler {
	return func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if hits(r) {
				_ = readAll(r) // or the connection could not be used again
				write(w, status, "application/json", `{"error":"no"}`)
				return
			}
			h.ServeHTTP(w, r)
		})
	}
}

// rewriting changes requests before the server gets them.
func rewriting(change func(*http.Request)) func(http.Handler) http.Handler {
	return func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			change(r)
			h.ServeHTTP(w, r)
		})
	}
}

// readAll reads a body and puts it back.
func readAll(r *http.Request) []byte {
	var body bytes.Buffer
	body.Grow(int(max(r.ContentLength, 0)) + bytes.MinRead) // some are a megabyte
	_, _ = body.ReadFrom(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body.Bytes()))
	return body.Bytes()
}

func write(w http.ResponseWriter, status int, media, body string) {
	w.Header().Set("Content-Type", media)
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// fault is one way of being wrong, or odd.
type fault struct {
	name     string
	killedBy string // checks that fail, separated by spaces
	warns    string // checks that can only warn
	most     int    // verdicts that may fail in all; 0: four more than are named
	layer    func() layer
	http     func(http.Handler) http.Handler // in place of layer, for what is not about JSON
	lag      func() func(conformance.Operation) time.Duration
	path     string
	own      bool // the sound server is not used
	listen   func(now time.Time) (*matrix.Port, error)
}

func (f fault) mutant() matrix.Mutant {
	wrap := f.http
	switch {
	case f.layer != nil:
		wrap = func(h http.Handler) http.Handler { return under(h, f.layer) }
	case wrap == nil:
		wrap = func(h http.Handler) http.Handler { return h }
	}
	return matrix.Mutant{
		Name: f.name, KilledBy: f.killedBy, Warns: f.warns, Most: f.most,
		Wrap: wrap, Lag: f.lag, Path: f.path, Own: f.own, Listen: f.listen,
	}
}
