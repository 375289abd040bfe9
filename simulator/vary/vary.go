package vary

import (
	"crypto/sha256"
	"encoding/binary"
	"net/http"
	"strconv"
	"sync"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Level says how much answers differ.
type Level int

// The levels.
const (
	None Level = iota // all answers are written in one way
	Mild              // a client that reads JSON, and dates with an offset, notices nothing
	Rich              // what is optional is often missing
)

// Handler writes the answers of the five operations of next as a level says. All else, and
// refusals, it leaves as they are.
func Handler(next http.Handler, level Level, seed uint64) http.Handler {
	if level == None {
		return next
	}
	hash := sha256.Sum256(binary.BigEndian.AppendUint64([]byte("cabrank variation "), seed))
	key := binary.BigEndian.Uint64(hash[:])
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shape := shapes[r.URL.Path]
		if shape == nil || r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		a := answers.Get().(*answer)
		defer a.forget()
		a.to, a.status = w, http.StatusOK
		next.ServeHTTP(a, r)
		text := a.body
		if a.status == http.StatusOK {
			text = a.vary(shape, r.URL.Path, level, key)
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		w.WriteHeader(a.status)
		_, _ = w.Write(text) // an error means that the client is gone
	})
}

// shapes are the objects that the operations answer with.
var shapes = map[string]*shape{
	taxi.PathConfig: &configAnswer,
	taxi.PathUser:   &endUser,
	taxi.PathBook:   &journeyAnswer,
	taxi.PathCancel: &journeyAnswer,
	taxi.PathStatus: &journey,
}

// answer is what next says, kept until it is whole, and how it is written instead.
type answer struct {
	to     http.ResponseWriter
	status int
	body   []byte
	writer writer
}

var answers = sync.Pool{New: func() any { return &answer{} }}

// mostKept is how large the memory of an answer may be, in bytes, to be used for another.
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
	a.body = append(a.body, b...)
	return len(b), nil
}

// Unwrap is for [http.ResponseController].
func (a *answer) Unwrap() http.ResponseWriter { return a.to }

// vary writes the answer anew.
func (a *answer) vary(s *shape, path string, level Level, key uint64) []byte {
	w := &a.writer
	w.begin(path, a.body, level, key)
	text, ok := w.write(a.body, s)
	if !ok {
		return a.body
	}
	if w.style.charset {
		a.Header().Set("Content-Type", "application/json; charset=utf-8")
	}
	return text
}
