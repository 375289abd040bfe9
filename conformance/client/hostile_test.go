package client_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/hostile"
)

// TestHostileServersCannotFillTheMemory checks that what a client stores of hostile answers is bounded: bytes, headers
// and parsed values. With most of these servers it still reads the id in the answer, so that what was made can
// be cancelled.
func TestHostileServersCannotFillTheMemory(t *testing.T) {
	t.Parallel()
	const most = 1 << 20
	const calls, size = 40, 256 << 10
	honest := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"orderId":"o-1","lines":[{"a":1}]}`)
	})
	unanswered := map[string]bool{"a header of many bytes": true, "a body in drips": true, "a reset": true, "interim answers": true, "many header fields": true}
	withoutID := map[string]bool{"a small body that grows": true, "an endless body": true, "deep nesting": false}
	for name, handler := range hostile.Servers(honest, size) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(handler)
			t.Cleanup(server.Close)
			c := client.NewClient(client.Config{
				Suite: &conformance.Suite{Name: "orders", Operations: []conformance.Operation{"order"}},
				URL:   server.URL, Now: time.Now, Timeout: 100 * time.Millisecond, Width: 1, MostKept: most,
				Hello: client.Call{Op: "order"},
			})
			if !unanswered[name] {
				c = client.NewClient(with(c.Config, 10*time.Second))
			}
			kept := 0
			for range calls {
				x := c.Send(t.Context(), "probe", client.Call{Op: "order", Body: []byte("{}")})
				require.Equal(t, unanswered[name], x.Response == nil, "%s: %s", name, x.Err)
				if x.Response != nil && !withoutID[name] {
					require.Equal(t, "o-1", x.Reply().At("orderId").Text())
				}
			}
			for _, x := range c.History {
				kept += x.Weight()
			}
			require.Less(t, kept, most+calls*(conformance.MostHeaders+conformance.Excerpt+36<<10), "bytes of %d calls", len(c.History))
		})
	}
}

func with(c client.Config, timeout time.Duration) client.Config {
	c.Timeout, c.Transport = timeout, nil
	return c
}
