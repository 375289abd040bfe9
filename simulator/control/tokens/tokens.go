// Package tokens holds the tokens of persons and teams, whose hashes are in the settings of a
// server, and what each allows.
package tokens

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Settings are texts by key, which belong to a server and not to one of its worlds, and
// which all replicas of the server share.
type Settings interface {
	// Setting returns a text; "" if there is none.
	Setting(ctx context.Context, key string) (string, error)

	// ChangeSetting replaces a text by what change returns for it. Nothing is stored if
	// change fails. Changes by several processes follow each other; change may be called
	// again with a newer text.
	ChangeSetting(ctx context.Context, key string, change func(old string) (string, error)) error
}

// InMemory returns settings that last until the program ends.
func InMemory() Settings { return &inMemory{texts: map[string]string{}} }

type inMemory struct {
	mu    sync.Mutex
	texts map[string]string
}

// Setting implements [Settings].
func (m *inMemory) Setting(_ context.Context, key string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.texts[key], nil
}

// ChangeSetting implements [Settings].
func (m *inMemory) ChangeSetting(_ context.Context, key string, change func(string) (string, error)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	text, err := change(m.texts[key])
	if err == nil {
		m.texts[key] = text
	}
	return err
}

const (
	key         = "tokens"
	readEvery   = time.Second     // a removed token is accepted no longer than this
	readsWithin = 5 * time.Second // after which reading the settings has failed
)

// Right is what a token allows. Each right contains those before it.
type Right string

// The rights.
const (
	MayRead       Right = "read"       // all GET calls of every world, and the metrics
	MaySandboxes  Right = "sandboxes"  // creating sandboxes, and everything in those that the token owns
	MayEverything Right = "everything" // all calls
)

// Rights lists the rights in ascending order.
func Rights() []Right { return []Right{MayRead, MaySandboxes, MayEverything} }

// Known reports whether a right is one of [Rights].
func (r Right) Known() bool { return slices.Contains(Rights(), r) }

// Allows reports whether a right contains another.
func (r Right) Allows(other Right) bool {
	return slices.Index(Rights(), r) >= slices.Index(Rights(), other)
}

// Token is what is known of a token. The secret is not stored.
type Token struct {
	Name      string    `json:"name"`
	May       Right     `json:"may"`
	Sandboxes int       `json:"sandboxes,omitempty"` // how many sandboxes it may own at once; only with the right `sandboxes`
	Made      time.Time `json:"made"`
	Expires   time.Time `json:"expires,omitzero"` // left out: never
}

// Kept is a token as it is stored.
type Kept struct {
	Token

	Hash []byte `json:"sha256"` // of the secret
}

// Exist reports whether settings contain tokens, so that a server asks for one.
func Exist(ctx context.Context, s Settings) (bool, error) {
	text, err := s.Setting(ctx, key)
	if err != nil {
		return false, err
	}
	all, err := parse(text)
	return len(all) > 0, err
}

// parse reads the tokens from their setting.
func parse(text string) (all []Kept, err error) {
	if text == "" {
		return nil, nil
	}
	var stored struct{ Tokens []Kept }
	if err := json.Unmarshal([]byte(text), &stored); err != nil {
		return nil, fmt.Errorf("the stored tokens: %w", err)
	}
	for _, t := range stored.Tokens {
		if len(t.Hash) != sha256.Size || !t.May.Known() {
			return nil, fmt.Errorf("the stored tokens: that of %.40q is damaged", t.Name)
		}
	}
	slices.SortFunc(stored.Tokens, func(a, b Kept) int { return strings.Compare(a.Name, b.Name) }) // somebody may have edited them
	return stored.Tokens, nil
}

// Store reads and changes the tokens of persons and teams in the settings.
type Store struct {
	settings Settings
	now      func() time.Time

	mu   sync.Mutex
	read time.Time // when all and err were read; zero: they must be read again
	all  []Kept
	err  error

	running running
}

// New returns the tokens of settings. now is the clock of the machine.
func New(settings Settings, now func() time.Time) *Store {
	return &Store{settings: settings, now: now, running: running{all: map[*request]bool{}}}
}

