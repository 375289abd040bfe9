package platformapi

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/platformapi/rules"
)

// session holds the tokens of a logged-in user.
type session struct {
	access, refresh string
	stale           time.Time // when to renew the access token; zero: when it is refused
}

// recordTokens records the tokens that a user received by a login or a renewal.
func (r *run) recordTokens(u User, x *conformance.Exchange) {
	r.learn(x)
	s := session{access: x.Reply().At("access_token").Text(), refresh: x.Reply().At("refresh_token").Text()}
	if life := lifeOf(x); life > 0 {
		s.stale = x.Ended().Add(life / 2) // exp is in whole seconds
	}
	r.sessions[u.Username] = s
}

// lifeOf returns how long an access token is valid: expires_in as seconds, the unit of most platforms; 0:
// it is missing or not a number.
func lifeOf(x *conformance.Exchange) time.Duration {
	return time.Duration(x.Reply().At("expires_in").Number() * float64(time.Second))
}

// token returns the user's access token, renewed if it is about to expire; "": the user is not logged in.
func (r *run) token(ctx context.Context, u User) string {
	s := r.sessions[u.Username]
	if s.access != "" && !s.stale.IsZero() && r.target.Now().After(s.stale) {
		r.renew(ctx, u)
	}
	return r.sessions[u.Username].access
}

// renew gets a new access token for a user, with the refresh token or, if that is refused, with the
// password. It reports whether one was received.
func (r *run) renew(ctx context.Context, u User) bool {
	for _, fields := range []url.Values{
		{"token": {r.sessions[u.Username].refresh}}, {"username": {u.Username}, "password": {u.Password}},
	} {
		l := form(fields)
		l.Intent = rules.IntentRenewal
		if x := r.Send(ctx, rules.ProbeLogin, l); x.Succeeded() && x.Reply().At("access_token").HasText() {
			r.recordTokens(u, x)
			return true
		}
	}
	return false
}

// callAs makes a call as a user. The unit of expires_in is not known, so a token may expire early: if a call
// is refused because of its token, the call is repeated with a renewed token. Once that did not help, it is
// not tried again.
func (r *run) callAs(ctx context.Context, probe conformance.ProbeName, u User, l client.Call) *conformance.Exchange {
	x := r.Send(ctx, probe, with(bearer(r.token(ctx, u)), l))
	if x.Code() != http.StatusUnauthorized || r.vain || !r.tokenExpired(ctx, u) || !r.renew(ctx, u) {
		return x
	}
	again := r.Send(ctx, probe, with(bearer(r.token(ctx, u)), l))
	r.vain = again.Code() == http.StatusUnauthorized
	x.Intent, x.Sound = rules.IntentStale, false
	return again
}

// tokenExpired reports whether the platform refuses a user's token even for reading the organisation.
func (r *run) tokenExpired(ctx context.Context, u User) bool {
	l := client.Call{Op: rules.OpMe, Intent: rules.IntentStale}
	return r.Send(ctx, rules.ProbeLogin, with(bearer(r.sessions[u.Username].access), l)).Code() == http.StatusUnauthorized
}
