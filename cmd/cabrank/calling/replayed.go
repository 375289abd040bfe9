package calling

import "net/http"

// replayed is a transport that detects whether a response is that of an earlier identical
// request.
type replayed struct {
	next http.RoundTripper
	seen bool
}

// RoundTrip implements [http.RoundTripper].
func (t *replayed) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(r)
	if err == nil && resp.Header.Get("Idempotent-Replayed") == "true" {
		t.seen = true
	}
	return resp, err
}
