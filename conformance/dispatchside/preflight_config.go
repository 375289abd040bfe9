package dispatchside

import (
	"context"
	"net/http"
	"strings"
	_ "time/tzdata" // in case no zone files are installed

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// preflight finds out with a few calls whether a run makes sense. The error is
// [*conformance.Unreachable], or ctx.Err().
func (r *run) preflight(ctx context.Context) error {
	if r.Connect(ctx) {
		r.tryConfig(ctx)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if r.Grounded() {
		return &conformance.Unreachable{URL: r.Redactor().URL(r.Config.URL), Steps: r.Steps}
	}
	return nil
}

// tryConfig calls /config and records, as steps, what in the answer prevents a run. If /config
// fails, it tries /user, since a server without /config may still be worth testing.
func (r *run) tryConfig(ctx context.Context) {
	x := r.Send(ctx, conformance.ProbePreflight, client.Call{Op: rules.OpConfig, Body: encode(object{}), Sound: true})
	if !x.Succeeded() || !x.Reply().IsObject() {
		if r.answersUser(ctx, x) {
			r.Step(ctx, conformance.Step{Name: "/config", OK: true, Took: x.Took, Detail: "not answered correctly, but /user is: " + jsonvalue.Clip(conformance.Answer(x).Show(), 60)})
			return
		}
	}
	for _, look := range []func(*conformance.Exchange) conformance.Step{r.HTTPStep, r.AuthStep, pathStep, jsonStep, client.ClockStep} {
		if !r.Step(ctx, look(x)) {
			return
		}
	}
	r.Step(ctx, conformance.Step{Name: "/config", OK: true, Took: x.Took, Detail: "status " + x.Reply().At("status").Show()})
}

// answersUser reports whether the server answers /user, although it does not answer /config
// correctly (x).
func (r *run) answersUser(ctx context.Context, x *conformance.Exchange) bool {
	phone := r.phones.take(1)
	defer r.phones.release(phone)
	user := r.Send(ctx, conformance.ProbePreflight, client.Call{Op: rules.OpUser, Body: encode(object{"phoneNumber": phone[0]}), Intent: rules.IntentNewcomer})
	if !user.Reply().IsObject() {
		return false
	}
	return user.Succeeded() || user.Code() == http.StatusNotFound && !alike(x, user)
}

// alike reports whether two refusals have the same status and Content-Type, as from a server that
// refuses every path alike.
func alike(a, b *conformance.Exchange) bool {
	return a.Code() == b.Code() && a.Response.Header.Get("Content-Type") == b.Response.Header.Get("Content-Type")
}

func pathStep(x *conformance.Exchange) conformance.Step {
	s := conformance.Step{Name: "path", Detail: client.Gave(x)}
	switch code := x.Code(); {
	case code == http.StatusNotFound || code == http.StatusMethodNotAllowed:
		s.Cure = "check the path: the five operations are expected at {address}/config, /user, /book, /cancel and /status"
	case code/100 == 3:
		s.Cure = "use the address that the server redirects to: " + x.Response.Header.Get("Location")
	default:
		return conformance.Step{Name: "path", OK: true, Detail: x.Request.URL}
	}
	return s
}

func jsonStep(x *conformance.Exchange) conformance.Step {
	s := conformance.Step{Name: "JSON", Detail: client.Gave(x), Cure: "answer POST /config with one JSON object"}
	switch {
	case x.Succeeded() && x.Reply().IsObject():
		return conformance.Step{Name: "JSON", OK: true, Detail: x.Response.Header.Get("Content-Type")}
	case conformance.IsHTML(x) || strings.HasPrefix(strings.TrimSpace(string(x.Response.Body)), "<"):
		s.Cure = "this looks like a web site: check host and path of the address"
	}
	return s
}

// config returns the client configuration of the target.
func (t *Target) config() client.Config {
	return client.Config{
		Suite: &Suite, URL: t.URL, Now: t.Now, Auth: t.Auth, TLS: t.TLS, Transport: t.Transport, Timeout: t.Timeout, Width: t.Width,
		Guard: t.Guard, Rate: t.Rate, Pause: t.Pause, Barred: t.barred(), Abandon: t.Abandon,
		Heard: t.Preflight, Hello: client.Call{Op: rules.OpConfig, Body: encode(object{})}, HTTPSCheck: "SEC-01", TLSCheck: "SEC-02",
	}
}
