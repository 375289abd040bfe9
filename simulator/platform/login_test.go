package platform_test

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"maps"
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/api"
)

func TestLoginReturnsTokens(t *testing.T) {
	h := newHouse(t)
	for _, u := range h.credentials.Users {
		token := h.login(u.Username)
		require.Greater(t, token.RefreshExpiresIn, token.ExpiresIn)
		var c jwt.MapClaims
		_, _, err := jwt.NewParser().ParseUnverified(token.AccessToken, &c)
		require.NoError(t, err)
		roles, err := json.Marshal(c["realm_access"])
		require.NoError(t, err)
		require.JSONEq(t, `{"roles":["`+u.Roles[0]+`"]}`, string(roles))
		a := h.send(http.MethodGet, "/api/v1/userAccounts/me", "", "Authorization", "Bearer  "+token.AccessToken, "Accept", "application/json")
		require.Equal(t, http.StatusOK, a.status, "%s", a.body)
		require.Equal(t, h.credentials.Organisation, decoded[api.Organisation](t, a))
	}
}

func TestTokensExpireAndAreRefreshed(t *testing.T) {
	h := newHouse(t)
	first := h.login("admin")
	me := func(token string) answer {
		return h.send(http.MethodGet, "/api/v1/userAccounts/me", "", "Authorization", "Bearer "+token)
	}
	require.Equal(t, http.StatusOK, me(first.AccessToken).status)
	h.pass(time.Duration(first.ExpiresIn) * time.Second)
	h.refused(me(first.AccessToken), api.CodeTokenExpired)

	renewed := h.form("token", first.RefreshToken)
	require.Equal(t, http.StatusOK, renewed.status, "%s", renewed.body)
	second := decoded[api.Token](t, renewed)
	require.Equal(t, http.StatusOK, me(second.AccessToken).status)
	require.NotEqual(t, first.RefreshToken, second.RefreshToken)
	require.Equal(t, http.StatusOK, h.form("token", first.RefreshToken).status, "a refresh token is good until it expires")

	h.pass(time.Duration(first.RefreshExpiresIn) * time.Second)
	h.refused(h.form("token", first.RefreshToken), api.CodeTokenExpired)
}

func TestInvalidLoginsAreRefused(t *testing.T) {
	h := newHouse(t)
	token := h.login("admin")
	right := h.password("admin")
	for _, row := range []struct {
		name   string
		fields []string
		code   api.Code
	}{
		{"wrong password", []string{"username", "admin", "password", right + "x"}, api.CodeCredentials},
		{"no such user", []string{"username", "nobody", "password", right}, api.CodeCredentials},
		{"long password", []string{"username", "admin", "password", strings.Repeat("x", 5000)}, api.CodeCredentials},
		{"no password", []string{"username", "admin"}, api.CodeForm},
		{"nothing", nil, api.CodeForm},
		{"two passwords", []string{"username", "admin", "password", right, "password", "x"}, api.CodeForm},
		{"password and token", []string{"username", "admin", "password", right, "token", token.RefreshToken}, api.CodeForm},
		{"an access token to refresh", []string{"token", token.AccessToken}, api.CodeTokenInvalid},
		{"an empty token", []string{"token", ""}, api.CodeTokenInvalid},
	} {
		t.Run(row.name, func(t *testing.T) {
			h.t = t
			h.refused(h.form(row.fields...), row.code)
		})
	}
	h.t = t
	h.refused(h.send(http.MethodPost, "/api/v1/oauth/authorize?username=admin&password="+right, "", "Content-Type",
		"application/x-www-form-urlencoded"), api.CodeForm)
	h.refused(h.send(http.MethodPost, "/api/v1/oauth/authorize", `{"username":"admin"}`, "Content-Type", "application/json"), api.CodeMediaType)
	h.refused(h.send(http.MethodPost, "/api/v1/oauth/authorize", "username=%zz", "Content-Type", "application/x-www-form-urlencoded"), api.CodeForm)
	h.refused(h.send(http.MethodGet, "/api/v1/oauth/authorize", ""), api.CodeMethodNotAllowed)
}

// TestPasswordGuessingIsThrottled checks that wrong passwords for a user are throttled, even from the user's own address;
// other users are not affected, and a second later the user can log in.
func TestPasswordGuessingIsThrottled(t *testing.T) {
	h := newHouse(t)
	throttled := 0
	for range 15 {
		if a := h.form("username", "admin", "password", "guess"); a.status == http.StatusTooManyRequests {
			h.refused(a, api.CodeLoginThrottled)
			throttled++
		}
	}
	require.Equal(t, 5, throttled)
	require.Equal(t, http.StatusOK, h.form("username", "voice", "password", h.password("voice")).status, "others are not held up")
	h.pass(time.Second)
	h.login("admin")
	h.login("admin")
}

