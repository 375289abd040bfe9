package platform_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// document is an OpenAPI document whose schemas can judge.
type document struct {
	root     map[string]any
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema
}

// documents reads all of them once. They are the same in YAML, as a test of their generator shows.
var documents = sync.OnceValue(func() (list []*document) {
	for _, name := range []string{"rest.json", "voice.json", "sim.json"} {
		tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(api.Documents()[name]))
		if err != nil {
			panic(err)
		}
		d := &document{root: tree.(map[string]any), compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
		d.compiler.DefaultDraft(jsonschema.Draft2020)
		if err := d.compiler.AddResource("http://doc.test/"+name, tree); err != nil {
			panic(err)
		}
		d.root["self"] = "http://doc.test/" + name
		list = append(list, d)
	}
	return list
})

var judging sync.Mutex

// node follows keys and references.
func (d *document) node(at string, keys ...string) (map[string]any, string) {
	n := d.root
	for k := range strings.SplitSeq(strings.TrimPrefix(at, "#/"), "/") {
		if k != "#" {
			n, _ = n[strings.NewReplacer("~1", "/", "~0", "~").Replace(k)].(map[string]any)
		}
	}
	for _, k := range keys {
		n, _ = n[k].(map[string]any)
		at += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(k)
		if ref, ok := n["$ref"].(string); ok {
			n, at = d.node(ref)
		}
	}
	return n, at
}

// judge holds an answer to the documents: its status must be listed, its body
// must be what the schema says.
func judge(t *testing.T, method, path string, a answer) {
	t.Helper()
	judging.Lock()
	defer judging.Unlock()
	path, _, _ = strings.Cut(path, "?")
	for _, d := range documents() {
		paths, _ := d.node("#", "paths")
		for template := range paths {
			if !regexp.MustCompile("^" + regexp.MustCompile(`\{\w+\}`).ReplaceAllString(template, "[^/]+") + "$").MatchString(path) {
				continue
			}
			op, at := d.node("#", "paths", template, strings.ToLower(method))
			if op == nil {
				continue
			}
			response, at := d.node(at, "responses", fmt.Sprint(a.status))
			require.NotNil(t, response, "%s %s answered %d, which is not documented: %s", method, template, a.status, a.body)
			d.body(t, response, at, a)
			return
		}
	}
}

// judgeHook holds what a hook was sent to the documents. It is called where a hook is
// served, so it does not end the test.
func judgeHook(t *testing.T, body []byte) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		t.Errorf("%v: %s", err, body)
		return
	}
	name := "Turn"
	if value.(map[string]any)["timestamp"] != nil {
		name = "Event"
	}
	judging.Lock()
	defer judging.Unlock()
	for _, d := range documents() {
		if described, _ := d.node("#", "components", "schemas", name); described != nil {
			if err := d.schema(t, "#/components/schemas/"+name).Validate(value); err != nil {
				t.Errorf("%v: %s", err, body)
			}
			return
		}
	}
	t.Errorf("no document has a schema %s", name)
}

// schema returns the schema at a pointer; the lock is held.
func (d *document) schema(t *testing.T, at string) *jsonschema.Schema {
	t.Helper()
	s := d.schemas[at]
	if s == nil {
		var err error
		s, err = d.compiler.Compile(d.root["self"].(string) + at)
		require.NoError(t, err)
		d.schemas[at] = s
	}
	return s
}

func (d *document) body(t *testing.T, response map[string]any, at string, a answer) {
	t.Helper()
	if response["content"] == nil {
		require.Empty(t, a.body)
		return
	}
	media := strings.Split(a.header.Get("Content-Type"), ";")[0]
	described, at := d.node(at, "content", media, "schema")
	if described == nil {
		bytesOnly, _ := d.node(at[:strings.LastIndex(at, "/")])
		require.NotNil(t, bytesOnly, "%s is not documented: %s", media, a.body)
		return
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(a.body))
	require.NoError(t, err, "%s", a.body)
	require.NoError(t, d.schema(t, at).Validate(value), "%s", a.body)
}

// TestRoutesAreTheDocuments holds the routes served to the paths of the
// documents, both ways; the pages that explain them are not in any.
func TestRoutesAreTheDocuments(t *testing.T) {
	var written, served []string
	for _, name := range []string{"rest.yaml", "voice.yaml", "sim.yaml"} {
		loaded, err := openapi3.NewLoader().LoadFromData(api.Documents()[name])
		require.NoError(t, err)
		for path, item := range loaded.Paths.Map() {
			for method := range item.Operations() {
				written = append(written, method+" "+path)
			}
		}
	}
	for _, route := range newHouse(t).handler.(*gin.Engine).Routes() {
		path := regexp.MustCompile(`:(\w+)`).ReplaceAllString(route.Path, "{$1}")
		if strings.HasPrefix(path, "/api/") || strings.HasPrefix(path, "/sim/") || strings.HasPrefix(path, "/channels/") {
			served = append(served, route.Method+" "+path)
		}
	}
	slices.Sort(written)
	slices.Sort(served)
	require.Equal(t, written, served)
}

// TestExamplesAreTaken sends the documents' own examples of request bodies to
// the schemas beside them.
func TestExamplesAreTaken(t *testing.T) {
	examples := 0
	for _, d := range documents() {
		var walk func(node any)
		walk = func(node any) {
			n, ok := node.(map[string]any)
			if !ok {
				return
			}
			if ref, ok := n["schema"].(map[string]any); ok && n["example"] != nil {
				s, err := d.compiler.Compile(d.root["self"].(string) + ref["$ref"].(string))
				require.NoError(t, err)
				require.NoError(t, s.Validate(n["example"]), "%v", n["example"])
				examples++
			}
			for _, v := range n {
				walk(v)
			}
		}
		walk(d.root)
	}
	require.Greater(t, examples, 6)
}

// TestVerbsAreDescribed with the members that they are written with.
func TestVerbsAreDescribed(t *testing.T) {
	described := 0
	for _, d := range documents() {
		of, _ := d.node("#", "components", "schemas", "Verb", "properties")
		described += len(of)
		for _, verb := range voice.Verbs() {
			members, _ := d.node("#", "components", "schemas", "Verb", "properties", verb.Name(), "properties")
			var fields []string
			for _, f := range reflect.VisibleFields(reflect.TypeOf(verb)) {
				if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" && of != nil {
					fields = append(fields, name)
				}
			}
			require.ElementsMatch(t, fields, slices.Collect(maps.Keys(members)), verb.Name())
		}
	}
	require.Equal(t, 2*len(voice.Verbs()), described, "by rest.yaml and voice.yaml")
}

// TestEveryRefusalIsDocumented holds the codes to the documents and to their
// pages.
func TestEveryRefusalIsDocumented(t *testing.T) {
	h := newHouse(t)
	var all []byte
	for _, text := range api.Documents() {
		all = append(all, text...)
	}
	for _, code := range api.Codes() {
		a := h.send("GET", "/problems/"+string(code), "")
		require.Equal(t, 200, a.status)
		require.Contains(t, string(a.body), "<code>"+string(code)+"</code>")
		var p api.Problem
		require.NoError(t, json.Unmarshal(h.send("GET", "/problems/"+string(code), "", "Accept", "application/json").body, &p))
		require.Equal(t, code, p.Code)
		switch code {
		case api.CodeMethodNotAllowed: // of no operation
		default:
			require.True(t, bytes.Contains(all, []byte("`"+string(code)+"`")), "%s is in no document", code)
		}
	}
	h.refused(h.send("GET", "/problems/x", ""), api.CodeNotFound)
}
