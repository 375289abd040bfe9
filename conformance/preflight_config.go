package conformance

import (
	"context"
	"net/http"
	"strings"
)

// preflight finds out within a few calls whether a run makes sense. The error is
// [*Unreachable], or that of ctx.
func (r *run) preflight(ctx context.Context) error {
	if r.connect(ctx) {
		r.tryConfig(ctx)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if r.grounded() {
		return &Unreachable{URL: r.redactor().url(r.config.URL), Steps: r.steps}
	}
	return nil
}

// tryConfig calls /config and reads off the answer what stands in the way of a
// run. A server may lack /config and still be worth testing: /user is tried
// before giving up.
func (r *run) tryConfig(ctx context.Context) {
	x := r.send(ctx, probePreflight, call{op: OpConfig, body: encode(object{}), sound: true})
	if !x.succeeded() || !x.Reply().isObject() {
		if r.answersUser(ctx, x) {
			r.step(ctx, Step{Name: "/config", OK: true, Took: x.Took, Detail: "not answered as it should, but /user is: " + clip(answer(x).show(), 60)})
			return
		}
	}
	for _, look := range []func(*Exchange) Step{r.httpStep, r.authStep, pathStep, jsonStep, clockStep} {
		if !r.step(ctx, look(x)) {
			return
		}
	}
	r.step(ctx, Step{Name: "/config", OK: true, Took: x.Took, Detail: "status " + x.Reply().at("status").show()})
}

// answersUser reports whether /user is answered by something that knows the
// operation, although /config (x) is not.
func (r *run) answersUser(ctx context.Context, x *Exchange) bool {
	phone := r.phones.take(1)
	defer r.phones.giveBack(phone)
	user := r.send(ctx, probePreflight, call{op: OpUser, body: encode(object{"phoneNumber": phone[0]}), intent: intentNewcomer})
	if !user.Reply().isObject() {
		return false
	}
	return user.succeeded() || user.code() == http.StatusNotFound && !alike(x, user)
}

// alike reports whether two refusals come from something that answers every path
// in the same way.
func alike(a, b *Exchange) bool {
	return a.code() == b.code() && a.Response.Header.Get("Content-Type") == b.Response.Header.Get("Content-Type")
}

func pathStep(x *Exchange) Step {
	s := Step{Name: "path", Detail: gave(x)}
	switch code := x.code(); {
	case code == http.StatusNotFound || code == http.StatusMethodNotAllowed:
		s.Cure = "check the path: the five operations are expected at {address}/config, /user, /book, /cancel and /status"
	case code/100 == 3:
		s.Cure = "use the address that the server redirects to: " + x.Response.Header.Get("Location")
	default:
		return Step{Name: "path", OK: true, Detail: x.Request.URL}
	}
	return s
}

func jsonStep(x *Exchange) Step {
	s := Step{Name: "JSON", Detail: gave(x), Cure: "answer POST /config with one JSON object"}
	switch {
	case x.succeeded() && x.Reply().isObject():
		return Step{Name: "JSON", OK: true, Detail: x.Response.Header.Get("Content-Type")}
	case isHTML(x) || strings.HasPrefix(strings.TrimSpace(string(x.Response.Body)), "<"):
		s.Cure = "this looks like a web site: check host and path of the address"
	}
	return s
}
