package conformance_test

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
)

// FuzzReadBaseline reads whatever is taken for a baseline.
func FuzzReadBaseline(f *testing.F) {
	f.Add(`{"format":"cabrank-baseline/1","known":[{"id":"CAL-01","reason":"r","owner":"o","until":"2026-12-01T00:00:00Z"}]}`)
	f.Add(`{}`)
	f.Add(`[`)
	f.Fuzz(func(t *testing.T, text string) {
		b, err := conformance.ReadBaseline(strings.NewReader(text), newTelephone())
		require.Equal(t, err == nil, b != nil)
	})
}

// FuzzUnpack undoes encodings: never more comes of it than is asked for, and one byte.
func FuzzUnpack(f *testing.F) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write(make([]byte, 5000))
	require.NoError(f, err)
	require.NoError(f, z.Close())
	f.Add("gzip", packed.Bytes())
	f.Add("deflate", []byte{0x4b, 0x04, 0x00})
	f.Add("identity", []byte("{}"))
	f.Fuzz(func(t *testing.T, encoding string, body []byte) {
		const most = 1000
		plain, err := conformance.Unpack(encoding, body, most)
		if err == nil && !bytes.Equal(plain, body) {
			require.LessOrEqual(t, len(plain), most+1)
		}
	})
}
