package vary

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"net/http"
	"strconv"
	"sync"

	"github.com/cabrank/cabrank/dispatch/memo"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Level is how much responses vary.
type Level int

// The levels.
const (
	None Level = iota // all responses have the same form
	Mild              // does not affect a client that parses JSON, and dates with an offset
	Rich              // optional members are often missing
)

// Handler varies the responses of the five operations of next, as level says. It does not
// change error responses and other requests.
func Handler(next http.Handler, level Level, seed uint64) http.Handler {
	if level == None {
		return next
	}
	hash := sha256.Sum256(binary.BigEndian.AppendUint64([]byte("cabrank variation "), seed))
	key, written := binary.BigEndian.Uint64(hash[:]), memo.New[variant]()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shape := shapes[r.URL.Path]
		if shape == nil || r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		a := answers.Get().(*answer)
		defer a.forget()
		a.to, a.status, a.passed = w, http.StatusOK, false
		if next.ServeHTTP(a, r); a.passed {
			return
		}
		if a.status != http.StatusOK {
			a.send(w, variantOf(a.body, false))
			return
		}
		a.send(w, written.Of(r.URL.Path, a.body, func(kept bool) variant {
			v := a.vary(shape, r.URL.Path, level, key)
			if kept {
				v.text = bytes.Clone(v.text)
			}
			return v
		}))
	})
}

// shapes maps the path of each operation to the description of its response.
var shapes = map[string]*shape{
	taxi.PathConfig: &configAnswer,
	taxi.PathUser:   &endUser,
	taxi.PathBook:   &journeyAnswer,
	taxi.PathCancel: &journeyAnswer,
	taxi.PathStatus: &journey,
}

// answer buffers a response of next.
type answer struct {
	to     http.ResponseWriter
	status int
	body   []byte
	passed bool // it is too long, and was sent unchanged
	writer writer
}

// mostVaried is the largest size, in bytes, of a response that is varied, which takes twice
// the memory.
const mostVaried = 256 << 10

var answers = sync.Pool{New: func() any { return &answer{} }}

// mostKept is the largest size, in bytes, of a buffer that is reused.
const mostKept = 64 << 10

func (a *answer) forget() {
	if cap(a.body) > mostKept || cap(a.writer.text) > mostKept {
		return
	}
	a.to, a.body = nil, a.body[:0]
	answers.Put(a)
}

// Header is part of [http.ResponseWriter].
func (a *answer) Header() http.Header { return a.to.Header() }

// WriteHeader is part of [http.ResponseWriter].
func (a *answer) WriteHeader(status int) { a.status = status }

// Write is part of [http.ResponseWriter].
func (a *answer) Write(b []byte) (int, error) {
	if len(a.body) == 0 && len(b) > mostVaried && !a.passed {
		a.passed = true
		a.to.WriteHeader(a.status)
	}
	if a.passed {
		return a.to.Write(b)
	}
	a.body = append(a.body, b...)
	return len(b), nil
}

// Unwrap is for [http.ResponseController].
func (a *answer) Unwrap() http.ResponseWriter { return a.to }

// variant is the varied form of a response. It depends only on the response, so it can be
// cached, for example for a journey that does not change.
type variant struct {
	text    []byte
	length  []string // the Content-Length
	charset bool     // the Content-Type has a charset
}

func variantOf(text []byte, charset bool) variant {
	return variant{text, []string{strconv.Itoa(len(text))}, charset}
}

// vary returns the varied form of the response.
func (a *answer) vary(s *shape, path string, level Level, key uint64) variant {
	w := &a.writer
	w.begin(path, a.body, level, key)
	text, ok := w.write(a.body, s)
	if !ok {
		return variantOf(a.body, false)
	}
	return variantOf(text, w.style.charset)
}

// send sends a variant of the response.
func (a *answer) send(w http.ResponseWriter, v variant) {
	h := w.Header()
	if v.charset {
		h.Set("Content-Type", "application/json; charset=utf-8")
	}
	h["Content-Length"] = v.length
	w.WriteHeader(a.status)
	_, _ = w.Write(v.text) // the client may have disconnected
}
