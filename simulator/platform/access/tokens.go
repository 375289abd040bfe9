package access

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/cabrank/cabrank/simulator/platform/api"
)

// Errors of a token.
var (
	ErrExpired = errors.New("the token has expired")
	ErrInvalid = errors.New("the token is not one that this platform gave for this use")
)

const (
	algorithm = "RS256"
	issuer    = "cabrank"
	audience  = "cabrank-platform"

	typeAccess  = "Bearer"
	typeRefresh = "Refresh"

	longestToken   = 4096 // characters
	rememberTokens = 4096 // cached verified tokens
)

// Lifetimes of tokens. Decision: the interface shows none.
const (
	AccessLife  = 5 * time.Minute
	RefreshLife = 30 * time.Minute
)

// Who is the user that a token was issued to.
type Who struct {
	User         string
	Username     string
	Organisation string
	Roles        []string
	Generation   int // of the user's password when the token was issued
}

// TokenOptions configures an Issuer; all fields but the lifetimes are required.
type TokenOptions struct {
	Now         func() time.Time
	Random      io.Reader           // for the tokens' ids; read by one goroutine at a time
	NewKey      func() (Key, error) // generates a key and stores it
	AccessLife  time.Duration       // 0: AccessLife
	RefreshLife time.Duration       // 0: RefreshLife
}

// Issuer issues tokens and verifies its own.
type Issuer struct {
	opts     TokenOptions
	parser   *jwt.Parser
	verified *lru.Cache[string, verified]

	mu   sync.Mutex
	keys []Key
}

type verified struct {
	who   Who
	until time.Time
}

// claims are the claims of a token; the interface defines realm_access.roles.
type claims struct {
	jwt.RegisteredClaims
	Type         string `json:"typ"`
	Username     string `json:"preferred_username"`
	Organisation string `json:"organisation"`
	Generation   int    `json:"generation"`
	RealmAccess  struct {
		Roles []string `json:"roles"`
	} `json:"realm_access"`
}

// NewIssuer returns an issuer that knows existing keys.
func NewIssuer(opts TokenOptions, keys []Key) *Issuer {
	if opts.AccessLife == 0 {
		opts.AccessLife = AccessLife
	}
	if opts.RefreshLife == 0 {
		opts.RefreshLife = RefreshLife
	}
	remembered, err := lru.New[string, verified](rememberTokens)
	if err != nil {
		panic(err) // only if the size is not positive
	}
	return &Issuer{
		opts:     opts,
		verified: remembered,
		keys:     keys,
		parser: jwt.NewParser(jwt.WithValidMethods([]string{algorithm}), jwt.WithTimeFunc(opts.Now), jwt.WithIssuer(issuer),
			jwt.WithAudience(audience), jwt.WithExpirationRequired(), jwt.WithIssuedAt()),
	}
}

// Issue issues an access token and a refresh token.
func (i *Issuer) Issue(who Who) (api.Token, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if len(i.keys) == 0 {
		if err := i.rotate(); err != nil {
			return api.Token{}, err
		}
	}
	access, err := i.sign(who, typeAccess, i.opts.AccessLife)
	if err != nil {
		return api.Token{}, err
	}
	refresh, err := i.sign(who, typeRefresh, i.opts.RefreshLife)
	return api.Token{
		AccessToken: access, ExpiresIn: int64(i.opts.AccessLife / time.Second),
		RefreshToken: refresh, RefreshExpiresIn: int64(i.opts.RefreshLife / time.Second),
	}, err
}

func (i *Issuer) sign(who Who, kind string, life time.Duration) (string, error) {
	id := make([]byte, 16)
	if _, err := io.ReadFull(i.opts.Random, id); err != nil {
		return "", err
	}
	now := i.opts.Now()
	c := claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: issuer, Subject: who.User, Audience: jwt.ClaimStrings{audience}, ID: hex.EncodeToString(id),
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(life)),
		},
		Type: kind, Username: who.Username, Organisation: who.Organisation, Generation: who.Generation,
	}
	c.RealmAccess.Roles = who.Roles
	newest := usable(i.keys, now, i.opts.RefreshLife)[0]
	token := jwt.NewWithClaims(jwt.SigningMethodRS256, c)
	token.Header["kid"] = newest.ID
	return token.SignedString(newest.Private)
}

// Rotate generates a new key, which signs from now on.
func (i *Issuer) Rotate() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.rotate()
}

func (i *Issuer) rotate() error {
	key, err := i.opts.NewKey()
	if err != nil {
		return fmt.Errorf("make a key for tokens: %w", err)
	}
	i.keys = append(usable(i.keys, i.opts.Now(), i.opts.RefreshLife), key)
	return nil
}

// JWKS returns the public keys that verify tokens.
func (i *Issuer) JWKS() JWKS {
	set := JWKS{Keys: []JWK{}}
	for _, k := range i.current() {
		set.Keys = append(set.Keys, k.public())
	}
	return set
}

func (i *Issuer) current() []Key {
	i.mu.Lock()
	defer i.mu.Unlock()
	return usable(i.keys, i.opts.Now(), i.opts.RefreshLife)
}

// Access returns the user of an access token; ErrExpired or ErrInvalid if it is not
// valid. A verified token is cached until it expires.
func (i *Issuer) Access(token string) (Who, error) {
	now := i.opts.Now()
	if known, ok := i.verified.Get(token); ok && now.Before(known.until) {
		return known.who, nil
	}
	c, err := i.verify(token, typeAccess)
	if err != nil {
		return Who{}, err
	}
	i.verified.Add(token, verified{c.who(), c.ExpiresAt.Time})
	return c.who(), nil
}

// Refresh returns the user of a refresh token.
func (i *Issuer) Refresh(token string) (Who, error) {
	c, err := i.verify(token, typeRefresh)
	if err != nil {
		return Who{}, err
	}
	return c.who(), nil
}

func (c *claims) who() Who {
	return Who{User: c.Subject, Username: c.Username, Organisation: c.Organisation, Roles: c.RealmAccess.Roles, Generation: c.Generation}
}

func (i *Issuer) verify(token, kind string) (*claims, error) {
	if len(token) > longestToken {
		return nil, ErrInvalid
	}
	var c claims
	_, err := i.parser.ParseWithClaims(token, &c, i.keyOf)
	switch {
	case err == nil && c.Type == kind:
		return &c, nil
	case errors.Is(err, jwt.ErrTokenExpired) && c.Type == kind && c.Issuer == issuer:
		return nil, ErrExpired
	default:
		return nil, ErrInvalid
	}
}

// keyOf returns the public key that the header of a token names, if it is one of ours. Other key headers are ignored.
func (i *Issuer) keyOf(token *jwt.Token) (any, error) {
	kid, _ := token.Header["kid"].(string)
	for _, k := range i.current() {
		if k.ID == kid {
			return &k.Private.PublicKey, nil
		}
	}
	return nil, ErrInvalid
}
