package control

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// TestDocumentIsThatOfTheCalls makes the document from the files of the folder openapi, the types of the
// calls, the contract of the five operations, and the routes. With -update, as go generate runs it, it
// writes the document that the program has.
func TestDocumentIsThatOfTheCalls(t *testing.T) {
	want, err := json.MarshalIndent(joined(t), "", " ")
	require.NoError(t, err)
	if golden.Update() {
		golden.Write(t, "openapi/openapi.json", append(want, '\n'))
		return // the next build has it
	}
	require.JSONEq(t, string(want), string(OpenAPI()), "the document is old: go generate ./simulator/control")
}

// ofContract lists the schemas that the calls share with the five operations.
var ofContract = []string{
	"Point", "Address", "DateTime", "ETA", "Price", "PriceType", "Passenger", "Vehicle", "Driver", "JourneyStatus", "JourneyAnswer",
	"Journey", "Outcome", "CancelReason", "Settings", "Feature", "Option", "UserStatus", "EndUser", "SystemStatus", "ConfigResponse",
}

// joined returns the document.
func joined(t *testing.T) object {
	t.Helper()
	document := object{}
	for _, name := range []string{"head", "journal", "town"} {
		text, err := os.ReadFile(filepath.Join("openapi", name+".yaml"))
		require.NoError(t, err)
		join(document, parsed(t, text))
	}
	join(document, object{"components": object{"schemas": schemasOfTypes(t)}})
	contract, schemas := parsed(t, taxi.OpenAPI()), object{}
	for _, name := range ofContract {
		schemas[name] = contract["components"].(object)["schemas"].(object)[name]
	}
	join(document, object{"components": object{"schemas": schemas}})
	for _, r := range allRoutes() {
		if r.id != "" {
			join(document, r.described())
		}
	}
	return document
}

func parsed(t *testing.T, text []byte) (part object) {
	t.Helper()
	require.NoError(t, yaml.Unmarshal(text, &part))
	return part
}

// join adds the members of part to whole: objects are merged, lists are appended.
func join(whole, part object) {
	for name, value := range maps.All(part) {
		switch v := value.(type) {
		case object:
			if in, ok := whole[name].(object); ok {
				join(in, v)
				continue
			}
		case []any:
			if in, ok := whole[name].([]any); ok {
				whole[name] = append(in, v...)
				continue
			}
		}
		whole[name] = value
	}
}

// described returns the part of the document about a route.
func (r *route) described() object {
	call := object{"operationId": r.id, "tags": []string{r.tag}, "summary": r.summary}
	if r.description != "" {
		call["description"] = strings.Join(strings.Fields(r.description), " ")
	}
	if len(r.params) > 0 || strings.Contains(r.path, "{") {
		call["parameters"] = r.parameters()
	}
	if body := r.body(); body != nil {
		call["requestBody"] = body
	}
	if r.isMain {
		call["servers"] = []object{{"url": Prefix, "description": "the main world"}}
	}
	responses, components := r.responses()
	call["responses"] = responses
	return object{
		"paths":      object{r.path: object{strings.ToLower(r.method): call}},
		"components": object{"responses": components},
	}
}

func (p parameter) described() object {
	text := object{"name": p.name, "in": "query", "schema": object{"type": "string"}}
	if p.in != "" {
		text["in"] = p.in
	}
	if p.in == "path" {
		text["required"] = true
	}
	if p.means != "" {
		text["description"] = p.means
	}
	if p.example != "" {
		text["example"] = p.example
	}
	if p.schema != nil {
		text["schema"] = p.schema
	}
	return text
}

// parameters returns the declared parameters, and the path segments that are not
// declared.
func (r *route) parameters() (all []object) {
	for segment := range strings.SplitSeq(r.path, "/") {
		name := strings.Trim(segment, "{}")
		if name != segment && !slices.ContainsFunc(r.params, func(p parameter) bool { return p.in == "path" && p.name == name }) {
			all = append(all, parameter{name: name, in: "path"}.described())
		}
	}
	for _, p := range r.params {
		all = append(all, p.described())
	}
	return all
}

// body describes the request's body; nil: there is none. A POST always has a body,
// because a page could send an empty POST to another site.
func (r *route) body() object {
	schema := r.reads
	switch {
	case r.in == nil && r.method != http.MethodPost:
		return nil
	case r.in == nil, r.in == reflect.TypeFor[None]():
		return object{"$ref": "#/components/requestBodies/Nothing"}
	case schema == "":
		schema = r.in.Name()
	}
	return object{"required": true, "content": jsonOf(schema)}
}

func jsonOf(schema string) object {
	return object{"application/json": object{"schema": object{"$ref": "#/components/schemas/" + schema}}}
}

// responses returns the responses of a route, and the component that they refer to. The
// folder openapi describes the responses, with their content if a handler writes them
// itself.
func (r *route) responses() (all, components object) {
	all, components = object{}, object{}
	for _, status := range r.refusals() {
		all[strconv.Itoa(status)] = object{"$ref": "#/components/responses/Refused"}
	}
	if r.unchanged {
		all[strconv.Itoa(http.StatusNotModified)] = object{"description": "it is as in If-None-Match"}
	}
	if r.status == http.StatusNoContent {
		all[strconv.Itoa(r.status)] = object{"description": r.done}
		return all, components
	}
	name := r.sends
	if name == "" {
		name = r.out.Name()
	}
	answer := object{"$ref": "#/components/responses/" + name}
	all[strconv.Itoa(r.status)] = answer
	if r.creates {
		all[strconv.Itoa(http.StatusCreated)] = answer
	}
	if r.out != reflect.TypeFor[written]() {
		components[name] = object{"content": jsonOf(name)}
	}
	return all, components
}

// refusals returns the statuses of a route's problems.
func (r *route) refusals() []int {
	all := slices.Clone(r.refused)
	if strings.Contains(r.path, "{") && !r.creates {
		all = append(all, http.StatusNotFound)
	}
	hasQuery := slices.ContainsFunc(r.params, func(p parameter) bool { return p.in == "" })
	if hasQuery || r.in != nil {
		all = append(all, http.StatusUnprocessableEntity)
	}
	return all
}
