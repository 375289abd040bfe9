package platform_test

import (
	"context"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// FuzzBodies sends bodies to everything that reads an object: what is wrong with them is said,
// and never by a panic.
func FuzzBodies(f *testing.F) {
	from := template()
	kept, err := records.Open(f.Context(), "")
	if err != nil {
		f.Fatal(err)
	}
	defer kept.Close()
	if err := kept.Write(f.Context(), func(tx *records.Tx) error { return copyRecords(f.Context(), tx, from.records, kept) }); err != nil {
		f.Fatal(err)
	}
	line := voice.NewVirtual(morning)
	p, err := platform.New(f.Context(), platform.Options{Records: kept, Now: line.Now, Line: line, Work: line, Random: rand.NewChaCha8([32]byte{5})})
	if err != nil {
		f.Fatal(err)
	}
	defer p.Close(context.Background())
	handler := p.Handler()
	account := from.credentials.Accounts[0].ID
	rest := "/api/v1/account/" + account
	targets := []struct{ method, path string }{
		{http.MethodPost, rest + "/trunk"},
		{http.MethodPost, rest + "/hook"},
		{http.MethodPost, rest + "/device"},
		{http.MethodPut, rest + "/address"},
		{http.MethodPost, rest + "/channels/voice"},
		{http.MethodPut, "/sim/v1/accounts/" + account + "/taxi"},
		{http.MethodPost, "/sim/v1/phones"},
		{http.MethodPost, "/sim/v1/chats"},
		{http.MethodPost, "/sim/v1/accounts"},
		{http.MethodPost, "/sim/v1/accounts/" + account + "/ddi"},
	}
	for _, body := range []string{
		goodTrunk, goodHook, gateway("x", ""), plugin("x", ""), start("x", "y"), minimal, `{}`, `[`, `null`,
		`{"from":"+447700900777","to":"441632960101","script":[{"expect":"press 1"},{"press":"1#"},{"say":"the station"},{"wait":"2s"},{"hangup":true}]}`,
		`{"third_party_url":"https://x/","third_party_auth":"bearer:s","third_party_ca":"-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----",` +
			`"timezone":"Europe/Berlin","places":[{"name":"a","address":"b","location":{"longitude":1e300,"latitude":0}}],"prompts":{"en":"x"}}`,
		`{"name":"Ein Konto","mbn":"441632960300","country":"de"}`, `{"line1":"1","country":"GB"}`,
	} {
		for i := range targets {
			f.Add(i, body)
		}
	}
	f.Fuzz(func(t *testing.T, target int, body string) {
		to := targets[uint(target)%uint(len(targets))]
		req := httptest.NewRequest(to.method, to.path, strings.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		if strings.HasPrefix(to.path, rest) {
			req.Header.Set("Authorization", "Bearer "+from.tokens["admin"])
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, req)
		if w.Code >= http.StatusInternalServerError {
			t.Errorf("%s %s %s: %d %s", to.method, to.path, body, w.Code, w.Body)
		}
		handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/sim/v1/reset", nil)) // calls and phones
	})
}
