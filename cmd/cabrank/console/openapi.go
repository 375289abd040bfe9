package console

import (
	"net/http"
	"strings"
)

// Document is an OpenAPI document that the page shows.
type Document struct {
	Name  string        // in URLs, such as "taxi"
	Title string        // shown in the page
	Text  func() []byte // JSON
}

// ofPlatform are the documents of a voice platform, which serves them itself.
var ofPlatform = []Document{{Name: "rest", Title: "Platform: REST API"}, {Name: "voice", Title: "Platform: Voice API"}, {Name: "sim", Title: "Platform: control"}}

// documents are the documents that the page shows.
type documents struct {
	console *Console
	own     []Document
}

// all lists the current documents.
func (d *documents) all() []Document {
	if d.console.platform.Load() == nil {
		return d.own
	}
	return append(d.own[:len(d.own):len(d.own)], ofPlatform...)
}

// list returns the names of the documents.
func (d *documents) list(w http.ResponseWriter, _ *http.Request) {
	type named struct {
		Name  string `json:"name"`
		Title string `json:"title"`
	}
	out := struct {
		Documents []named `json:"documents"`
	}{[]named{}}
	for _, one := range d.all() {
		out.Documents = append(out.Documents, named{one.Name, one.Title})
	}
	answer(w, http.StatusOK, out)
}

// show returns a document.
func (d *documents) show(w http.ResponseWriter, r *http.Request) {
	name, isJSON := strings.CutSuffix(r.PathValue("name"), ".json")
	for _, one := range d.all() {
		if isJSON && one.Name == name {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(d.text(one)) // the client may have disconnected
			return
		}
	}
	problem(w, http.StatusNotFound, "not-found", "no such document")
}

// text returns a document of this server or of the platform.
func (d *documents) text(one Document) []byte {
	if one.Text != nil {
		return one.Text()
	}
	return d.console.askPlatform("/openapi/" + one.Name + ".json")
}

// authorization is the header with the page's credentials for the platform's own APIs:
// the standard header is for the console itself.
const authorization = "X-Platform-Authorization"

// askPlatform reads a page of the voice platform, without a network; nil: there is none.
func (c *Console) askPlatform(path string) []byte {
	platform := c.platform.Load()
	if platform == nil {
		return nil
	}
	r, err := http.NewRequest(http.MethodGet, path, http.NoBody) //nolint:noctx // the request does not leave the program
	if err != nil {
		return nil
	}
	r.RemoteAddr, r.Host = "127.0.0.1:1", "localhost"
	in := pageRead{header: http.Header{}}
	(*platform).ServeHTTP(&in, r)
	return in.text
}

// pageRead stores a response.
type pageRead struct {
	header http.Header
	text   []byte
}

// Header implements [http.ResponseWriter].
func (p *pageRead) Header() http.Header { return p.header }

// WriteHeader implements [http.ResponseWriter].
func (p *pageRead) WriteHeader(int) {}

// Write implements [http.ResponseWriter].
func (p *pageRead) Write(text []byte) (int, error) {
	p.text = append(p.text, text...)
	return len(text), nil
}
