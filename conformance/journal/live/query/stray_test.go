package query_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCallsThatGoElsewhere are refused before anybody reads their body, and judged by
// what is known of them.
func TestCallsThatGoElsewhere(t *testing.T) {
	t.Parallel()
	for call, want := range map[string]struct {
		op, verdict, message string
		failures             int // of the report
	}{
		"POST /api/book": {"", "fail", "the path is none of the five operations", 1},
		"POST /book/":    {"", "fail", "the path is none of the five operations", 1},
		"POST /bookings": {"", "fail", "the path is none of the five operations", 1},
		"PUT /config":    {"config", "fail", "the method is PUT", 1},
		"POST /config":   {"config", "ok", "", 0},
		"POST /long":     {"config", "warn", "the body is longer than the third party accepts", 1}, // of the run: nothing could be tested
	} {
		l := listen(t, system(t), nil)
		method, path, _ := strings.Cut(call, " ")
		body := "{}"
		if path == "/long" {
			path, body = "/config", fmt.Sprintf(`{"data":{"x":%q}}`, strings.Repeat("x", 2<<20))
		}
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), method, "http://127.0.0.1"+path, io.MultiReader(strings.NewReader(body)))
		r.Header.Set("Content-Type", "application/json")
		l.ServeHTTP(w, r)
		_, v, text := l.ask(t, "GET", "/requests/1", "")
		require.Equal(t, []any{want.op, want.verdict, method}, []any{v["op"], v["verdict"], v["method"]}, "%s: %d %.400s", call, w.Code, text)
		_, _, junit := l.ask(t, "GET", "/report?as=junit", "")
		require.Equal(t, want.failures, strings.Count(junit, "<failure"), call)
		if want.message == "" {
			continue
		}
		require.GreaterOrEqual(t, w.Code, http.StatusBadRequest, call)
		f := v["findings"].([]any)[0].(map[string]any)
		require.Equal(t, []any{"P-01", "request", want.message}, []any{f["rule"], f["about"], f["message"]}, call)
	}
}
