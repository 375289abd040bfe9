package taxi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

func TestEncodingOf(t *testing.T) {
	for body, want := range map[string]string{
		`{"a":1}`: "", "": "", "{": "", "{}": "", "\xe9t\xe9!": "", "{\x00": "", "\x00\x00\x00\x00": "",
		"\xef\xbb\xbf{}":     "UTF-8 with a byte order mark",
		"\xff\xfe{\x00}\x00": "UTF-16", "\xfe\xff\x00{\x00}": "UTF-16", "{\x00}\x00": "UTF-16", "\x00{\x00}": "UTF-16",
		"\xff\xfe\x00\x00{\x00\x00\x00": "UTF-32", "\x00\x00\xfe\xff\x00\x00\x00{": "UTF-32", "{\x00\x00\x00}": "UTF-32", "\x00\x00\x00{": "UTF-32",
	} {
		require.Equal(t, want, taxi.EncodingOf([]byte(body)), "%q", body)
	}
}
