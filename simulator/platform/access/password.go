// Package access authenticates clients: credentials, passwords, failed logins and access
// tokens. It also generates ids and secrets.
package access

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/crypto/argon2"
)

// ErrBusy means that too many logins are waiting.
var ErrBusy = errors.New("too many logins at once")

// The cost of checking a password: OWASP's minimum for argon2id, 19 MiB and two passes,
// 18 ms on a small server.
const (
	memoryKiB = 19 << 10
	passes    = 2
	lanes     = 1
	saltBytes = 16
	hashBytes = 32

	atOnce  = 2  // hashes computed at a time, to limit the memory of logins
	waiting = 64 // logins that may wait
)

// Passwords hashes and checks passwords.
type Passwords struct {
	random io.Reader // for salts
	turns  chan struct{}
	queue  chan struct{}
	decoy  string // checked for unknown users, so that both cases take the same time
}

// NewPasswords returns a checker that reads its salts from random.
func NewPasswords(random io.Reader) *Passwords {
	zero := make([]byte, saltBytes)
	return &Passwords{
		random: random,
		turns:  make(chan struct{}, atOnce),
		queue:  make(chan struct{}, atOnce+waiting),
		decoy:  encode(zero, make([]byte, hashBytes)),
	}
}

// Hash returns the stored form of a password, in the usual PHC format.
func (p *Passwords) Hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	if _, err := io.ReadFull(p.random, salt); err != nil {
		return "", err
	}
	hash, err := p.derive(ctx, password, salt)
	if err != nil {
		return "", err
	}
	return encode(salt, hash), nil
}

// Verify reports whether a password matches its stored form. If nothing is stored, it
// takes the same time and returns false.
func (p *Passwords) Verify(ctx context.Context, kept, password string) (bool, error) {
	known := kept != ""
	if !known {
		kept = p.decoy
	}
	salt, want, err := parse(kept)
	if err != nil {
		return false, err
	}
	got, err := p.derive(ctx, password, salt)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(got, want) == 1 && known, nil
}

func (p *Passwords) derive(ctx context.Context, password string, salt []byte) ([]byte, error) {
	select {
	case p.queue <- struct{}{}:
		defer func() { <-p.queue }()
	default:
		return nil, ErrBusy
	}
	select {
	case p.turns <- struct{}{}:
		defer func() { <-p.turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return argon2.IDKey([]byte(password), salt, passes, memoryKiB, lanes, hashBytes), nil
}

var b64 = base64.RawStdEncoding

// prefix names the algorithm and its parameters; so far there is only one set.
var prefix = fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$", argon2.Version, memoryKiB, passes, lanes)

func encode(salt, hash []byte) string {
	return prefix + b64.EncodeToString(salt) + "$" + b64.EncodeToString(hash)
}

func parse(kept string) (salt, hash []byte, err error) {
	rest, ok := strings.CutPrefix(kept, prefix)
	saltText, hashText, both := strings.Cut(rest, "$")
	if !ok || !both {
		return nil, nil, errors.New("a password was kept in a form that this program does not know")
	}
	if salt, err = b64.DecodeString(saltText); err != nil {
		return nil, nil, err
	}
	hash, err = b64.DecodeString(hashText)
	return salt, hash, err
}
