package dispatchside_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
)

var wireFaults = []fault{
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

// compress packs the answer.
func (c *call) compress() {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte(jsonText(c.reply)))
	_ = z.Close()
	c.raw = packed.Bytes()
	c.header.Set("Content-Encoding", "gzip")
}
