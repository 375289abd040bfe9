package town

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzPostcode reads anything, and what is read is spelled as it was written.
func FuzzPostcode(f *testing.F) {
	for _, seed := range []string{"ZT14BD", "ZT999ZZ", "ZT09AA", "ZT10AA", "ZT", "ZT1", "ZT1 4BD", "zt14bd", "ZT14CI", "ZT\xff\xff\xff\xff", "ZT99999AA"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		code, ok := parsePostcode(text)
		if !ok {
			require.Zero(t, code)
			return
		}
		again, ok := parsePostcode(strings.ReplaceAll(code.String(), " ", ""))
		require.True(t, ok, "%q is %s", text, code)
		require.Equal(t, code, again)
	})
}
