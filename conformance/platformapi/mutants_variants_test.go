package platformapi_test

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/cabrank/cabrank/conformance/matrix"
)

// oddPlatforms returns platforms that are unusual but right.
func oddPlatforms() []matrix.Mutant {
	v := func(name string, change func(c *call)) matrix.Mutant {
		return matrix.Mutant{Name: name, Wrap: wrap(func(_ *state, c *call) { c.pass(); change(c) })}
	}
	refusal := func(name string, change func(c *call)) matrix.Mutant {
		return v(name, func(c *call) {
			if c.status/100 == 4 {
				change(c)
			}
		})
	}
	code := func(from, to int) func(c *call) {
		return func(c *call) {
			if c.status == from {
				c.status = to
			}
		}
	}
	return []matrix.Mutant{
		v("extra fields", func(c *call) {
			if c.status/100 == 2 {
				set("x-more", object{"a": 1})(c)
			}
		}),
		v("no Location", func(c *call) { c.header.Del("Location") }),
		v("creates answer nothing", func(c *call) {
			if c.status == 201 {
				c.reply, c.raw = nil, nil
			}
		}),
		v("creates answer the list", func(c *call) {
			if c.status == 201 {
				c.reply = []any{}
			}
		}),
		refusal("errors in plain text", func(c *call) {
			c.reply, c.raw = nil, []byte("no")
			c.header.Set("Content-Type", "text/plain")
		}),
		refusal("errors without a body", func(c *call) { c.reply, c.raw = nil, nil }),
		refusal("errors of another shape", func(c *call) { c.reply = object{"code": 7, "message": "no"} }),
		v("422 where 400", code(400, 422)),
		v("403 where 404", code(404, 403)),
		v("400 where 401", code(401, 400)),
		v("no challenge", func(c *call) { c.header.Del("WWW-Authenticate") }),
		v("charset with JSON", func(c *call) {
			if c.header.Get("Content-Type") == "application/json" {
				c.header.Set("Content-Type", "application/json; charset=UTF-8")
			}
		}),
		v("indented JSON", func(c *call) {
			if c.reply != nil {
				c.raw, _ = json.MarshalIndent(c.reply, "", "    ") // it was JSON before
				c.reply = nil
			}
		}),
		v("deletes are served", func(c *call) {
			if c.r.Method == http.MethodDelete {
				c.answer(204, nil)
			}
		}),
		v("an id that differs is ignored", func(c *call) {
			if c.r.Method == http.MethodPut && c.status == 400 && strings.Contains(string(c.raw), "id_mismatch") {
				c.answer(204, nil)
			}
		}),
		{Name: "administrators place no calls", Wrap: wrap(func(s *state, c *call) {
			if c.pass(); c.is("POST", "/account/[^/]+/channels/voice") && len(s.tokens) > 0 && c.r.Header.Get("Authorization") == "Bearer "+s.tokens[0] {
				c.answer(403, object{})
			}
		})},
	}
}

// idlePeers returns peers that are not platforms at all.
func idlePeers() []matrix.Mutant {
	peer := func(name string, h http.HandlerFunc) matrix.Mutant {
		return matrix.Mutant{Name: name, Own: true, Wrap: func(http.Handler) http.Handler { return h }}
	}
	says := func(contentType, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			_, _ = w.Write([]byte(body)) // whoever has gone needs no answer
		}
	}
	return []matrix.Mutant{
		peer("200 {}", says("application/json", "{}")),
		peer("200 []", says("application/json", "[]")),
		peer("404 to all", http.NotFound),
		peer("HTML", says("text/html", "<html>welcome</html>")),
		peer("204 to all", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }),
		peer("hangs up", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }),
	}
}
