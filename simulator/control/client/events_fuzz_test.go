package client

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzEvents reads arbitrary text as a stream of events, and checks that reading ends with an
// error unless the reader has enough, and that each event has a name.
func FuzzEvents(f *testing.F) {
	for _, seed := range []string{
		"id: 7\nevent: journey\ndata: {\"journeyId\":\"J1\",\"from\":\"WAITING\",\"to\":\"ACCEPTED\"}\n\n", "event: clock\ndata: {\"mode\":\"manual\"}\n\n",
		": alive\n\nevent: end\ndata: {\"reason\":\"the server stops\"}\n\n", "event: journey\n\n", "event: fault\ndata: []\n\n", "id: -1\nevent: missed\n\n",
		"event: vehicles\r\ndata: {\"now\":\"x\"}\r\n\r\n", "data: {}\n\n", "event: clock\ndata: null\n\n", "<html>", "\xff\n",
	} {
		f.Add(seed, 2)
	}
	f.Fuzz(func(t *testing.T, stream string, most int) {
		seen := 0
		err := ReadEvents(strings.NewReader(stream), func(id uint64, name string, data []byte) error {
			require.NotEmpty(t, name)
			e := Event{ID: id, Name: name}
			if err := e.read(data); err != nil {
				return err
			}
			if seen++; seen == most {
				return errEnough
			}
			return nil
		})
		require.Equal(t, err == errEnough, seen == most && most > 0, "%v after %d", err, seen) //nolint:errorlint // it is not wrapped
		if errors.Is(err, ErrEnded) {
			require.LessOrEqual(t, seen, strings.Count(stream, "event: "))
		}
	})
}
