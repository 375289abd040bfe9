package control_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/control"
)

// document is the OpenAPI document, whose schemas judge every answer of a [rig].
type document struct {
	mu       sync.Mutex
	root     map[string]any
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema
}

const documentURL = "http://control.test/openapi.json"

var described = sync.OnceValue(func() *document {
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(control.OpenAPI()))
	if err != nil {
		panic(err)
	}
	d := &document{root: tree.(map[string]any), compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	if err := d.compiler.AddResource(documentURL, tree); err != nil {
		panic(err)
	}
	return d
})

// at finds a node by keys, following references, and where it is.
func (d *document) at(pointer string, keys ...string) (map[string]any, string) {
	node := d.root
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "#"), "/") {
		if token != "" {
			node, _ = node[strings.NewReplacer("~1", "/", "~0", "~").Replace(token)].(map[string]any)
		}
	}
	for _, key := range keys {
		node, _ = node[key].(map[string]any)
		pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
		if ref, ok := node["$ref"].(string); ok {
			node, pointer = d.at(ref)
		}
	}
	return node, pointer
}

// operation finds what is said about a call; "": nothing.
func (d *document) operation(method, path string) string {
	path, _, _ = strings.Cut(path, "?")
	if path == "" {
		path = "/"
	}
	paths, _ := d.at("#/paths")
	best, literal := "", -1
	for pattern := range paths {
		if n, ok := fits(pattern, path); ok && n > literal {
			if _, has := paths[pattern].(map[string]any)[strings.ToLower(method)]; has {
				best, literal = pattern, n
			}
		}
	}
	if best == "" {
		return ""
	}
	_, pointer := d.at("#/paths", best, strings.ToLower(method))
	return pointer
}

// fits compares a path with a pattern, and counts the segments that are not parameters.
func fits(pattern, path string) (literal int, ok bool) {
	want, is := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(is) {
		return 0, false
	}
	for i := range want {
		switch {
		case want[i] == is[i]:
			literal++
		case !strings.HasPrefix(want[i], "{"):
			return 0, false
		}
	}
	return literal, true
}

// anyCall is what every call may answer, as the document's head says.
var anyCall = []int{400, 401, 403, 404, 413, 415, 421, 429, 500, 503}

// judge holds a call against what the document says of it, if it says anything: the
// status is listed, the answer and a body that was taken are as their schemas say.
func (d *document) judge(t testing.TB, method, path, body string, status int, answer string) {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	pointer := d.operation(method, path)
	if pointer == "" {
		return
	}
	response, at := d.at(pointer, "responses", strconv.Itoa(status))
	if response == nil {
		require.Contains(t, anyCall, status, "%s %s is not described with this status", method, path)
		return
	}
	content := "application/json"
	if status >= 400 {
		content = "application/problem+json"
	}
	if bodies, _ := response["content"].(map[string]any); bodies["application/geo+json"] != nil {
		content = "application/geo+json"
	}
	if response["content"] == nil {
		require.Empty(t, answer)
	} else {
		_, schema := d.at(at, "content", content, "schema")
		d.valid(t, schema, answer)
	}
	if status < 300 && body != "" {
		_, schema := d.at(pointer, "requestBody", "content", "application/json", "schema")
		d.valid(t, schema, body)
	}
}

func (d *document) valid(t testing.TB, pointer, text string) {
	t.Helper()
	schema := d.schemas[pointer]
	if schema == nil {
		var err error
		schema, err = d.compiler.Compile(documentURL + pointer)
		require.NoError(t, err)
		d.schemas[pointer] = schema
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err)
	require.NoError(t, schema.Validate(value), "%s: %s", pointer, text)
}

func TestTheDocumentIsAcceptedByAPublicValidator(t *testing.T) {
	loader := openapi3.NewLoader()
	loaded, err := loader.LoadFromData(control.OpenAPI())
	require.NoError(t, err)
	require.NoError(t, loaded.Validate(t.Context()))
}

// TestClientsAreToldToSendABody: a generated one leaves out what may be left out, and with
// it the Content-Type, without which a POST is refused.
func TestClientsAreToldToSendABody(t *testing.T) {
	paths, _ := described().at("#/paths")
	for path, item := range paths {
		for method := range item.(map[string]any) {
			body, _ := described().at("#/paths", path, method, "requestBody")
			if body != nil || method == "post" {
				require.Equal(t, true, body["required"], "%s %s", method, path)
			}
		}
	}
}

// TestTheDocumentIsAnswered reads it from a server, and looks for a route of each path: those of the
// journal are described by hand.
func TestTheDocumentIsAnswered(t *testing.T) {
	r := newEmptyRig(t)
	status, text := r.send("GET", "/openapi.json", "")
	require.Equal(t, 200, status)
	require.JSONEq(t, string(control.OpenAPI()), text)
	paths, _ := described().at("#/paths")
	for path, item := range paths {
		for method := range item.(map[string]any) {
			require.True(t, method == "parameters" || slices.ContainsFunc(control.Routes(), func(route string) bool {
				of, at, _ := strings.Cut(route, " ")
				below, open := strings.CutSuffix(at, "{below...}")
				return (of == "" || of == strings.ToUpper(method)) && (at == path || open && strings.HasPrefix(path+"/", below))
			}), "%s %s", method, path)
		}
	}
}

// TestPathsAndMethods asks for what a router may take for one of its paths.
func TestPathsAndMethods(t *testing.T) {
	r := newEmptyRig(t)
	do[control.Sandbox](r, "POST", "/sandboxes", `{"name":"ann"}`)
	for _, row := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"GET", "", 200, ""},
		{"GET", "/clock/", 200, ""},
		{"GET", "/%63lock", 200, ""},
		{"HEAD", "/clock", 405, "GET, PUT"},
		{"DELETE", "/clock", 405, "GET, PUT"},
		{"GET", "/clock%2Fadvance", 404, ""},
		{"GET", "/clock//advance", 404, ""},
		{"GET", "/journeys/../clock", 404, ""},
		{"GET", "/journeys/next/script", 405, "DELETE, POST"},
		{"GET", "/scenarios/start", 404, ""},
		{"PUT", "/scenarios/start", 405, "GET, POST"},
		{"OPTIONS", "/nothing", 404, ""},
	} {
		req := httptest.NewRequestWithContext(t.Context(), row.method, control.Prefix+row.path, http.NoBody)
		req.Host = "localhost"
		answer := httptest.NewRecorder()
		r.ServeHTTP(answer, req)
		require.Equal(t, row.status, answer.Code, "%s %s", row.method, row.path)
		require.Equal(t, row.allow, answer.Header().Get("Allow"), "%s %s", row.method, row.path)
	}
	r.at("/s/ann").refused("DELETE", "/sandboxes", "", 404)
}
