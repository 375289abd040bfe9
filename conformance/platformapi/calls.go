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

// object is a JSON object to send.
type object = map[string]any

func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // the objects of this package can be encoded
	}
	return text
}

// form returns a call of the token endpoint.
func form(fields url.Values) client.Call {
	return client.Call{
		Op: rules.OpAuthorize, Body: []byte(fields.Encode()),
		Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}},
	}
}

// with returns a call with an Authorization header; "": none.
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

// as makes a call as the first user whose role allows it, since the interface does not show
// the meaning of roles. If all are refused, the last refusal is the answer.
func (r *run) as(ctx context.Context, probe conformance.ProbeName, l client.Call) *conformance.Exchange {
	users := r.target.Credentials.Users
	for i, u := range users {
		if r.token(ctx, u) == "" {
			continue
		}
		x := r.fresh(ctx, probe, u, l)
		if last := i == len(users)-1; last || x.Code() != http.StatusForbidden && x.Code() != http.StatusUnauthorized {
			return x
		}
		x.Intent, x.Sound, x.Probe = rules.IntentRole, false, rules.ProbeRoles.With(role(u))
	}
	return &conformance.Exchange{}
}

// role returns the first role of a user.
func role(u User) string {
	if len(u.Roles) == 0 {
		return "without a role"
	}
	return u.Roles[0]
}

// ask makes an ordinary call that a correct platform serves.
func (r *run) ask(ctx context.Context, probe conformance.ProbeName, op conformance.Operation, account, id string, body any) *conformance.Exchange {
	l := client.Call{Op: op, Path: r.path(op, account, id), Sound: true}
	if body != nil {
		l.Body = encode(body)
	}
	return r.as(ctx, probe, l)
}
