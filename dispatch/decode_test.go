package dispatch_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// FuzzOperations sends any bytes to any operation: the answer is never a 5xx.
func FuzzOperations(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "null", "[]", `{"data":7}`, `{"phoneNumber":"442079460001"}`, `{"userId":"u","journeyId":"j"}`,
		`{"journeyId":null,"name":"Ada","phoneNumber":"+442079460001","pickup":{"address":"a","location":{"longitude":2.1,"latitude":54.7}},` +
			`"dropoffs":[{"address":"b","location":{"longitude":2.1,"latitude":54.7}}],"pickupTime":"2026-11-24T10:00:00Z"}`,
		`{"dropoffs":[1,{"location":"x"}],"pickup":{"location":{"latitude":"n"}}}`, "{\"a\":\"\xff\"}", `{"a":"\ud800"}`,
	} {
		for i := range paths {
			f.Add(i, seed)
		}
	}
	records := store.Memory()
	clock := func() time.Time { return morning }
	handler := dispatch.New(records, dispatch.Options{Now: clock}).Handler(clock, dispatch.HTTPOptions{})
	f.Fuzz(func(t *testing.T, op int, body string) {
		path := paths[uint(op)%uint(len(paths))]
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code >= http.StatusInternalServerError {
			t.Fatalf("%s %q: %d %s", path, body, w.Code, w.Body)
		}
		if w.Code != http.StatusOK && w.Header().Get("Content-Type") != taxi.ProblemContentType {
			t.Fatalf("%s %q: refused without a problem: %s", path, body, w.Body)
		}
	})
}