// TestForgedTokensAreRefused checks that tokens with a wrong signature, algorithm, key or type are refused, and so are
// malformed Authorization headers.
func TestForgedTokensAreRefused(t *testing.T) {
	h := newHouse(t)
	good := h.login("recorder").AccessToken
	parts := strings.Split(good, ".")
	var header map[string]any
	var payload jwt.MapClaims
	token, _, err := jwt.NewParser().ParseUnverified(good, &payload)
	require.NoError(t, err)
	header = token.Header
	foreign, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	public := h.publicKey()
	signed := func(method jwt.SigningMethod, key any, change func(header map[string]any, c jwt.MapClaims)) string {
		fresh := jwt.NewWithClaims(method, jwt.MapClaims{})
		maps.Copy(fresh.Claims.(jwt.MapClaims), payload)
		fresh.Header["kid"] = header["kid"]
		change(fresh.Header, fresh.Claims.(jwt.MapClaims))
		s, err := fresh.SignedString(key)
		require.NoError(t, err)
		return s
	}
	as := func(c jwt.MapClaims) { c["realm_access"] = map[string]any{"roles": []string{api.RoleAdmin}} }
	for name, forged := range map[string]string{
		"no signature":  parts[0] + "." + parts[1] + ".",
		"truncated":     good[:len(good)-4],
		"other payload": parts[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"organisation":"x"}`)) + "." + parts[2],
		"alg none":      signed(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, func(_ map[string]any, c jwt.MapClaims) { as(c) }),
		"alg HS256 with our public key": signed(jwt.SigningMethodHS256, public.N.Bytes(),
			func(_ map[string]any, c jwt.MapClaims) { as(c) }),
		"foreign key":         signed(jwt.SigningMethodRS256, foreign, func(map[string]any, jwt.MapClaims) {}),
		"foreign key, no kid": signed(jwt.SigningMethodRS256, foreign, func(h map[string]any, _ jwt.MapClaims) { delete(h, "kid") }),
		"foreign key in the header": signed(jwt.SigningMethodRS256, foreign, func(h map[string]any, _ jwt.MapClaims) {
			h["jwk"] = map[string]any{"kty": "RSA", "n": base64.RawURLEncoding.EncodeToString(foreign.N.Bytes()), "e": "AQAB"}
		}),
		"long":    strings.Repeat("x", 9000),
		"refresh": h.login("recorder").RefreshToken,
		"nothing": ".",
	} {
		a := h.send(http.MethodGet, "/api/v1/userAccounts/me", "", "Authorization", "Bearer "+forged)
		require.Equal(t, http.StatusUnauthorized, a.status, name)
		h.refused(a, api.CodeTokenInvalid)
	}
	for name, headers := range map[string][]string{
		"none":        nil,
		"basic":       {"Authorization", "Basic YTpi"},
		"bare":        {"Authorization", good},
		"empty":       {"Authorization", "Bearer "},
		"two headers": {"Authorization", "Bearer " + good, "Authorization", "Bearer " + good},
	} {
		a := h.send(http.MethodGet, "/api/v1/account", "", headers...)
		require.Equal(t, http.StatusUnauthorized, a.status, name)
		h.refused(a, api.CodeUnauthenticated)
	}
}

func (h *house) publicKey() *rsa.PublicKey {
	set := decoded[struct {
		Keys []struct{ N, E string }
	}](h.t, h.send(http.MethodGet, "/.well-known/jwks.json", ""))
	n, err := base64.RawURLEncoding.DecodeString(set.Keys[0].N)
	require.NoError(h.t, err)
	return &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: 65537}
}

// TestTokensStayValidAfterKeyRotation checks that new tokens verify with the first published key before and after a key rotation, that
// tokens of the old key remain valid, and that the old key is removed once they have expired.
func TestTokensStayValidAfterKeyRotation(t *testing.T) {
	h := newHouse(t)
	old := h.login("admin")
	verify := func(token string) {
		_, err := jwt.Parse(token, func(*jwt.Token) (any, error) { return h.publicKey(), nil },
			jwt.WithTimeFunc(h.line.Now), jwt.WithValidMethods([]string{"RS256"}))
		require.NoError(t, err)
	}
	verify(old.AccessToken)
	h.pass(time.Second)
	require.Equal(t, http.StatusNoContent, h.send(http.MethodPost, "/sim/v1/keys", "").status)
	fresh := h.login("admin")
	verify(fresh.AccessToken)
	for _, token := range []string{old.AccessToken, fresh.AccessToken} {
		require.Equal(t, http.StatusOK, h.send(http.MethodGet, "/api/v1/account", "", "Authorization", "Bearer "+token).status)
	}
	require.Equal(t, http.StatusOK, h.form("token", old.RefreshToken).status)
	h.pass(time.Duration(old.RefreshExpiresIn+1) * time.Second)
	require.NotContains(t, string(h.send(http.MethodGet, "/.well-known/jwks.json", "").body), kid(t, old.AccessToken))
}

func kid(t *testing.T, token string) string {
	parsed, _, err := jwt.NewParser().ParseUnverified(token, jwt.MapClaims{})
	require.NoError(t, err)
	return parsed.Header["kid"].(string)
}
