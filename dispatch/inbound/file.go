package inbound

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
)

// File is a text that clients may keep: it is sent with an ETag, and compressed to a client that
// takes gzip.
type File struct {
	kind, tag    string
	text, zipped []byte // zipped is nil where it is no shorter
}

// NewFile returns a file of a media type. It compresses the text at once.
func NewFile(kind string, text []byte) *File {
	sum := sha256.Sum256(text)
	f := &File{kind: kind, tag: `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`, text: text}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write(text) // a buffer takes all
	_ = z.Close()
	if zipped.Len() < len(text) {
		f.zipped = zipped.Bytes()
	}
	return f
}

// ServeHTTP implements [http.Handler].
func (f *File) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache") // which means: ask whether it has changed
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", f.tag)
	if slices.ContainsFunc(strings.Split(r.Header.Get("If-None-Match"), ","), func(tag string) bool {
		return strings.TrimPrefix(strings.TrimSpace(tag), "W/") == f.tag // a proxy that compresses makes it weak
	}) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	text := f.text
	if f.zipped != nil && takesGzip(r.Header.Get("Accept-Encoding")) {
		h.Set("Content-Encoding", "gzip")
		text = f.zipped
	}
	_, _ = w.Write(text) // a client that has gone needs no response
}

// takesGzip reports whether an Accept-Encoding header (RFC 9110, 12.5.3) allows gzip: a weight of 0 refuses it.
func takesGzip(accepts string) bool {
	for one := range strings.SplitSeq(accepts, ",") {
		name, weight, weighs := strings.Cut(one, ";")
		if strings.TrimSpace(name) == "gzip" {
			return !weighs || strings.Trim(weight, " q=0.") != ""
		}
	}
	return false
}
