package inbound

import (
	"errors"
	"io"
	"net/http"
	"sync/atomic"
)

// Limits of the body of a request, in bytes.
const (
	MostOperation = 64 << 10 // of one of the five operations
	MostCall      = 1 << 20  // of a call of the control API
)

// Errors of [Bodies].
var (
	ErrTooLong = errors.New("the body is too long")
	ErrBodies  = errors.New("too many bodies are under way")
)

// Bodies are the bodies of requests that are under way, which take at most so many bytes
// together. Its methods may be called from any goroutine.
type Bodies struct{ left atomic.Int64 }

// NewBodies returns a limit for bodies.
func NewBodies(most int64) *Bodies {
	b := &Bodies{}
	b.left.Store(most)
	return b
}

// Read reads the body of a request, which counts until release is called. What a client
// announces takes no memory, only what arrives.
func (b *Bodies) Read(r *http.Request, most int64) (body []byte, release func(), err error) {
	var taken int64
	release = func() { b.left.Add(taken) }
	if r.ContentLength > most {
		Discard(r)
		return nil, release, ErrTooLong
	}
	for size := int64(4 << 10); ; size = min(4*size, most+1) {
		more := size - int64(cap(body))
		taken += more
		if b.left.Add(-more) < 0 {
			return nil, release, ErrBodies
		}
		body = append(make([]byte, 0, size), body...)
		for len(body) < cap(body) {
			n, err := r.Body.Read(body[len(body):cap(body)])
			body = body[:len(body)+n]
			if errors.Is(err, io.EOF) && int64(len(body)) <= most {
				return body, release, nil
			}
			if err != nil {
				return nil, release, err
			}
		}
		if int64(len(body)) > most {
			Discard(r)
			return nil, release, ErrTooLong
		}
	}
}

// Discard reads the rest of a body that is too long, up to a limit. If the connection were
// closed while the client is still sending, the client would see a reset instead of the
// refusal.
func Discard(r *http.Request) {
	const most = 2 << 20 // bytes
	if r.ContentLength <= most && r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, r.Body, most) // errors do not matter: the answer is the refusal
	}
}
