package rules_test

import (
	"net/http"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// wireRows returns the rows about the form of the calls to a third party.
func wireRows() []row {
	config := configured(`{"status":"OK"}`)
	byMethod := changed(config, func(x *conformance.Exchange) { x.Request.Method = http.MethodGet })
	first := func(all ...*conformance.Exchange) []act { return []act{{task: alone(books), calls: all}} }
	data := func(text string) []act { return []act{{task: books, calls: calls(unlike(config, "{}", text))}} }
	showing := func(shown conformance.Credentials) []act {
		return []act{{task: books, calls: calls(changed(config, func(x *conformance.Exchange) { x.Shown = shown }))}}
	}
	overTLS := func(more ...*conformance.Exchange) []act {
		secure := changed(config, func(x *conformance.Exchange) { x.Request.URL = "https://127.0.0.1/config" })
		return []act{{task: books, calls: calls(secure)}, {task: books, calls: more}}
	}
	redirected := func(shown conformance.Credentials) []act {
		here := changed(after(rules.IntentRedirect, known("")), func(x *conformance.Exchange) { x.Shown = conformance.CredsGiven })
		there := changed(after(rules.IntentRedirected, known("")), func(x *conformance.Exchange) { x.Shown = shown })
		return []act{{task: books, calls: calls(here, there)}}
	}
	return []row{
		{"P-01", "a POST of JSON", pass, first(config)},
		{"P-01", "a GET", fail, first(byMethod)},
		{"P-01", "a path beside the base", fail, first(after(rules.IntentStray, config))},
		{"P-01", "no call", unclear, first()},
		{"P-02", "/config first", pass, first(config, known(isAda))},
		{"P-02", "/user first", fail, first(known(isAda))},
		{"P-02", "others call meanwhile", unclear, []act{{task: books, calls: calls(known(isAda))}}},
		{"P-03", "/config once", pass, first(config)},
		{"P-03", "/config twice", fail, first(config, configured(`{"status":"OK"}`))},
		{"P-03", "/config after one that failed", pass, first(later(0, "config", `{}`, 500, `{}`), config)},
		{"P-03", "no /config", unclear, first(known(isAda))},
		{"P-04", "settings of the right types", pass, data(`{"features":["voice"],"skipDropOff":false}`)},
		{"P-04", "features as a text", fail, data(`{"features":"voice"}`)},
		{"P-04", "data as a list", fail, data(`[]`)},
		{"P-04", "no /config", unclear, first(known(isAda))},
		{"P-16", "the credentials that were given", pass, showing(conformance.CredsGiven)},
		{"P-16", "other credentials", fail, showing(conformance.CredsWrong)},
		{"P-16", "no credentials", fail, showing(conformance.CredsMissing)},
		{"P-16", "a third party that wants none", unclear, showing(conformance.CredsNone)},
		{"P-17", "no call under a bad certificate", pass, overTLS()},
		{"P-17", "a call under a bad certificate", fail, overTLS(after(rules.IntentBadCert, config))},
		{"P-17", "no call over https at all", unclear, []act{{task: books}}},
		{"P-18", "followed without credentials", pass, redirected(conformance.CredsMissing)},
		{"P-18", "followed with credentials", fail, redirected(conformance.CredsGiven)},
		{"P-18", "nothing to redirect", unclear, first(config)},
		{"P-86", "the number in the body", pass, first(known(isAda))},
		{"P-86", "the number in the address", fail, first(changed(known(isAda), func(x *conformance.Exchange) { x.Request.URL += "?caller=%2B44%2020+7946-0020" }))},
		{"P-86", "no call", unclear, first()},
		{"P-73", "a call over TLS 1.2", pass, first(after(rules.IntentOldTLS, config))},
		{"P-73", "no call over TLS 1.3", fail, first()},
		{"P-73", "a platform that failed at the request", unclear, []act{{task: books, failed: "HTTP 500"}}},
	}
}
