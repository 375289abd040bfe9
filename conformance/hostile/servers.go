package hostile

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"
)

// Servers returns hostile servers by a name that says what they do. Most of them answer like honest and add
// about size bytes of harmful data to every answer.
func Servers(honest http.Handler, size int) map[string]http.Handler {
	list := strings.Repeat("0,", size/2) + "0"
	junk := func(member string) http.Handler { return padded(honest, func() string { return member }) }
	return map[string]http.Handler{
		"a header of many bytes":  headers(honest, 1, size),
		"many header fields":      headers(honest, min(size/10, 20_000), 8),
		"headers that just fit":   headers(honest, 1000, 40),
		"a list of numbers":       junk(`"junk":[` + list + `]`),
		"a list of lists":         junk(`"junk":[` + strings.Repeat("[],", size/3) + `[]]`),
		"many members":            junk(members(size)),
		"a long text":             junk(`"junk":"` + strings.Repeat("x", size) + `"`),
		"many short answers":      junk(`"junk":[` + strings.Repeat("0,", 1500) + `0]`),
		"deep nesting":            junk(`"junk":` + strings.Repeat("[", size/2) + strings.Repeat("]", size/2)),
		"nesting that is read":    junk(`"junk":` + strings.Repeat("[", 4000) + strings.Repeat("]", 4000)),
		"a small body that grows": gzipBomb(size),
		"an endless body":         http.HandlerFunc(endless),
		"a body in drips":         http.HandlerFunc(drips),
		"a reset":                 http.HandlerFunc(reset),
		"interim answers":         http.HandlerFunc(interim),
	}
}

// headers returns a server like honest that adds header fields to its answers, with values of length bytes
// each.
func headers(honest http.Handler, fields, length int) http.Handler {
	value := strings.Repeat("x", length)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for i := range fields {
			w.Header().Set(fmt.Sprintf("X-Junk-%d", i), value)
		}
		honest.ServeHTTP(w, r)
	})
}

// padded returns a server like honest that adds a member to the end of each JSON object in its answers.
func padded(honest http.Handler, member func() string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		own := httptest.NewRecorder()
		honest.ServeHTTP(own, r)
		body := bytes.TrimSpace(own.Body.Bytes())
		if object, ok := bytes.CutSuffix(body, []byte("}")); ok && len(object) > 1 {
			body = slices.Concat(object, []byte(","+member()+"}"))
		}
		maps.Copy(w.Header(), own.Header())
		w.Header().Del("Content-Length")
		w.WriteHeader(own.Code)
		_, _ = w.Write(body) // the caller may not want all of it
	})
}

// members returns the text of JSON members that each hold an object, in about size bytes.
func members(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `"m%d":{"a":null},`, i)
	}
	return strings.TrimSuffix(b.String(), ",")
}

// gzipBomb returns a server that answers with a gzip body which expands to about a hundred times size bytes.
// It compresses only a hundredth of that and repeats it, so that a slow machine answers in time, too.
func gzipBomb(size int) http.Handler {
	member := func(text string) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write([]byte(text))
		_ = z.Close() // nothing of a buffer fails
		return b.Bytes()
	}
	body := slices.Concat(member("["), bytes.Repeat(member(strings.Repeat("[0,0],", size/6)), 100))
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(body) // the caller may not want all of it
	})
}

func endless(w http.ResponseWriter, r *http.Request) {
	block := []byte(strings.Repeat("{\"a\":[0,0]},\n", 1000))
	_, err := w.Write([]byte("["))
	for err == nil && r.Context().Err() == nil {
		_, err = w.Write(block)
	}
}

// drips answers a byte at a time, until the client gives up.
func drips(w http.ResponseWriter, r *http.Request) {
	for tick := time.NewTicker(20 * time.Millisecond); ; {
		select {
		case <-r.Context().Done():
			tick.Stop()
			return
		case <-tick.C:
			_, _ = w.Write([]byte(" "))
			_ = http.NewResponseController(w).Flush() // who has gone is noticed above
		}
	}
}

// reset closes the connection in the middle of an answer.
func reset(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "100")
	_, _ = w.Write([]byte(`{"status":`))
	panic(http.ErrAbortHandler)
}

// interim answers with 103 again and again, and never with a final status.
func interim(w http.ResponseWriter, r *http.Request) {
	for range 1000 {
		w.Header().Set("Link", "</style.css>; rel=preload")
		w.WriteHeader(http.StatusEarlyHints)
		if r.Context().Err() != nil {
			return
		}
	}
	panic(http.ErrAbortHandler)
}