// List returns the tokens by name. They were in the settings at most [readEvery] ago.
func (t *Store) List(ctx context.Context) ([]Kept, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if age := t.now().Sub(t.read); !t.read.IsZero() && age >= 0 && age < readEvery {
		return t.all, t.err
	}
	return t.load(ctx)
}

// Newest returns the tokens as the settings have them now.
func (t *Store) Newest(ctx context.Context) ([]Kept, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.load(ctx)
}

// load reads the tokens from the settings.
func (t *Store) load(ctx context.Context) ([]Kept, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readsWithin) // others wait for the result, too
	defer cancel()
	began := t.now()
	text, err := t.settings.Setting(ctx, key)
	if err != nil {
		began, t.all = t.now(), nil // it may have taken long
	} else {
		t.all, err = parse(text)
	}
	t.read, t.err = began, err
	return t.all, err
}

// Change replaces the tokens by what do returns for them.
func (t *Store) Change(ctx context.Context, do func([]Kept) ([]Kept, error)) error {
	err := t.settings.ChangeSetting(ctx, key, func(old string) (string, error) {
		all, err := parse(old)
		if err != nil {
			return "", err
		}
		if all, err = do(all); err != nil {
			return "", err
		}
		text, err := json.MarshalIndent(struct {
			Tokens []Kept `json:"tokens"`
		}{all}, "", "  ")
		return string(text), err
	})
	t.mu.Lock()
	defer t.mu.Unlock()
	t.read = time.Time{}
	return err
}

// Whose returns the token with a hash, or nil. Its running time does not depend on which token it is.
func Whose(all []Kept, hash []byte) (found *Kept) {
	for i := range all {
		if subtle.ConstantTimeCompare(all[i].Hash, hash) == 1 {
			found = &all[i]
		}
	}
	return found
}

// Expired reports whether a token has expired.
func (t *Kept) Expired(now time.Time) bool { return !t.Expires.IsZero() && !now.Before(t.Expires) }

// running are the requests of persons and teams that are being handled.
type running struct {
	mu    sync.Mutex
	all   map[*request]bool
	looks bool // a look is due
}

// endThose ends the requests for whose tokens with returns true.
func (r *running) endThose(with func(*Kept) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for one := range r.all {
		if with(one.token) {
			one.end()
		}
	}
}

// request is a running request with its token.
type request struct {
	token *Kept
	end   context.CancelFunc
}

// Follow returns a context that ends at most [readEvery] after the token is removed or
// has expired, for streams. The request ends with leave.
func (t *Store) Follow(ctx context.Context, token *Kept) (_ context.Context, leave func()) {
	ctx, end := context.WithCancel(ctx)
	r := &request{token, end}
	t.running.mu.Lock()
	defer t.running.mu.Unlock()
	t.running.all[r] = true
	if !t.running.looks {
		t.running.looks = true
		time.AfterFunc(readEvery, t.endInvalidRequests)
	}
	return ctx, func() {
		t.running.mu.Lock()
		defer t.running.mu.Unlock()
		delete(t.running.all, r)
		end()
	}
}

// endInvalidRequests ends the requests whose tokens are not valid any more, every second while there
// are requests. A token expires also while the tokens cannot be read.
func (t *Store) endInvalidRequests() {
	now := t.now()
	t.running.endThose(func(token *Kept) bool { return token.Expired(now) })
	if all, err := t.List(context.Background()); err == nil {
		t.running.endThose(func(token *Kept) bool { return Whose(all, token.Hash) == nil })
	}
	t.running.mu.Lock()
	defer t.running.mu.Unlock()
	if t.running.looks = len(t.running.all) > 0; t.running.looks {
		time.AfterFunc(readEvery, t.endInvalidRequests)
	}
}

// At returns the index of the token with a name in a sorted list, and whether there is one; if
// not, the index is where it would be inserted.
func At(all []Kept, name string) (int, bool) {
	return slices.BinarySearchFunc(all, name, func(t Kept, name string) int { return strings.Compare(t.Name, name) })
}
