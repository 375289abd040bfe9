package access

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"sync"

	"github.com/google/uuid"
)

// Chance generates the ids, credentials and salts of the platform from one source of
// random bytes, so that a seeded platform generates the same ones each time. It is safe
// for concurrent use.
type Chance struct {
	mu     sync.Mutex
	reader io.Reader
}

// NewChance returns a Chance that reads from r, which must be endless.
func NewChance(r io.Reader) *Chance { return &Chance{reader: r} }

// Read fills b.
func (c *Chance) Read(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return io.ReadFull(c.reader, b)
}

// bytes returns n random bytes. It panics if the source ends, since repeated ids would be
// worse.
func (c *Chance) bytes(n int) []byte {
	b := make([]byte, n)
	if _, err := c.Read(b); err != nil {
		panic(fmt.Sprintf("chance: %v", err))
	}
	return b
}

// UUID returns a new id in UUID form.
func (c *Chance) UUID() string {
	id, err := uuid.NewRandomFromReader(c)
	if err != nil {
		panic(fmt.Sprintf("chance: %v", err))
	}
	return id.String()
}

// Hex returns n random bytes as hexadecimal digits.
func (c *Chance) Hex(n int) string { return hex.EncodeToString(c.bytes(n)) }

// Password returns a password of 24 letters and digits, 120 bits strong.
func (c *Chance) Password() string {
	const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
	b := c.bytes(24)
	for i := range b {
		b[i] = alphabet[b[i]&31]
	}
	return string(b)
}

// Fraction returns a number from 0 up to 1.
func (c *Chance) Fraction() float64 {
	return float64(binary.LittleEndian.Uint64(c.bytes(8))>>11) / (1 << 53)
}
