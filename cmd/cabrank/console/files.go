package console

import (
	"embed"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

//go:embed static
var static embed.FS

// policy restricts what a browser runs and fetches for the page to what this server
// sends. Images may be generated, such as the icon with its counter.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// dress sets the headers that all responses need for security.
func dress(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "microphone=(self), camera=(), geolocation=()")
}

const (
	page     = "index.html" // for every screen
	lookName = "look.css"   // shared with the suite's report
)

// files returns the file at a path below the prefix; false: there is none.
type files func(name string) (*inbound.File, bool)

// embedded returns the files that are embedded in the program, and look as the style sheet. Each is compressed once, at
// its first request.
func embedded(look string) files {
	all := map[string]func() *inbound.File{lookName: sync.OnceValue(func() *inbound.File { return newFile(lookName, []byte(look)) })}
	_ = fs.WalkDir(static, "static", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name := strings.TrimPrefix(path, "static/")
		all[name] = sync.OnceValue(func() *inbound.File {
			text, _ := static.ReadFile(path) // it has been listed
			return newFile(name, text)
		})
		return nil
	})
	return func(name string) (*inbound.File, bool) {
		f, known := all[name]
		if !known {
			return nil, false
		}
		return f(), true
	}
}

// File returns a handler that serves one file of the page at any path, for other pages of the program.
func File(name string) http.Handler {
	all := shared()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { all.serve(w, r, name) })
}

// shared returns the files that File serves.
var shared = sync.OnceValue(func() files { return embedded("") })

func newFile(name string, text []byte) *inbound.File { return inbound.NewFile(kindOf(name), text) }

// kindOf returns a file's media type. The operating system's settings for file names have
// no effect on it.
func kindOf(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".html":
		return "text/html; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".json":
		return "application/json"
	}
	return mime.TypeByExtension(path.Ext(name))
}

// serve responds with a file. A path without a file extension is a screen of the page.
func (f files) serve(w http.ResponseWriter, r *http.Request, name string) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		problem(w, http.StatusMethodNotAllowed, "method-not-allowed", "want GET")
		return
	}
	if !strings.Contains(name, ".") {
		name = page
	}
	found, known := f(name)
	if !known {
		problem(w, http.StatusNotFound, "not-found", "no such file")
		return
	}
	found.ServeHTTP(w, r)
}

// problem responds with a problem document (RFC 9457).
func problem(w http.ResponseWriter, status int, code taxi.Code, detail string) {
	taxi.NewProblem(status, code, "%s", detail).Send(w)
}
