package query_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/simulator/control"
)

// TestJournalAPIMatchesItsDocument makes every call of the journal that the OpenAPI document of the control API
// describes, and checks requests and answers against the document.
func TestJournalAPIMatchesItsDocument(t *testing.T) {
	t.Parallel()
	document := golden.ReadDocument(control.OpenAPI())
	valid := func(text string, path, method string, keys ...string) {
		t.Helper()
		_, schema := document.At("#/paths", slices.Concat([]string{path, method}, keys)...)
		require.NoError(t, document.Judge(schema, []byte(text)), text)
	}
	l := listen(t, system(t), nil)
	l.some(t)
	l.call(t, "/nowhere", "\xff")
	l.call(t, "/user", "what?")
	paths, _ := document.At("#/paths")
	missing := map[string]bool{}
	for path, item := range paths {
		if first := strings.Split(path, "/")[1]; slices.Contains([]string{"requests", "verify", "report", "rules"}, first) {
			for method := range item.(map[string]any) {
				if method != "parameters" {
					missing[method+" "+path] = true
				}
			}
		}
	}
	for _, c := range []struct {
		method, path, query, body string
		code                      int
	}{
		{"get", "/requests", "", "", 200},
		{"get", "/requests", "?brief", "", 200},
		{"post", "/requests/find", "", `{"match":{"op":"user","phone":"1","status":"5xx","verdict":"ok","body":{"/a":1},"without":["/b"]},"limit":3,"brief":true}`, 200},
		{"post", "/requests/count", "", `{"match":{"status":404}}`, 200},
		{"post", "/requests/wait", "", `{"match":{"op":"user"},"count":2,"timeout":"1s"}`, 200},
		{"post", "/requests/wait", "", `{"match":{"op":"book"},"timeout":"0s"}`, 408},
		{"get", "/requests/{id}", "", "", 200},
		{"post", "/verify", "", `{"expect":[{"op":"user","times":{"atLeast":1}},{"match":{"op":"book"},"times":0}]}`, 200},
		{"post", "/verify", "", `{"expect":[{"op":"user","times":9},{"match":{"op":"book"}}],"inOrder":true}`, 409},
		{"get", "/report", "", "", 200},
		{"get", "/rules/{id}", "", "", 200},
		{"delete", "/requests", "", "", 204},
	} {
		code, _, text := l.ask(t, strings.ToUpper(c.method), strings.NewReplacer("/rules/{id}", "/rules/P-05", "{id}", "2").Replace(c.path)+c.query, c.body)
		require.Equal(t, c.code, code, "%s %s: %s", c.method, c.path, text)
		if c.body != "" {
			valid(c.body, c.path, c.method, "requestBody", "content", "application/json", "schema")
		}
		switch {
		case code == http.StatusNoContent:
			require.Empty(t, text)
		case code < 300:
			valid(text, c.path, c.method, "responses", strconv.Itoa(code), "content", "application/json", "schema")
		default:
			valid(text, c.path, c.method, "responses", strconv.Itoa(code), "content", "application/problem+json", "schema")
		}
		delete(missing, c.method+" "+c.path)
	}
	delete(missing, "get /requests/stream") // a test of its own reads it
	require.Empty(t, missing)
}
