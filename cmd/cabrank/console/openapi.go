package console

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

// Document is an OpenAPI document, as YAML or JSON, that the page shows.
type Document struct {
	Name  string // in URLs, such as "taxi"
	Title string // shown in the page
	Text  func() []byte
}

// ofPlatform are the documents of a voice platform, which serves them itself.
var ofPlatform = []Document{{Name: "rest", Title: "Platform: REST API"}, {Name: "voice", Title: "Platform: Voice API"}, {Name: "sim", Title: "Platform: control"}}

// documents are the documents that the page shows, as JSON. Each is converted at the
// first request.
type documents struct {
	console *Console
	own     []Document

	mu   sync.Mutex
	made map[string][]byte
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

// show returns a document as JSON, with its members in the original order.
func (d *documents) show(w http.ResponseWriter, r *http.Request) {
	name, isJSON := strings.CutSuffix(r.PathValue("name"), ".json")
	for _, one := range d.all() {
		if !isJSON || one.Name != name {
			continue
		}
		text, err := d.asJSON(one)
		if err != nil {
			problem(w, http.StatusInternalServerError, "internal", "the document cannot be read")
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(text) // the client may have disconnected
		return
	}
	problem(w, http.StatusNotFound, "not-found", "no such document")
}

// asJSON converts a document to JSON.
func (d *documents) asJSON(one Document) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if text := d.made[one.Name]; text != nil {
		return text, nil
	}
	var text []byte
	if one.Text != nil {
		text = one.Text()
	} else {
		text = d.console.askPlatform("/openapi/" + one.Name + ".yaml")
	}
	if !json.Valid(text) {
		var err error
		if text, err = yaml.YAMLToJSON(text); err != nil {
			return nil, fmt.Errorf("document %s: %w", one.Name, err)
		}
	}
	d.made[one.Name] = text
	return text, nil
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
