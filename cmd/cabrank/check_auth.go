package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// errAuthStyle lists the styles that check knows.
var errAuthStyle = errors.New("want none, basic:USER:PASSWORD, bearer:TOKEN, header:NAME:VALUE, query:NAME:VALUE or oauth2:ID:SECRET")

// credentials turns the --auth flags into what is put on each request. OAuth 2
// asks for its first token here, so that a wrong secret is named as what it is.
func (f *targetFlags) credentials(ctx context.Context, out outside, config *tls.Config) (taxi.Auth, error) {
	var all []taxi.Auth
	for _, text := range f.auths {
		auth, err := f.style(ctx, text, out, config)
		if err != nil {
			return nil, err
		}
		if auth != nil {
			all = append(all, auth)
		}
	}
	switch len(all) {
	case 0:
		return nil, nil
	case 1:
		return all[0], nil
	}
	return func(r *http.Request) {
		for _, auth := range all {
			auth(r)
		}
	}, nil
}

func (f *targetFlags) style(ctx context.Context, text string, out outside, config *tls.Config) (taxi.Auth, error) {
	style, rest, _ := strings.Cut(text, ":")
	name, hidden, two := strings.Cut(rest, ":")
	switch {
	case style != "query" && style != "oauth2":
		auth, err := parseAuth(text, out.getenv)
		if err != nil && !strings.HasPrefix(err.Error(), "secret") {
			err = fmt.Errorf("--auth style %q: %w", style, errAuthStyle)
		}
		if err != nil {
			return nil, &exitError{exitUsage, err}
		}
		return auth, nil
	case !two || name == "" || hidden == "":
		return nil, usageError("--auth style %q: %w", style, errAuthStyle)
	}
	value, err := secret(hidden, out.getenv)
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	if style == "query" {
		return queryAuth(name, value), nil
	}
	return f.oauth(ctx, name, value, config)
}

// queryAuth authenticates with a parameter of the address.
func queryAuth(name, value string) taxi.Auth {
	return func(r *http.Request) {
		query := r.URL.Query()
		query.Set(name, value)
		r.URL.RawQuery = query.Encode()
	}
}

// tokens exchanges client credentials for access tokens (RFC 6749, 4.4) and
// keeps the token until shortly before it expires.
type tokens struct {
	url, id, secret, scope string
	http                   *http.Client

	mu      sync.Mutex
	token   string
	expires time.Time
}

func (f *targetFlags) oauth(ctx context.Context, id, secret string, config *tls.Config) (taxi.Auth, error) {
	if f.tokenURL == "" {
		return nil, usageError("--auth oauth2 needs --token-url, where the token is asked for")
	}
	own := http.DefaultTransport.(*http.Transport).Clone()
	own.TLSClientConfig = config
	t := &tokens{url: f.tokenURL, id: id, secret: secret, scope: f.scope, http: &http.Client{Timeout: f.timeout, Transport: own}}
	if _, err := t.current(ctx); err != nil {
		return nil, &exitError{exitUnreachable, fmt.Errorf("--auth oauth2: %w; check --token-url and the client's id and secret", err)}
	}
	return func(r *http.Request) {
		if token, err := t.current(r.Context()); err == nil { // without one the server refuses, and the report says so
			r.Header.Set("Authorization", "Bearer "+token)
		}
	}, nil
}

// current returns a token that is good for a while yet.
func (t *tokens) current(ctx context.Context) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.token != "" && now().Before(t.expires) {
		return t.token, nil
	}
	form := url.Values{"grant_type": {"client_credentials"}}
	if t.scope != "" {
		form.Set("scope", t.scope)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.url, strings.NewReader(form.Encode()))
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.SetBasicAuth(url.QueryEscape(t.id), url.QueryEscape(t.secret))
	resp, err := t.http.Do(req)
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	defer resp.Body.Close()
	return t.keep(resp)
}

// keep reads the answer of the token server.
func (t *tokens) keep(resp *http.Response) (string, error) {
	const most, early, unsaid = 1 << 20, 30 * time.Second, 5 * time.Minute
	var answer struct {
		AccessToken string `json:"access_token"`
		ExpiresIn   int    `json:"expires_in"` // s
	}
	err := json.NewDecoder(io.LimitReader(resp.Body, most)).Decode(&answer)
	switch {
	case resp.StatusCode != http.StatusOK:
		return "", fmt.Errorf("token: the token server answered %s", resp.Status)
	case err != nil || answer.AccessToken == "":
		return "", errors.New("token: the token server's answer has no access_token")
	}
	t.token, t.expires = answer.AccessToken, now().Add(unsaid)
	if answer.ExpiresIn > 0 {
		t.expires = now().Add(time.Duration(answer.ExpiresIn)*time.Second - early)
	}
	return t.token, nil
}
