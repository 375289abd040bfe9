package dispatchside_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"
)

// badFaults crash on one class of bad input each.
var badFaults = []fault{
	crash("BAD-01", "an empty body", func(b []byte, _ string) bool { return len(b) == 0 }),
	crash("BAD-02", "what is not JSON", func(b []byte, _ string) bool {
		return bytes.HasPrefix(b, []byte("{not")) || bytes.HasPrefix(b, []byte("<"))
	}),
	crash("BAD-03", "JSON that breaks off", func(b []byte, _ string) bool {
		return bytes.HasPrefix(b, []byte(`{"`)) && !bytes.HasSuffix(b, []byte("}"))
	}),
	crash("BAD-04", "what is no object", func(b []byte, _ string) bool {
		return len(b) > 0 && strings.ContainsRune(`["n`, rune(b[0]))
	}),
	crash("BAD-05", "a field of the wrong type", wronglyTyped),
	crash("BAD-06", "a large body", func(b []byte, _ string) bool { return len(b) > 512<<10 }),
	crash("BAD-07", "deep nesting", func(b []byte, _ string) bool { return bytes.Contains(b, []byte("[[[[[[[[")) }),
	crash("BAD-08", "duplicate keys", duplicated),
	crash("BAD-09", "bad UTF-8", func(b []byte, _ string) bool { return !utf8.Valid(b) || bytes.Contains(b, []byte(`\ud800"`)) }),
	crash("BAD-10", "control characters", func(b []byte, _ string) bool {
		return bytes.ContainsAny(b, "\x01") || bytes.Contains(b, []byte(`\u0000`))
	}),
	crash("BAD-11", "another content type", func(_ []byte, label string) bool { return !strings.Contains(label, "json") }),
	crash("BAD-12", "a quotation mark", func(b []byte, _ string) bool { return bytes.Contains(b, []byte(`'"`)) }),
	pasted("a first-time caller's name is pasted in", "BAD-12@book", func(c *call) bool {
		return c.creates() && c.req["userId"] == nil && strings.Contains(text(c.req["name"]), "'")
	}),
	pasted("the name of an edit is pasted in", "BAD-12@book", func(c *call) bool {
		return c.op == "book" && !c.creates() && strings.Contains(text(c.req["name"]), "'")
	}),
	pasted("the number of a booking is pasted in", "BAD-12@book", func(c *call) bool { return c.creates() && strings.HasSuffix(text(c.req["phoneNumber"]), "'") }),
	pasted("the userId of a booking is pasted in", "BAD-12@book", func(c *call) bool { return c.creates() && strings.HasSuffix(text(c.req["userId"]), "'") }),
	{name: "a comment mark ends the userId of an edit", killedBy: "BAD-12@book", layer: before(func(c *call) {
		if id := text(c.req["userId"]); c.op == "book" && !c.creates() && strings.HasSuffix(id, "--") {
			c.req["userId"] = strings.TrimSuffix(id, "--")
		}
	})},
	{name: "a percent sign after the journeyId of an edit is dropped", killedBy: "BAD-12@book", layer: before(func(c *call) {
		if id := text(c.req["journeyId"]); c.op == "book" && id != "" {
			c.req["journeyId"] = strings.TrimSuffix(id, "%")
		}
	})},
	pasted("the userId of /status is pasted in", "BAD-12@status", func(c *call) bool { return c.op == "status" && strings.Contains(text(c.req["userId"]), "'") }),
	pasted("the journeyId of /cancel is pasted in", "BAD-12@cancel", func(c *call) bool { return c.op == "cancel" && strings.HasSuffix(text(c.req["journeyId"]), "'") }),
	pasted("a backslash in a drop-off ends its text", "BAD-12@book", func(c *call) bool {
		stops, _ := c.req["dropoffs"].([]any)
		return len(stops) > 0 && strings.HasSuffix(text(stops[0].(object)["address"]), `\`)
	}),
	pasted("a category is a format", "BAD-12@book", func(c *call) bool { return strings.Contains(text(c.req["vehicleCategory"]), "%") }),
	{name: "a percent sign names any journey", killedBy: "BAD-12@status", layer: remembering(func(m *memory, c *call, next func()) {
		if c.op == "status" && c.req["journeyId"] == "%" {
			c.req["journeyId"] = m.get("last of " + text(c.req["userId"]))
		}
		if next(); c.ok("book") {
			m.set("last of "+text(c.req["userId"]), c.reply["journeyId"])
		}
	})},
	{name: "quotes are doubled", killedBy: "BAD-12@book", layer: onStatus("passenger", func(p object) {
		p["name"] = strings.ReplaceAll(text(p["name"]), "'", "''")
	})},
	crash("BAD-13", "a long string", func(b []byte, _ string) bool { return longString.Match(b) && len(b) < 20<<10 }),
	crash("BAD-14", "odd numbers", func(b []byte, _ string) bool { return bytes.Contains(b, []byte("1e400")) }),
	crash("BAD-15", "other capitals", func(b []byte, _ string) bool { return bytes.HasPrefix(b, []byte(`{"`)) && b[2] >= 'A' && b[2] <= 'Z' }),
	{name: "a booking made of nothing", killedBy: "BAD-01@book", most: 5, layer: withDiary(func(d diary, c *call) {
		if c.op == "book" && c.req == nil && c.http.ContentLength == 0 {
			c.req = object{
				"name": "Nobody", "phoneNumber": "447700900777", "pickup": somewhere, "dropoffs": []any{somewhere},
				"pickupTime": d.last().Format("2006-01-02T15:04:05Z07:00"),
			}
		}
	})},
	{name: "templates are run", killedBy: "BAD-12@book", layer: onStatus("passenger", func(p object) {
		p["name"] = strings.NewReplacer("{{7*7}}", "49", "${7*7}", "49").Replace(text(p["name"]))
	})},
	{name: "odd texts in an address crash", killedBy: "W-12@book BAD-10@book BAD-12@book BAD-13@book", layer: after(func(c *call) {
		p, _ := c.req["pickup"].(object)
		if at := text(p["address"]); strings.ContainsAny(at, "\x00<;") || len(at) > 1000 {
			c.answer(http.StatusInternalServerError, object{"error": "a map that does not know the street"})
		}
	})},
	{name: "templates are run in addresses", killedBy: "BAD-12@book", layer: onStatus("pickup", func(p object) {
		p["address"] = strings.NewReplacer("{{7*7}}", "49", "${7*7}", "49").Replace(text(p["address"]))
	})},
	{name: "a half-read booking with other capitals", killedBy: "BAD-15@book", layer: withDiary(func(d diary, c *call) {
		if c.op == "book" && c.req["PhoneNumber"] != nil {
			c.req = object{
				"name": c.req["Name"], "phoneNumber": c.req["PhoneNumber"], "pickup": somewhere, "dropoffs": []any{somewhere},
				"pickupTime": c.req["PickupTime"], "userId": c.req["UserId"],
			}
		}
	})},
}

// pasted returns a fault that answers 500 to some calls, as a server does that inserts a text into SQL or a format.
func pasted(name, killedBy string, which func(c *call) bool) fault {
	return fault{name: name, killedBy: killedBy, layer: refuses(http.StatusInternalServerError, "internal", which)}
}

// crash returns a fault that answers 500 to bodies of one class, on all operations.
func crash(id, what string, hits func(body []byte, label string) bool) fault {
	var ids []string
	for _, op := range []string{"config", "user", "book", "cancel", "status"} {
		ids = append(ids, id+"@"+op)
	}
	return fault{name: what + " crashes", killedBy: strings.Join(ids, " "), most: 9, http: func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body := readAll(r)
			if r.Method == http.MethodPost && hits(body, r.Header.Get("Content-Type")) {
				write(w, http.StatusInternalServerError, "application/json", `{"error":"internal"}`)
				return
			}
			h.ServeHTTP(w, r)
		})
	}}
}

var longString = regexp.MustCompile(`"(name|phoneNumber|journeyId|note)":"[^"]*taxi taxi taxi taxi`)

// wronglyTyped reports whether a field that should be a string is an object, or one that should be an object
// or an array is a string.
func wronglyTyped(b []byte, _ string) bool {
	var in object
	if json.Unmarshal(b, &in) != nil {
		return false
	}
	for _, key := range []string{"userId", "phoneNumber", "name", "pickupTime", "journeyId"} {
		if _, ok := in[key].(object); ok {
			return true
		}
	}
	for _, key := range []string{"pickup", "dropoffs", "data"} {
		if _, ok := in[key].(string); ok {
			return true
		}
	}
	return false
}

// duplicated reports whether the first key of a body, if it is one of five, occurs in it again.
func duplicated(b []byte, _ string) bool {
	for _, key := range []string{"userId", "phoneNumber", "pickupTime", "journeyId", "data"} {
		if bytes.HasPrefix(b, []byte(`{"`+key+`":`)) && bytes.Count(b, []byte(`"`+key+`":`)) > 1 {
			return true
		}
	}
	return false
}
