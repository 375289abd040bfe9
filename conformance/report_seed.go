package conformance

import (
	"fmt"
	"strconv"
	"strings"
)

// Seed is the seed of a run. In JSON it is a string, since many readers round large
// numbers.
type Seed uint64

// MarshalJSON implements [json.Marshaler].
func (s Seed) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, `"%d"`, uint64(s)), nil }

// UnmarshalJSON implements [json.Unmarshaler]. It accepts a number, too, as in older
// run files.
func (s *Seed) UnmarshalJSON(text []byte) error {
	n, err := strconv.ParseUint(strings.Trim(string(text), `"`), 10, 64)
	if err != nil {
		return fmt.Errorf("seed %s: want digits: %w", text, err)
	}
	*s = Seed(n)
	return nil
}
