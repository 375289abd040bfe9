package platformapi_test

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance/matrix"
)

func mutant(name, killedBy string, most int, l layer) matrix.Mutant {
	return matrix.Mutant{Name: name, KilledBy: killedBy, Most: most, Wrap: wrap(l)}
}

// many is for faults after which little of a run is left.
const many = 200

const authorize = "/oauth/authorize"

// wrongPlatforms lists the mutants.
func wrongPlatforms() []matrix.Mutant {
	all := slices.Concat(tokens(), doors(), accounts(), voices())
	for _, k := range []kind{
		{"trunk", "TRK", "description", "port", "zone"}, {"hook", "HOK", "url", "priority", "method"}, {"device", "DEV", "name", "name", "extension"},
	} {
		all = append(all, k.mutants()...)
	}
	return all
}

func tokens() []matrix.Mutant {
	form := func(when func(s *state, body string) bool) layer {
		return func(s *state, c *call) {
			if c.is("POST", authorize) && s.login != nil && when(s, string(c.sent)) {
				c.sent = s.login
			}
			c.pass()
		}
	}
	return []matrix.Mutant{
		mutant("no access token", "TOK-01", many, after("POST", authorize, set("access_token", nil))),
		mutant("no refresh token", "TOK-02", 0, after("POST", authorize, set("refresh_token", nil))),
		mutant("expires_in a string", "TOK-03", 0, after("POST", authorize, set("expires_in", "300"))),
		mutant("refresh_expires_in a string", "TOK-04", 0, after("POST", authorize, set("refresh_expires_in", "3600"))),
		mutant("refresh token outlived", "TOK-05", 0, after("POST", authorize, set("refresh_expires_in", 1))),
		mutant("opaque access tokens", "TOK-06", 0, renamed(func(token string) string { return "opaque" + strings.ReplaceAll(token, ".", "_") })),
		mutant("JWT without roles", "TOK-07", 0, renamed(func(token string) string {
			parts := strings.Split(token, ".")
			return parts[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"x"}`)) + "." + parts[2]
		})),
		mutant("no refresh", "TOK-08", 0, func(_ *state, c *call) {
			if c.pass(); c.is("POST", authorize) && strings.HasPrefix(string(c.sent), "token=") {
				c.answer(400, object{})
			}
		}),
		mutant("renewed tokens refused", "TOK-09", 0, func(s *state, c *call) {
			c.pass()
			token, _ := c.object()["access_token"].(string)
			if c.is("POST", authorize) && strings.HasPrefix(string(c.sent), "token=") {
				s.flags["Bearer "+token] = true
			}
			if s.flags[c.r.Header.Get("Authorization")] {
				c.answer(401, object{})
			}
		}),
		mutant("any password", "TOK-10", 0, form(func(_ *state, body string) bool { return strings.Contains(body, "not+the+password") })),
		mutant("any refresh token", "TOK-11", 0, form(func(_ *state, body string) bool { return body == "token=not-a-refresh-token" })),
		mutant("a refresh gives the first user's token", "TOK-17", 0, func(s *state, c *call) {
			c.pass()
			switch {
			case !c.is("POST", authorize) || c.status != 200:
			case !strings.HasPrefix(string(c.sent), "token=") && s.flags["first"] == false:
				s.flags["first"], s.fake["first"] = true, c.object()["access_token"].(string)
			case strings.HasPrefix(string(c.sent), "token="):
				c.object()["access_token"] = s.fake["first"]
			}
		}),
		mutant("an access token refreshes", "TOK-11", 0, form(func(s *state, body string) bool {
			return slices.ContainsFunc(s.tokens, func(token string) bool { return body == "token="+token })
		})),
		mutant("signature not checked", "TOK-12", 0, showing("/me", func(s *state, shown string) bool {
			parts := strings.Split(shown, ".")
			signed := func(token string) bool { return strings.HasSuffix(token, "."+parts[2]) }
			return len(parts) == 3 && parts[2] != "" && slices.ContainsFunc(s.tokens, signed) && !slices.Contains(s.tokens, shown)
		})),
		mutant("unsigned tokens taken", "TOK-13", 0, showing("/me", func(_ *state, shown string) bool { return strings.HasSuffix(shown, ".") })),
		mutant("refresh token as access token", "TOK-14", 0, showing("/me", func(s *state, shown string) bool { return slices.Contains(s.refresh, shown) })),
		mutant("tokens never expire", "TOK-15", 0, func(s *state, c *call) {
			c.pass()
			token := strings.TrimPrefix(c.r.Header.Get("Authorization"), "Bearer ")
			if c.is("GET", "/me") && c.status == 401 && slices.Contains(s.tokens, token) {
				c.answer(200, object{"id": "o", "name": "n"})
			}
		}),
	}
}

// renamed makes a layer that issues other access tokens, and accepts them.
func renamed(other func(string) string) layer {
	return func(s *state, c *call) {
		if real := s.fake[strings.TrimPrefix(c.r.Header.Get("Authorization"), "Bearer ")]; real != "" {
			c.r.Header.Set("Authorization", "Bearer "+real)
		}
		c.pass()
		if token, _ := c.object()["access_token"].(string); token != "" {
			c.object()["access_token"] = other(token)
			s.fake[other(token)] = token
		}
	}
}

func doors() []matrix.Mutant {
	return []matrix.Mutant{
		mutant("numbers fail", "API-01", many, after("GET", "/ddi", func(c *call) { c.answer(500, object{}) })),
		mutant("address cannot be put", "API-01", many, after("PUT", "/address", func(c *call) { c.answer(409, object{}) })),
		mutant("200 where 201", "API-01", 12, func(_ *state, c *call) {
			if c.pass(); c.status == 201 {
				c.status = 200
			}
		}),
		mutant("200 where 204", "API-01", 12, func(_ *state, c *call) {
			if c.pass(); c.status == 204 {
				c.answer(200, object{})
			}
		}),
		mutant("the account shows a password", "API-06", 0, func(s *state, c *call) {
			if c.pass(); c.is("GET", "/account/[^/]+") && c.status == 200 {
				form, _ := url.ParseQuery(string(s.login))
				c.object()["hint"] = form.Get("password")
			}
		}),
		mutant("numbers as text/html", "API-02", 0, after("GET", "/ddi", func(c *call) { c.header.Set("Content-Type", "text/html") })),
		mutant("numbers for nobody in particular", "API-03", 0, showing("/ddi", func(_ *state, shown string) bool { return shown == "" })),
		mutant("any token will do", "API-04", 40, showing("", func(_ *state, shown string) bool { return strings.HasPrefix(shown, "e30.e30.") })),
		mutant("broken JSON is a 500", "API-05", 0, func(_ *state, c *call) {
			if c.pass(); c.r.Method != "GET" && c.status == 400 && !json.Valid(c.sent) && strings.Contains(c.r.URL.Path, "/account/") && !strings.Contains(c.r.URL.Path, "channels") {
				c.answer(500, object{})
			}
		}),
	}
}

func accounts() []matrix.Mutant {
	const account = "/account/[^/]+"
	return []matrix.Mutant{
		mutant("organisation id a number", "ORG-01", 0, after("GET", "/me", set("id", 7))),
		mutant("organisation without name", "ORG-02", 0, after("GET", "/me", set("name", nil))),
		mutant("accounts without id", "ACC-01", 0, after("GET", "/account", set("id", nil))),
		mutant("account with another id", "ACC-02", 0, after("GET", account, set("id", "another"))),
		mutant("account without name", "ACC-03", 0, after("GET", account, set("name", nil))),
		mutant("mbn with a plus sign", "ACC-04", 0, after("GET", account, set("mbn", "+441632960100"))),
		mutant("account without domain", "ACC-05", 0, after("GET", account, set("domain", nil))),
		mutant("account under another name", "ACC-06", 0, after("GET", account, set("name", "another"))),
		mutant("any account is there", "ACC-07", 0, func(_ *state, c *call) {
			if c.pass(); c.is("GET", account) && c.status == 404 {
				c.answer(200, object{"id": c.r.URL.Path[strings.LastIndex(c.r.URL.Path, "/")+1:], "name": "", "mbn": "1", "domain": ""})
			}
		}),
		mutant("the address of one account is that of all", "ACC-08", 0, func(s *state, c *call) {
			if c.pass(); c.is("PUT", "/address") && c.status == 204 {
				s.fake["address"] = string(c.sent)
			} else if c.is("GET", "/address") && c.status == 200 && s.fake["address"] != "" {
				var put object
				_ = json.Unmarshal([]byte(s.fake["address"]), &put)
				c.answer(200, put)
			}
		}),
		mutant("address without level2", "ADR-01", 0, after("GET", "/address", set("level2", nil))),
		mutant("country is not kept", "ADR-02", 0, after("GET", "/address", set("country", "XX"))),
		mutant("numbers are numbers", "DDI-01", 0, after("GET", "/ddi", set("name", 441632960101))),
		mutant("numbers with words", "DDI-02", 0, after("GET", "/ddi", set("name", "line one"))),
		mutant("numbers share an id", "DDI-03", 12, after("GET", "/ddi", set("id", "the-same"))),
	}
}

func voices() []matrix.Mutant {
	has := func(texts ...string) func(string) bool {
		return func(body string) bool {
			return !slices.ContainsFunc(texts, func(t string) bool { return !strings.Contains(body, t) })
		}
	}
	lacks := func(text string) func(string) bool {
		return func(body string) bool { return json.Valid([]byte(body)) && !strings.Contains(body, text) }
	}
	as := func(wrong func(id, client string) bool) layer {
		return func(s *state, c *call) {
			id, client, _ := c.r.BasicAuth()
			if c.is("POST", calls) && !strings.Contains(c.r.URL.Path, "account") && s.basic != "" && wrong(id, client) {
				c.r.Header.Set("Authorization", s.basic)
			}
			c.pass()
		}
	}
	unsecured := mutant("calls over clear text", "VOI-14", 0, func(_ *state, c *call) { c.pass() })
	unsecured.Listen = matrix.Elsewhere("voice.example")
	return []matrix.Mutant{
		unsecured,
		mutant("callerId demanded", "VOI-01", many, sending(func(b string) bool { return !strings.Contains(b, "callerId") }, 400)),
		mutant("no tags", "VOI-02", 0, sending(has(`"tag"`), 400)),
		mutant("blank callerId refused", "VOI-03", 0, sending(has(`"callerId":""`), 400)),
		mutant("no dial verb", "VOI-04", 0, sending(has(`"dial"`), 400)),
		mutant("no extensions", "VOI-05", 0, sending(has(`"extension"`), 400)),
		mutant("calls for anybody", "VOI-06", 0, as(func(id, _ string) bool { return id == "" })),
		mutant("any client id", "VOI-07", 0, as(func(_, client string) bool { return client == "not-the-client-id" })),
		mutant("another account's client id", "VOI-08", 0, as(func(id, client string) bool { return id != "" && client != "not-the-client-id" })),
		mutant("no target needed", "VOI-09", 0, sending(lacks(`"target"`), 201)),
		mutant("no verbs needed", "VOI-10", 0, sending(lacks(`"verbs"`), 201)),
		mutant("verbs of two keys", "VOI-11", 0, sending(has(`"hangup":{}`, `"say"`), 201)),
		mutant("any verb", "VOI-12", 0, sending(has("yodel"), 201)),
		mutant("calls of broken JSON", "VOI-13", 0, sending(func(b string) bool { return !json.Valid([]byte(b)) }, 201)),
	}
}
