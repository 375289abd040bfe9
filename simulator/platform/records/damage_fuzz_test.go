package records

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzRows reads rows as a damaged database has them: what is read can be kept and shown, and
// is the record that it says it is.
func FuzzRows(f *testing.F) {
	for _, row := range []string{
		`{"id":"1","app":"flow.generic","url":"https://x/"}`, `{"id":"1","type":"FAX","paper":{"size":"A4"}}`, `{"id":"1","ip":"192.0.2.1","port":5060}`,
		`{"firm":"Otter Cabs","features":null}`, `null`, `[]`, `{"id":"2"}`, `{"id":1}`, `{"id":"1","sipGateway":null,"plugin":{"plugin":7}}`, ``,
	} {
		f.Add([]byte(row))
	}
	f.Fuzz(func(t *testing.T, row []byte) {
		reads(t, hookCodec(), row)
		reads(t, deviceCodec(), row)
		reads(t, taxiCodec(), row)
	})
}

func reads[T any](t *testing.T, c codec[T], row []byte) {
	v, err := c.load("1", row)
	if err != nil {
		return
	}
	kept, err := c.keep(v)
	require.NoError(t, err)
	_, err = c.show(v)
	require.NoError(t, err)
	_, err = c.load("1", kept)
	require.NoError(t, err, "%s", kept)
}
