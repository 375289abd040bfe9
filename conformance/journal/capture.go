package journal

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"sync"
)

// mostBody is how many bytes of a body are stored; the rest is only passed
// on.
const mostBody = 1 << 20

// capture stores the beginning of a body that passes through it. It may be read while the
// body is still being sent.
type capture struct {
	mu    sync.Mutex
	kept  bytes.Buffer
	size  int64
	ended bool // it was read to its end
}

// Write implements [io.Writer]. It never fails.
func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.size += int64(len(p))
	if room := mostBody - c.kept.Len(); room > 0 {
		c.kept.Write(p[:min(len(p), room)])
	}
	return len(p), nil
}

func (c *capture) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
}

// body returns a copy of the stored bytes, decoded according to the header, and whether
// they are the whole body. length is the announced length; -1: none.
func (c *capture) body(h http.Header, length int64) (body []byte, whole bool) {
	c.mu.Lock()
	raw, size, ended := bytes.Clone(c.kept.Bytes()), c.size, c.ended
	c.mu.Unlock()
	whole = size <= mostBody && (ended || length >= 0 && size >= length)
	plain, known := decode(raw, h.Get("Content-Encoding"))
	return plain, whole && known
}

// tee is a body that is copied as it is read.
type tee struct {
	io.ReadCloser
	to *capture
}

// Read implements [io.Reader].
func (t tee) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	_, _ = t.to.Write(p[:n]) // never fails
	if errors.Is(err, io.EOF) {
		t.to.end()
	}
	return n, err
}
