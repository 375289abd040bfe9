package query_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhatWasMadeAndNeverTold is found by its id, which only the handler knew.
func TestWhatWasMadeAndNeverTold(t *testing.T) {
	t.Parallel()
	l := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.(interface{ Made(name, id string) }).Made("journeyId", "J7")
		w.WriteHeader(http.StatusInternalServerError)
	}), nil)
	l.call(t, "/book", `{}`)
	_, v, text := l.ask(t, "GET", "/requests?journeyId=J7", "")
	require.Equal(t, []int{1}, ids(v), text)
	_, v, _ = l.ask(t, "GET", "/requests/1", "")
	require.Equal(t, []any{"J7", "J7"}, []any{v["journeyId"], v["untold"]})
}
