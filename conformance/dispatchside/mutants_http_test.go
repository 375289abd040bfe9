package dispatchside_test

import (
	"bytes"
	"io"
	"net/http"
)

// refusing answers 400 to the requests that it is shown.
func refusing(hits func(*http.Request) bool) func(http.Handler) http.Handler {
	return answering(http.StatusBadRequest, hits)
}

// crashing answers 500 to the requests that it is shown.
func crashing(hits func(*http.Request) bool) func(http.Handler) http.Handler {
	return answering(http.StatusInternalServerError, hits)
}

func answering(status int, hits func(*http.Request) bool) func(http.Handler) http.Handler {
	return func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if hits(r) {
				_ = readAll(r) // or the connection could not be used again
				write(w, status, "application/json", `{"error":"no"}`)
				return
			}
			h.ServeHTTP(w, r)
		})
	}
}

// rewriting changes requests on their way in.
func rewriting(change func(*http.Request)) func(http.Handler) http.Handler {
	return func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			change(r)
			h.ServeHTTP(w, r)
		})
	}
}

// readAll reads a body and puts it back.
func readAll(r *http.Request) []byte {
	var body bytes.Buffer
	body.Grow(int(max(r.ContentLength, 0)) + bytes.MinRead) // some are a megabyte
	_, _ = body.ReadFrom(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body.Bytes()))
	return body.Bytes()
}

func write(w http.ResponseWriter, status int, media, body string) {
	w.Header().Set("Content-Type", media)
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}
