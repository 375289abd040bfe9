package console

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

// Document is a description of calls, OpenAPI as YAML or JSON, to be read in the page.
type Document struct {
	Name  string // in addresses: "taxi"
	Title string // for people
	Text  func() []byte
}

// ofPlatform are the documents of a voice platform, which serves them itself.
var ofPlatform = []Document{{Name: "rest", Title: "Platform: REST API"}, {Name: "voice", Title: "Platform: Voice API"}, {Name: "sim", Title: "Platform: control"}}

// documents are those that the page shows, as JSON. Each is made when it is first asked for.
type documents struct {
	console *Console
	own     []Document

	mu   sync.Mutex
	made map[string][]byte
}

// all lists what there is now.
func (d *documents) all() []Document {
	if d.console.platform.Load() == nil {
		return d.own
	}
	return append(d.own[:len(d.own):len(d.own)], ofPlatform...)
}

// list tells which documents there are.
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

// show answers with a document as JSON, in the order in which it is written.
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
		_, _ = w.Write(text) // who has gone needs no answer
		return
	}
	problem(w, http.StatusNotFound, "not-found", "there is no such document")
}

// asJSON turns a document into JSON.
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

// authorization is the header in which the page says what the platform's own APIs are to be
// shown: that of HTTP is for the console itself.
const authorization = "X-Platform-Authorization"

// askPlatform reads a page of the voice platform, without a network; nil: there is none.
func (c *Console) askPlatform(path string) []byte {
	platform := c.platform.Load()
	if platform == nil {
		return nil
	}
	r, err := http.NewRequest(http.MethodGet, path, http.NoBody) //nolint:noctx // it does not leave the program
	if err != nil {
		return nil
	}
	r.RemoteAddr, r.Host = "127.0.0.1:1", "localhost"
	in := pageRead{header: http.Header{}}
	(*platform).ServeHTTP(&in, r)
	return in.text
}

// pageRead is an answer in memory.
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
