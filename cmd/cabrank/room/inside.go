package room

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/cabrank/cabrank/dispatch/inbound"
)

// refusal is an error response of a handler of this program.
type refusal struct {
	status int
	detail string
}

func (r *refusal) Error() string { return fmt.Sprintf("refused with %d: %s", r.status, r.detail) }

// ask sends a request to a handler of this program, without the network, and decodes the response into into, if
// that is not nil.
func ask(ctx context.Context, h http.Handler, method, path string, body, into any) error {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://127.0.0.1"+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	var a inbound.Recorder
	h.ServeHTTP(&a, req)
	if a.Status >= http.StatusMultipleChoices {
		var problem struct{ Detail string }
		_ = json.Unmarshal(a.Body.Bytes(), &problem) // without a detail it is still a refusal
		return &refusal{a.Status, problem.Detail}
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(a.Body.Bytes(), into)
}
