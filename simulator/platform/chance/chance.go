// Package chance makes the ids, credentials and salts of the voice platform from
// one source of random bytes that is handed in, so that a seeded platform names
// everything the same way each time.
package chance

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"sync"

	"github.com/google/uuid"
)

// Source is a source of random bytes that any number of callers may share.
type Source struct {
	mu     sync.Mutex
	reader io.Reader
}

// New returns a source that reads from r, which must not run dry.
func New(r io.Reader) *Source { return &Source{reader: r} }

// Read fills b.
func (s *Source) Read(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return io.ReadFull(s.reader, b)
}

// bytes returns n random bytes. A source that runs dry is a mistake of whoever
// handed it in, and ids that repeat would be worse than stopping.
func (s *Source) bytes(n int) []byte {
	b := make([]byte, n)
	if _, err := s.Read(b); err != nil {
		panic(fmt.Sprintf("chance: %v", err))
	}
	return b
}

// UUID returns a new id in UUID form.
func (s *Source) UUID() string {
	id, err := uuid.NewRandomFromReader(s)
	if err != nil {
		panic(fmt.Sprintf("chance: %v", err))
	}
	return id.String()
}

// Hex returns n random bytes as hexadecimal digits.
func (s *Source) Hex(n int) string { return hex.EncodeToString(s.bytes(n)) }

// Password returns a password of 24 letters and digits, 120 bits strong.
func (s *Source) Password() string {
	const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
	b := s.bytes(24)
	for i, c := range b {
		b[i] = alphabet[c&31]
	}
	return string(b)
}

// HookSecret returns a secret for signing deliveries, as Standard Webhooks
// spells them.
func (s *Source) HookSecret() string {
	return "whsec_" + base64.StdEncoding.EncodeToString(s.bytes(32))
}

// Fraction returns a number from 0 up to 1.
func (s *Source) Fraction() float64 {
	return float64(binary.LittleEndian.Uint64(s.bytes(8))>>11) / (1 << 53)
}
