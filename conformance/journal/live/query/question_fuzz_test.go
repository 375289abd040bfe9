package query_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzQuestions asks a journal anything: it is answered, or refused with what is wrong.
func FuzzQuestions(f *testing.F) {
	l := listen(f, system(f), nil)
	l.some(f)
	for i, seed := range []string{
		`{"match":{"op":"user","phone":"020","body":{"/phoneNumber":"442079460020"}},"after":1,"limit":5,"brief":true}`,
		`{"match":{"verdict":"fail","status":200,"answer":{"/a/0/~1":null}}}`, `{"count":1,"timeout":"0s","match":{"op":"cancel"}}`, `{"timeout":"1ns"}`,
		`{"inOrder":true,"expect":[{"op":"user"},{"match":{"op":"book"},"times":0},{"atLeast":1,"atMost":2,"op":"config"}]}`,
		`{"match":{"rule":"P-02"}}`, `{"match":[]}`, `{"expect":[]}`, `{"limit":-1}`, `{"match":{"status":1e99}}`, `null`, "\xff",
	} {
		f.Add(i, seed)
	}
	paths := []string{"/requests/find", "/requests/count", "/requests/wait", "/verify"}
	f.Fuzz(func(t *testing.T, path int, body string) {
		to := paths[uint(path)%uint(len(paths))]
		ctx, leave := context.WithCancel(t.Context())
		if to == "/requests/wait" {
			leave() // nobody waits for a call that never comes
		}
		w := httptest.NewRecorder()
		l.API().ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodPost, to, strings.NewReader(body)))
		leave()
		require.Less(t, w.Code, http.StatusInternalServerError, "%s %s: %s", to, body, w.Body)
	})
}
