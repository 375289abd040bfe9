package taxi_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// document is the OpenAPI document.
var document = sync.OnceValue(func() *golden.Document { return golden.ReadDocument(taxi.OpenAPI()) })

// at returns the node at a JSON Pointer.
func at(t testing.TB, pointer string) map[string]any {
	t.Helper()
	node, _ := document().At(pointer)
	require.NotNil(t, node, pointer)
	return node
}

func TestExamplesFollowTheirSchemas(t *testing.T) {
	judged := 0
	document().Walk(func(pointer string, object map[string]any) {
		if strings.HasSuffix(pointer, "/example") || strings.HasSuffix(pointer, "/value") {
			return
		}
		_, has := object["schema"].(map[string]any)
		for name, value := range examplesOf(object) {
			schema := pointer
			if has {
				schema += "/schema"
			}
			judged++
			require.NoError(t, document().JudgeValue(schema, value), "%s, example %s", pointer, name)
		}
	})
	require.Greater(t, judged, 60, "the walk must find the examples")
}

// examplesOf returns the examples beside a schema (media types, parameters) or
// within one (its examples list).
func examplesOf(object map[string]any) map[string]any {
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
			found[name] = follow(v)["value"]
		}
	}
	return found
}

// follow returns a node, or the one that it refers to.
func follow(of any) map[string]any {
	node := of.(map[string]any)
	if ref, ok := node["$ref"].(string); ok {
		node, _ = document().At(ref)
	}
	return node
}

func TestOperationsHaveMinimalAndRichExamples(t *testing.T) {
	for _, path := range paths {
		base := "#/paths/~1" + path[1:] + "/post"
		for _, place := range []string{"/requestBody", "/responses/200"} {
			examples := at(t, base+place+"/content/application~1json/examples")
			require.Contains(t, examples, "minimal", path+place)
			require.Contains(t, examples, "rich", path+place)
		}
	}
}

var paths = []string{taxi.PathConfig, taxi.PathUser, taxi.PathBook, taxi.PathCancel, taxi.PathStatus}

// The examples of the document can be decoded into the Go types, and are valid when encoded again.
func TestExamplesDecodeIntoGoTypes(t *testing.T) {
	wire := map[string][2]func() any{
		taxi.PathConfig: {blank[taxi.ConfigRequest], blank[taxi.ConfigResponse]},
		taxi.PathUser:   {blank[taxi.UserRequest], blank[taxi.EndUser]},
		taxi.PathBook:   {blank[taxi.BookRequest], blank[taxi.Journey]},
		taxi.PathCancel: {blank[taxi.JourneyRef], blank[taxi.Journey]},
		taxi.PathStatus: {blank[taxi.JourneyRef], blank[taxi.Journey]},
	}
	for path, in := range wire {
		for i, place := range []string{"/requestBody", "/responses/200"} {
			content := "#/paths/~1" + path[1:] + "/post" + place + "/content/application~1json"
			schema := at(t, content)["schema"].(map[string]any)["$ref"].(string)
			for name := range at(t, content+"/examples") {
				text, err := json.Marshal(at(t, content+"/examples/"+name)["value"])
				require.NoError(t, err)
				value := in[i]()
				require.NoError(t, json.Unmarshal(text, value), "%s %s %s", path, place, name)
				again, err := json.Marshal(value)
				require.NoError(t, err)
				require.NoError(t, document().Judge(schema, again), "%s %s %s, written again", path, place, name)
			}
		}
	}
}

func blank[T any]() any { return new(T) }

func TestEveryProblemCodeHasAnExample(t *testing.T) {
	shown := map[string]bool{}
	document().Walk(func(pointer string, object map[string]any) {
		if !strings.HasPrefix(pointer, "#/paths/") || !strings.HasSuffix(pointer, "/responses") {
			return
		}
		for status := range object {
			content := at(t, pointer+"/"+status)["content"].(map[string]any)
			problem, ok := content[taxi.ProblemContentType].(map[string]any)
			if !ok {
				require.Equal(t, "200", status, "%s/%s: a refusal is a problem", pointer, status)
				continue
			}
			for name, example := range problem["examples"].(map[string]any) {
				value := follow(example)["value"].(map[string]any)
				require.Equal(t, status, fmt.Sprint(value["status"]), pointer)
				require.Equal(t, name, value["code"], pointer)
				require.Equal(t, "/problems/"+name, value["type"], pointer)
				shown[name] = true
			}
		}
	})
	require.ElementsMatch(t, at(t, "#/components/schemas/ProblemCode")["enum"], slices.Collect(maps.Keys(shown)))
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
