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
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// documents are the three OpenAPI documents in JSON. A test of their generator checks that they are the same in YAML.
var documents = sync.OnceValue(func() (list []*golden.Document) {
	for _, name := range []string{"rest.json", "voice.json", "sim.json"} {
		list = append(list, golden.ReadDocument(api.Documents()[name]))
	}
	return list
})

// judge checks an answer against the OpenAPI documents: its status must be listed, and its body must match the
// schema.
func judge(t *testing.T, method, path string, a answer) {
	t.Helper()
	for _, d := range documents() {
		if operation := d.Operation(method, path); operation != "" {
			response, at := d.At(operation, "responses", fmt.Sprint(a.status))
			require.NotNil(t, response, "%s %s answered %d, which is not documented: %s", method, path, a.status, a.body)
			judgeBody(t, d, at, a)
			return
		}
	}
}

// judgeHook checks the body of a request to a hook against the documents. It is called in the hook's handler, so it
// does not end the test.
func judgeHook(t *testing.T, body []byte) {
	t.Helper()
	name := "Turn"
	if bytes.Contains(body, []byte(`"timestamp":`)) {
		name = "Event"
	}
	for _, d := range documents() {
		if described, at := d.At("#/components/schemas", name); described != nil {
			if err := d.Judge(at, body); err != nil {
				t.Errorf("%v: %s", err, body)
			}
			return
		}
	}
	t.Errorf("no document has a schema %s", name)
}

func judgeBody(t *testing.T, d *golden.Document, response string, a answer) {
	t.Helper()
	content, _ := d.At(response, "content")
	if content == nil {
		require.Empty(t, a.body)
		return
	}
	media := strings.Split(a.header.Get("Content-Type"), ";")[0]
	require.NotNil(t, content[media], "%s is not documented: %s", media, a.body)
	if schema, at := d.At(response, "content", media, "schema"); schema != nil { // nil: bytes
		require.NoError(t, d.Judge(at, a.body), "%s", a.body)
	}
}

// TestServedRoutesMatchTheOpenAPIDocuments checks that the served routes are exactly those of the OpenAPI documents; the pages that
// explain them are not included.
func TestServedRoutesMatchTheOpenAPIDocuments(t *testing.T) {
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

// TestOpenAPIExamplesMatchTheirSchemas checks that the examples of bodies in the OpenAPI documents match the schemas beside them.
func TestOpenAPIExamplesMatchTheirSchemas(t *testing.T) {
	examples := 0
	for _, d := range documents() {
		d.Walk(func(_ string, n map[string]any) {
			if ref, ok := n["schema"].(map[string]any); ok && n["example"] != nil {
				require.NoError(t, d.JudgeValue(ref["$ref"].(string), n["example"]))
				examples++
			}
		})
	}
	require.Greater(t, examples, 6)
}

// TestVerbSchemasMatchTheGoTypes checks that the schema of each verb has exactly the fields of its Go type.
func TestVerbSchemasMatchTheGoTypes(t *testing.T) {
	described := 0
	for _, d := range documents() {
		of, _ := d.At("#/components/schemas/Verb", "properties")
		described += len(of)
		for _, verb := range voice.Verbs() {
			members, _ := d.At("#/components/schemas/Verb", "properties", verb.Name(), "properties")
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

// TestEveryErrorCodeIsDocumented checks that each error code has a page, and is in an OpenAPI document unless it
// belongs to no operation.
func TestEveryErrorCodeIsDocumented(t *testing.T) {
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
