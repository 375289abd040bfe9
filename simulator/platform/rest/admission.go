package rest

import (
	"errors"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/api"
)

// The roles that may use an operation besides OrganisationAdmin, which may use all.
// Decision: the interface does not say which role is for what; this gives each the least
// that its name implies.
var (
	anyRole   = []string{api.RoleRecorder, api.RoleVoice}
	voiceRole = []string{api.RoleVoice}
	adminOnly = []string(nil)
)

// user returns a handler for an operation that needs a logged-in user with one of the roles.
func (p *API) user(roles []string, do Handler) gin.HandlerFunc {
	return p.Answer(func(r *Request) (Reply, error) {
		var err error
		if r.Who, err = p.Bearer(r.C); err != nil {
			return Reply{}, err
		}
		if err := Allowed(r.Who, roles); err != nil {
			return Reply{}, err
		}
		if !inbound.TakesJSON(r.C.Request.Header.Values("Accept")) {
			return Reply{}, api.Refuse(api.CodeNotAcceptable, "Accept leaves no room for application/json")
		}
		return do(r)
	})
}

// account returns a handler for an operation on an account of the user's organisation. Other accounts are reported as
// not found, so that nobody can find out which ids exist.
func (p *API) account(roles []string, do Handler) gin.HandlerFunc {
	return p.user(roles, func(r *Request) (Reply, error) {
		a, ok := p.Records.Account(r.C.Param("account"))
		if !ok || a.Organisation != r.Who.Organisation {
			return Reply{}, api.Refuse(api.CodeNotFound, "no such account")
		}
		r.Account = a
		return do(r)
	})
}

// Allowed returns an error if a user has none of the roles.
func Allowed(who access.Who, roles []string) error {
	if slices.Contains(who.Roles, api.RoleAdmin) {
		return nil
	}
	for _, role := range roles {
		if slices.Contains(who.Roles, role) {
			return nil
		}
	}
	return api.RefuseRole(strings.Join(append([]string{api.RoleAdmin}, roles...), " or "))
}

// Bearer returns the user of a request's access token.
func (p *API) Bearer(c *gin.Context) (access.Who, error) {
	headers := c.Request.Header["Authorization"]
	if len(headers) != 1 {
		return access.Who{}, api.Refuse(api.CodeUnauthenticated, "want one header Authorization: Bearer <access token>")
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	token = strings.TrimLeft(token, " ") // RFC 9110, 11.4: one or more
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return access.Who{}, api.Refuse(api.CodeUnauthenticated, "want Authorization: Bearer <access token>")
	}
	who, err := p.Tokens.Access(token)
	switch {
	case errors.Is(err, access.ErrExpired):
		return access.Who{}, api.Refuse(api.CodeTokenExpired, "renew it with the refresh token at /api/v1/oauth/authorize")
	case err != nil:
		return access.Who{}, api.Refuse(api.CodeTokenInvalid, "want an access token from /api/v1/oauth/authorize")
	}
	_, err = p.present(who)
	return who, err
}

// challenge returns the WWW-Authenticate header of an error (RFC 6750).
func challenge(code api.Code) string {
	switch code {
	case api.CodeTokenExpired:
		return `Bearer realm="cabrank", error="invalid_token", error_description="expired"`
	case api.CodeTokenInvalid:
		return `Bearer realm="cabrank", error="invalid_token"`
	default:
		return `Bearer realm="cabrank"`
	}
}
