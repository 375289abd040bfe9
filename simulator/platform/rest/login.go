package rest

import (
	"errors"
	"mime"
	"net/http"
	"net/url"

	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

// mostPassword limits the length of a password that is hashed.
const mostPassword = 1024

// authorize issues a token, for a password or a refresh token.
func (p *API) authorize(r *Request) (Reply, error) {
	form, err := readForm(r)
	if err != nil {
		return Reply{}, err
	}
	var who access.Who
	if form.Has("token") {
		who, err = p.refresh(form)
	} else {
		who, err = p.login(r, form)
	}
	if err != nil {
		return Reply{}, err
	}
	token, err := p.Tokens.Issue(who)
	return OK(token), err
}

// readForm parses the body as a form; it ignores the query, which would be logged.
func readForm(r *Request) (url.Values, error) {
	contentType := r.C.GetHeader("Content-Type")
	if media, _, err := mime.ParseMediaType(contentType); err != nil || media != "application/x-www-form-urlencoded" {
		return nil, api.Refuse(api.CodeMediaType, "Content-Type is %q, want application/x-www-form-urlencoded", contentType)
	}
	raw, err := readBody(r.C)
	if err != nil {
		return nil, err
	}
	form, err := url.ParseQuery(string(raw))
	if err != nil {
		return nil, api.Refuse(api.CodeForm, "the form cannot be read")
	}
	for name, values := range form {
		if len(values) > 1 {
			return nil, api.Refuse(api.CodeForm, "%.40q is given more than once", name)
		}
	}
	return form, nil
}

func (p *API) login(r *Request, form url.Values) (access.Who, error) {
	username, password := form.Get("username"), form.Get("password")
	if username == "" || password == "" {
		return access.Who{}, api.Refuse(api.CodeForm, "want the fields username and password, or the field token with a refresh token")
	}
	forgive, wait := p.throttle.Try(r.C.RemoteIP(), username, p.Now())
	if wait > 0 {
		problem := api.Refuse(api.CodeLoginThrottled, "too many failed logins; try again in a moment")
		problem.RetryAfter = wait
		return access.Who{}, problem
	}
	kept := ""
	u, known := p.Records.User(username)
	if known {
		kept = u.Password
	}
	if len(password) > mostPassword {
		kept, password = "", password[:mostPassword]
	}
	right, err := p.Passwords.Verify(r.C.Request.Context(), kept, password)
	switch {
	case err != nil:
		return access.Who{}, err
	case !right:
		return access.Who{}, api.Refuse(api.CodeCredentials, "the username or the password is wrong")
	}
	forgive()
	return access.Who{User: u.ID, Username: u.Username, Organisation: u.Organisation, Roles: u.Roles, Generation: u.Generation}, nil
}

// refresh accepts a refresh token any number of times until it expires; the roles are the
// user's current ones.
func (p *API) refresh(form url.Values) (access.Who, error) {
	if form.Has("username") || form.Has("password") {
		return access.Who{}, api.Refuse(api.CodeForm, "want either username and password, or token")
	}
	who, err := p.Tokens.Refresh(form.Get("token"))
	switch {
	case errors.Is(err, access.ErrExpired):
		return access.Who{}, api.Refuse(api.CodeTokenExpired, "log in again with username and password")
	case err != nil:
		return access.Who{}, api.Refuse(api.CodeTokenInvalid, "want a refresh token that was given here")
	}
	u, err := p.present(who)
	if err != nil {
		return access.Who{}, err
	}
	who.Roles = u.Roles
	return who, nil
}

// present returns the stored user of a token; an error if the user no longer exists or has another password.
func (p *API) present(who access.Who) (*records.User, error) {
	u, known := p.Records.User(who.Username)
	if !known || u.ID != who.User || u.Generation != who.Generation {
		return nil, api.Refuse(api.CodeTokenInvalid, "the password was changed since it was given: log in again")
	}
	return u, nil
}

// organisation handles GET /userAccounts/me.
func (p *API) organisation(r *Request) (Reply, error) {
	o, known := p.Records.Organisation(r.Who.Organisation)
	if !known {
		return Reply{}, api.Refuse(api.CodeNotFound, "the organisation is gone")
	}
	return Reply{Status: http.StatusOK, Body: o}, nil
}
