package taxi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// contract is the OpenAPI document as a tree, with its schemas ready to judge.
type contract struct {
	root     map[string]any
	compiler *jsonschema.Compiler
}

const contractURL = "http://contract.test/openapi.json"

func readContract(t testing.TB) *contract {
	t.Helper()
	document, err := yaml.YAMLToJSON(taxi.OpenAPI())
	require.NoError(t, err)
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	require.NoError(t, c.AddResource(contractURL, tree))
	return &contract{root: tree.(map[string]any), compiler: c}
}

// schema compiles the schema at a JSON Pointer into the document.
func (c *contract) schema(t testing.TB, pointer string) *jsonschema.Schema {
	t.Helper()
	s, err := c.compiler.Compile(contractURL + "#" + pointer)
	require.NoError(t, err)
	return s
}

// at returns the node at a JSON Pointer, references followed on the way.
func (c *contract) at(t testing.TB, pointer string) map[string]any {
	t.Helper()
	node := any(c.root)
	for _, token := range strings.Split(pointer, "/")[1:] {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		require.Contains(t, node, token, pointer)
		node = c.follow(t, node.(map[string]any)[token].(map[string]any))
	}
	return node.(map[string]any)
}

func (c *contract) follow(t testing.TB, node map[string]any) map[string]any {
	t.Helper()
	if ref, ok := node["$ref"].(string); ok {
		return c.at(t, strings.TrimPrefix(ref, "#"))
	}
	return node
}

// walk visits every object of the document with its JSON Pointer.
func walk(node any, pointer string, visit func(pointer string, object map[string]any)) {
	switch n := node.(type) {
	case map[string]any:
		visit(pointer, n)
		for _, k := range slices.Sorted(maps.Keys(n)) {
			walk(n[k], pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(k), visit)
		}
	case []any:
		for i, v := range n {
			walk(v, pointer+"/"+strconv.Itoa(i), visit)
		}
	}
}

func TestExamplesFollowTheirSchemas(t *testing.T) {
	c := readContract(t)
	judged := 0
	walk(c.root, "", func(pointer string, object map[string]any) {
		if strings.HasSuffix(pointer, "/example") || strings.HasSuffix(pointer, "/value") {
			return
		}
		_, has := object["schema"].(map[string]any)
		for name, value := range examplesOf(t, c, object) {
			schema := pointer
			if has {
				schema += "/schema"
			}
			judged++
			require.NoError(t, c.schema(t, schema).Validate(value), "%s, example %s", pointer, name)
		}
	})
	require.Greater(t, judged, 60, "the walk must find the examples")
}

// examplesOf returns the examples beside a schema (media types, parameters) or
// within one (its examples list).
func examplesOf(t testing.TB, c *contract, object map[string]any) map[string]any {
	found := map[string]any{}
	if one, ok := object["example"]; ok {
		found["example"] = one
	}
	switch all := object["examples"].(type) {
	case []any:
		for i, v := range all {
			found[strconv.Itoa(i)] = v
		}
	case map[string]any:
		if _, ok := object["schema"]; !ok {
			break // components/examples: judged where they are used
		}
		for name, v := range all {
			found[name] = c.follow(t, v.(map[string]any))["value"]
		}
	}
	return found
}

func TestEveryOperationShowsMinimalAndRich(t *testing.T) {
	c := readContract(t)
	for _, path := range paths {
		base := "/paths/~1" + path[1:] + "/post"
		for _, place := range []string{"/requestBody", "/responses/200"} {
			examples := c.at(t, base+place+"/content/application~1json/examples")
			require.Contains(t, examples, "minimal", path+place)
			require.Contains(t, examples, "rich", path+place)
		}
	}
}

var paths = []string{taxi.PathConfig, taxi.PathUser, taxi.PathBook, taxi.PathCancel, taxi.PathStatus}

func TestPathsOfTheDocument(t *testing.T) {
	c := readContract(t)
	require.ElementsMatch(t, slices.Concat(paths, []string{
		"/", "/livez", "/readyz", "/version", "/places", "/openapi.yaml", "/problems/{code}",
	}), slices.Collect(maps.Keys(c.at(t, "/paths"))))
}

// The minimal and rich answers of the document are also what the Go types read.
func TestExamplesDecode(t *testing.T) {
	c := readContract(t)
	wire := map[string][2]func() any{
		taxi.PathConfig: {blank[taxi.ConfigRequest], blank[taxi.ConfigResponse]},
		taxi.PathUser:   {blank[taxi.UserRequest], blank[taxi.EndUser]},
		taxi.PathBook:   {blank[taxi.BookRequest], blank[taxi.Journey]},
		taxi.PathCancel: {blank[taxi.JourneyRef], blank[taxi.Journey]},
		taxi.PathStatus: {blank[taxi.JourneyRef], blank[taxi.Journey]},
	}
	for path, in := range wire {
		for i, place := range []string{"/requestBody", "/responses/200"} {
			content := "/paths/~1" + path[1:] + "/post" + place + "/content/application~1json"
			schema := c.schema(t, c.refOf(t, content))
			for name := range c.at(t, content+"/examples") {
				text, err := json.Marshal(c.at(t, content+"/examples/"+name)["value"])
				require.NoError(t, err)
				value := in[i]()
				require.NoError(t, json.Unmarshal(text, value), "%s %s %s", path, place, name)
				again, err := json.Marshal(value)
				require.NoError(t, err)
				require.NoError(t, validate(schema, again), "%s %s %s, written again", path, place, name)
			}
		}
	}
}

// refOf returns where the schema of a media type is.
func (c *contract) refOf(t testing.TB, content string) string {
	t.Helper()
	schema := c.at(t, content)["schema"].(map[string]any)
	return strings.TrimPrefix(schema["$ref"].(string), "#")
}

func blank[T any]() any { return new(T) }

func validate(s *jsonschema.Schema, text []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(value)
}

func TestEveryCodeIsShownUnderItsStatus(t *testing.T) {
	c := readContract(t)
	shown := map[string]bool{}
	walk(c.root["paths"], "/paths", func(pointer string, object map[string]any) {
		if !strings.HasSuffix(pointer, "/responses") {
			return
		}
		for status := range object {
			content := c.at(t, pointer+"/"+status)["content"].(map[string]any)
			problem, ok := content[taxi.ProblemContentType].(map[string]any)
			if !ok {
				require.Equal(t, "200", status, "%s/%s: a refusal is a problem", pointer, status)
				continue
			}
			for name, example := range problem["examples"].(map[string]any) {
				value := c.follow(t, example.(map[string]any))["value"].(map[string]any)
				require.Equal(t, status, fmt.Sprint(value["status"]), pointer)
				require.Equal(t, name, value["code"], pointer)
				require.Equal(t, "/problems/"+name, value["type"], pointer)
				shown[name] = true
			}
		}
	})
	require.ElementsMatch(t, c.at(t, "/components/schemas/ProblemCode")["enum"], slices.Collect(maps.Keys(shown)))
}

func TestDocumentIsAcceptedByAPublicValidator(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(taxi.OpenAPI())
	require.NoError(t, err)
	require.True(t, doc.IsOpenAPI31OrLater())
	require.NoError(t, doc.Validate(t.Context()))
	for _, path := range paths {
		require.NotNil(t, doc.Paths.Find(path).Post, path)
	}
}

func TestBrokenDocumentIsRefusedByIt(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(taxi.OpenAPI())
	require.NoError(t, err)
	doc.Paths.Find(taxi.PathBook).Post.RequestBody.Value.Content = nil
	require.Error(t, doc.Validate(t.Context()))
}
