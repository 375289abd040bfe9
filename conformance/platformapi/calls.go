package platformapi

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/platformapi/rules"
)

// object is a JSON object to be sent.
type object = map[string]any

func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // the objects of this package can be encoded
	}
	return text
}

// form returns a call of the token endpoint with the given fields.
func form(fields url.Values) client.Call {
	return client.Call{
		Op: rules.OpAuthorize, Body: []byte(fields.Encode()),
		Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}},
	}
}

// with returns a call with an Authorization header added; "": none is added.
func with(authorization string, l client.Call) client.Call {
	l.Header = l.Header.Clone()
	if l.Header == nil {
		l.Header = http.Header{}
	}
	if authorization != "" {
		l.Header.Set("Authorization", authorization)
	}
	return l
}

func basic(id, client string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(id+":"+client))
}

func bearer(token string) string { return "Bearer " + token }

// as makes a call as each user in turn until one is allowed to make it, since the interface does not show
// the meaning of roles. If all are refused, it returns the last refusal.
func (r *run) as(ctx context.Context, probe conformance.ProbeName, l client.Call) *conformance.Exchange {
	users := r.target.Credentials.Users
	for i, u := range users {
		if r.token(ctx, u) == "" {
			continue
		}
		x := r.callAs(ctx, probe, u, l)
		if last := i == len(users)-1; last || x.Code() != http.StatusForbidden && x.Code() != http.StatusUnauthorized {
			return x
		}
		x.Intent, x.Sound, x.Probe = rules.IntentRole, false, rules.ProbeRoles.With(role(u))
	}
	return &conformance.Exchange{}
}

// role returns the first role of a user, or "without a role".
func role(u User) string {
	if len(u.Roles) == 0 {
		return "without a role"
	}
	return u.Roles[0]
}

// ask makes an ordinary call that a correct platform serves, with body as JSON; nil: no body.
func (r *run) ask(ctx context.Context, probe conformance.ProbeName, op conformance.Operation, account, id string, body any) *conformance.Exchange {
	l := client.Call{Op: op, Path: r.path(op, account, id), Sound: true}
	if body != nil {
		l.Body = encode(body)
	}
	return r.as(ctx, probe, l)
}
