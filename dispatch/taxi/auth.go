package taxi

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Auth adds a client's credentials to a request. Clause: authentication of calls
// to the third party is chosen by the third party.
type Auth func(*http.Request)

// Basic adds a user name and a password to requests.
func Basic(user, password string) Auth {
	return func(r *http.Request) { r.SetBasicAuth(user, password) }
}

// Bearer adds a bearer token to requests.
func Bearer(token string) Auth { return Header("Authorization", "Bearer "+token) }

// Header adds a header with a secret to requests, such as an API key.
func Header(name, value string) Auth {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// Query adds a query parameter with a secret to requests.
func Query(name, value string) Auth {
	return func(r *http.Request) {
		query := r.URL.Query()
		query.Set(name, value)
		r.URL.RawQuery = query.Encode()
	}
}

// AuthStyle says how credentials are sent.
type AuthStyle string

// The styles that [ParseAuth] knows.
const (
	AuthNone   AuthStyle = "none"
	AuthBasic  AuthStyle = "basic"  // RFC 7617
	AuthBearer AuthStyle = "bearer" // RFC 6750
	AuthHeader AuthStyle = "header" // an API key
	AuthQuery  AuthStyle = "query"  // a query parameter; only if ParseAuth allows it
	AuthOAuth2 AuthStyle = "oauth2" // client credentials, RFC 6749 4.4; only if ParseAuth allows it
)

// Credentials are what a client sends and a server requires. The zero value is none.
type Credentials struct {
	Style  AuthStyle // "": [AuthNone]
	Name   string    // the name of the user, header or parameter, or the client id
	Secret string    // the password, token, value or client secret
}

// Auth returns a function that adds the credentials to requests; nil for no credentials, and
// for [AuthOAuth2], which needs a token first.
func (c Credentials) Auth() Auth {
	switch c.Style {
	case AuthBasic:
		return Basic(c.Name, c.Secret)
	case AuthBearer:
		return Bearer(c.Secret)
	case AuthHeader:
		return Header(c.Name, c.Secret)
	case AuthQuery:
		return Query(c.Name, c.Secret)
	default:
		return nil
	}
}

// String hides the secret.
func (c Credentials) String() string {
	if c.Style == "" {
		return string(AuthNone)
	}
	return string(c.Style)
}

// GoString hides the secret from %#v too.
func (c Credentials) GoString() string { return "taxi.Credentials{" + c.String() + "}" }

// ParseAuth parses credentials: "none", "basic:USER:PASSWORD", "bearer:TOKEN",
// "header:NAME:VALUE" and, if more lists their styles, "query:NAME:VALUE" and
// "oauth2:ID:SECRET". A secret that starts with "@" or "env:" is a reference, which lookup
// resolves; without a lookup it is used literally. An empty text is an error, as are
// characters that headers cannot hold. Errors never quote the text, which may be a secret;
// errors of lookup are returned unchanged.
func ParseAuth(text string, lookup func(reference string) (string, error), more ...AuthStyle) (Credentials, error) {
	name, rest, _ := strings.Cut(text, ":")
	style := AuthStyle(name)
	form, known := authForms[style]
	if !known || form.rare && !slices.Contains(more, style) {
		return Credentials{}, wantAuth(more)
	}
	c := Credentials{Style: style, Secret: rest}
	if form.named {
		c.Name, c.Secret, known = strings.Cut(rest, ":")
		if !known || c.Name == "" {
			return Credentials{}, wantAuth(more)
		}
	}
	if style == AuthNone {
		if text != string(AuthNone) {
			return Credentials{}, wantAuth(more)
		}
		return c, nil
	}
	if c.Secret == "" && style != AuthBasic {
		return Credentials{}, wantAuth(more)
	}
	return c.resolved(lookup)
}

// authForms maps each style to its syntax.
var authForms = map[AuthStyle]struct {
	example     string
	named, rare bool
}{
	AuthNone:   {"none", false, false},
	AuthBasic:  {"basic:USER:PASSWORD", true, false},
	AuthBearer: {"bearer:TOKEN", false, false},
	AuthHeader: {"header:NAME:VALUE", true, false},
	AuthQuery:  {"query:NAME:VALUE", true, true},
	AuthOAuth2: {"oauth2:ID:SECRET", true, true},
}

// wantAuth returns an error that lists the accepted forms.
func wantAuth(more []AuthStyle) error {
	var list strings.Builder
	list.WriteString("want ")
	all := append([]AuthStyle{AuthNone, AuthBasic, AuthBearer, AuthHeader}, more...)
	for i, style := range all {
		switch i {
		case 0:
		case len(all) - 1:
			list.WriteString(" or ")
		default:
			list.WriteString(", ")
		}
		list.WriteString(authForms[style].example)
	}
	return errors.New(list.String())
}

// resolved looks the secret up if it is a reference, and checks the credentials.
func (c Credentials) resolved(lookup func(string) (string, error)) (Credentials, error) {
	if lookup != nil && (strings.HasPrefix(c.Secret, "@") || strings.HasPrefix(c.Secret, "env:")) {
		secret, err := lookup(c.Secret)
		if err != nil {
			return Credentials{}, err
		}
		if secret == "" && c.Style != AuthBasic {
			return Credentials{}, errors.New("the secret that is referred to is empty")
		}
		c.Secret = secret
	}
	if strings.TrimSpace(c.Secret) == "" && c.Secret != "" {
		return Credentials{}, errors.New("the secret is blank: a header would lose it")
	}
	if strings.ContainsFunc(c.Name+c.Secret, isControl) {
		return Credentials{}, errors.New("names and secrets hold no line breaks or other control characters")
	}
	if c.Style == AuthHeader && (!isToken(c.Name) || isReserved(c.Name)) {
		return Credentials{}, fmt.Errorf("no request can carry credentials in a header %q; want a name such as X-Api-Key", c.Name)
	}
	return c, nil
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// isToken reports whether a text can be a header's name (RFC 9110, 5.6.2).
func isToken(text string) bool {
	other := func(r rune) bool {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
		return !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	}
	return text != "" && !strings.ContainsFunc(text, other)
}

// isReserved reports whether HTTP itself sets a header, so that credentials in it would be lost.
func isReserved(name string) bool {
	switch http.CanonicalHeaderKey(name) {
	case "Host", "Content-Length", "Content-Type", "Transfer-Encoding", "Trailer", "Connection":
		return true
	}
	return false
}
