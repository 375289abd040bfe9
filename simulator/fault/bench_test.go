package fault_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/fault"
)

// BenchmarkPassing is what requests pay that nothing goes wrong with: without magic and
// rules, with magic, and with rules for others.
func BenchmarkPassing(b *testing.B) {
	body := []byte(`{"userId":"u-0017","journeyId":"JQ997DN6M"}`)
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) })
	for _, kind := range []struct {
		name    string
		noMagic bool
		rules   int
	}{{"off", true, 0}, {"magic", false, 0}, {"twenty rules", false, 20}} {
		b.Run(kind.name, func(b *testing.B) {
			set := fault.New(fault.Options{
				Now: func() time.Time { return monday }, NoMagic: kind.noMagic,
				PhoneOf: func(context.Context, taxi.UserID) taxi.E164 { return caller },
			})
			for i := range kind.rules {
				if _, err := set.Add(fault.Rule{Match: fault.Match{Phone: magic(i)}, Do: fault.Do{Kind: "close"}}); err != nil {
					b.Fatal(fmt.Errorf("rule %d: %w", i, err))
				}
			}
			handler := fault.Handler(set, next)
			w := httptest.NewRecorder()
			b.ReportAllocs()
			for b.Loop() {
				r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, "/status", bytes.NewReader(body))
				if err != nil {
					b.Fatal(err)
				}
				handler.ServeHTTP(w, r)
			}
		})
	}
}
