package dispatchside_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// securityFaults let in whom they should not, or tell strangers too much. They
// learn the credentials from the first caller who has them.
var securityFaults = []fault{
	{name: "credentials on /book only", killedBy: "SEC-05 SEC-06", most: 12, http: letting(func(r *http.Request, _ string) bool {
		return !strings.HasSuffix(r.URL.Path, "/book")
	})},
	{name: "any credentials will do", killedBy: "SEC-06", most: 8, http: letting(func(r *http.Request, _ string) bool {
		return r.Header.Get("Authorization") != ""
	})},
	{name: "credentials compared but for their end", killedBy: "SEC-06", most: 8, http: letting(func(r *http.Request, pass string) bool {
		shown, most := r.Header.Get("Authorization"), len(pass)*2/3
		return len(shown) == len(pass) && shown[:most] == pass[:most]
	})},
	{name: "cancels before it asks who calls", killedBy: "SEC-07", most: 8, http: func(h http.Handler) http.Handler {
		known := &passes{}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			pass := known.learn(r)
			stranger := pass != "" && r.Header.Get("Authorization") != pass
			if stranger && strings.HasSuffix(r.URL.Path, "/cancel") {
				r.Header.Set("Authorization", pass)
				h.ServeHTTP(httptest.NewRecorder(), r)
				write(w, http.StatusUnauthorized, "application/json", `{"error":"who are you?"}`)
				return
			}
			h.ServeHTTP(w, r)
		})
	}},
	{name: "the scheme in these capitals only", killedBy: "SEC-08", http: refusing(func(r *http.Request) bool {
		scheme, _, ok := strings.Cut(r.Header.Get("Authorization"), " ")
		return ok && scheme != "Bearer" && scheme != "Basic"
	})},
	{name: "/config for nobody", killedBy: "SEC-04 CFG-02", most: 40, layer: refuses(http.StatusUnauthorized, "another gateway", func(c *call) bool { return c.op == "config" })},
	{name: "somebody else's is forbidden", killedBy: "SEC-09", layer: ofKnown(func(c *call, _ object) {
		c.answer(http.StatusForbidden, object{"error": "not yours"})
	})},
	{name: "somebody else's is named", killedBy: "SEC-10", layer: ofKnown(func(c *call, booked object) {
		c.answer(http.StatusNotFound, object{"error": "this is the journey of " + text(booked["name"])})
	})},
	{name: "names become headers", killedBy: "SEC-12", layer: after(func(c *call) {
		if strings.Contains(text(c.req["name"]), "\r\nX-Injected") {
			c.header.Set("X-Injected", "yes")
		}
	})},
}

// passes are the credentials of the first caller.
type passes struct {
	mu   sync.Mutex
	pass string
}

func (p *passes) learn(r *http.Request) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pass == "" {
		p.pass = r.Header.Get("Authorization")
	}
	return p.pass
}

// letting gives some requests the credentials of the first client, so that strangers are served.
func letting(in func(r *http.Request, pass string) bool) func(http.Handler) http.Handler {
	return func(h http.Handler) http.Handler {
		known := &passes{}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if pass := known.learn(r); pass != "" && in(r, pass) {
				r.Header.Set("Authorization", pass)
			}
			h.ServeHTTP(w, r)
		})
	}
}

// ofKnown makes a layer of a change to the 404 answers about journeys that exist, as another user gets them.
func ofKnown(change func(c *call, booked object)) func() layer {
	return then(func(m *memory, c *call) {
		if c.ok("book") && c.creates() {
			m.set(text(c.reply["journeyId"]), c.req)
		}
		booked, known := m.get(text(c.req["journeyId"])).(object)
		if known && c.status == http.StatusNotFound && text(c.req["userId"]) != "" {
			change(c, booked)
		}
	})
}
