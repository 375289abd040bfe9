package room

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// answer records the response of a handler of this program.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements [http.ResponseWriter].
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write implements [http.ResponseWriter].
func (a *answer) Write(part []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(part)
}

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
	a := &answer{header: http.Header{}}
	h.ServeHTTP(a, req)
	if a.status >= http.StatusMultipleChoices {
		var problem struct{ Detail string }
		_ = json.Unmarshal(a.body.Bytes(), &problem) // without a detail it is still a refusal
		return &refusal{a.status, problem.Detail}
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(a.body.Bytes(), into)
}
