package platformapi

import (
	"context"
	"fmt"
	"net/http"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/platformapi/rules"
)

// preflight finds out with two calls whether a run makes sense: with wrong credentials, failures would say
// nothing about the platform. If not, it returns a [*conformance.Unreachable], or ctx.Err().
func (r *run) preflight(ctx context.Context) error {
	if r.Connect(ctx) {
		x := r.Once(ctx, conformance.ProbePreflight, r.Config.Hello)
		r.learn(x)
		if r.Step(ctx, r.HTTPStep(x)) && r.Step(ctx, loginStep(x)) {
			r.Step(ctx, r.accountStep(ctx, x.Reply().At("access_token").Text()))
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if r.Grounded() {
		return &conformance.Unreachable{URL: r.Redactor().URL(r.target.URL), Steps: r.Steps}
	}
	return nil
}

// loginStep returns the preflight step for the first user's login. It fails if the login was refused; the
// checks judge the form of the answer.
func loginStep(x *conformance.Exchange) conformance.Step {
	s := conformance.Step{Name: "auth", Detail: client.Gave(x), Took: x.Took}
	switch x.Code() {
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		s.Name, s.Cure = "path", "give {base_url}, the address below which /api/v1 is"
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusUnprocessableEntity:
		s.Cure = "check username and password of users/0 in the credentials file, which are sent as a form"
	default:
		s.OK, s.Detail = true, fmt.Sprintf("the login of users/0 was answered %d", x.Code())
	}
	return s
}

// accountStep returns the preflight step for the first account of the credentials file. It fails if the
// platform lists accounts, and this one is not among them.
func (r *run) accountStep(ctx context.Context, token string) conformance.Step {
	x := r.Once(ctx, conformance.ProbePreflight, with(bearer(token), client.Call{Op: rules.OpAccounts}))
	s := conformance.Step{Name: "account", OK: true, Took: x.Took, Detail: "the run uses accounts/0"}
	items := x.Reply().Items()
	if !x.Succeeded() || len(items) == 0 {
		return s
	}
	for _, item := range items {
		if id := item.At("id"); !id.HasText() || id.Text() == r.account {
			return s
		}
	}
	return conformance.Step{
		Name: "account", Took: x.Took, Detail: fmt.Sprintf("the platform lists %s to users/0, and accounts/0 of the credentials file is not among them", conformance.Count(len(items), "account")),
		Cure: "check the id of accounts/0 in the credentials file, and that users/0 may use that account",
	}
}
