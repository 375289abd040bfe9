package control

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"github.com/cabrank/cabrank/dispatch/packed"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func openAPICalls() calls {
	return calls{get("readDocument", "/openapi.json", "This document", readOpenAPI).free().answers("Document")}.tagged("World")
}

//go:generate gzip -9nkf openapi/head.yaml openapi/journal.yaml openapi/town.yaml
//go:generate go test -run TestSchemasAreThoseOfTheTypes -schemas .

//go:embed openapi/*.gz
var openAPIFiles embed.FS

// document is what OpenAPI returns, made when it is first asked for.
var document struct {
	once sync.Once
	text []byte
}

// OpenAPI returns the document of the calls, as JSON. Each is described by its route, but for those
// of the journal; the files of the folder openapi have these. The schemas are made of the Go types of the
// calls by go generate. What a journey or a user is comes from the contract of the five operations.
func OpenAPI() []byte {
	document.once.Do(func() {
		var err error
		if document.text, err = joinedOpenAPI(); err != nil {
			panic(fmt.Sprintf("control: %v", err)) // the files are part of the program
		}
	})
	return document.text
}

// ofContract is the schemas that the calls share with the five operations.
var ofContract = []string{
	"Point", "Address", "DateTime", "ETA", "Price", "PriceType", "Passenger", "Vehicle", "Driver", "JourneyStatus", "JourneyAnswer",
	"Journey", "Outcome", "CancelReason", "Settings", "Feature", "Option", "UserStatus", "EndUser", "SystemStatus", "ConfigResponse",
}

// object is an object of JSON.
type object = map[string]any

func joinedOpenAPI() ([]byte, error) {
	files, err := openAPIFiles.ReadDir("openapi")
	if err != nil {
		return nil, err
	}
	document := object{}
	for _, file := range files {
		zipped, err := openAPIFiles.ReadFile(path.Join("openapi", file.Name()))
		if err != nil {
			return nil, err
		}
		text, err := packed.Text(zipped)
		if err != nil {
			return nil, err
		}
		var part object
		if err := yaml.Unmarshal(text, &part); err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name(), err)
		}
		join(document, part)
	}
	var contract struct {
		Components struct {
			Schemas object `yaml:"schemas"`
		} `yaml:"components"`
	}
	if err := yaml.Unmarshal(taxi.OpenAPI(), &contract); err != nil {
		return nil, err
	}
	schemas := object{}
	for _, name := range ofContract {
		schemas[name] = contract.Components.Schemas[name]
	}
	join(document, object{"components": object{"schemas": schemas}})
	for _, r := range allRoutes() {
		if r.id != "" {
			join(document, r.described())
		}
	}
	return json.Marshal(document)
}

// join adds the members of a part to the whole: objects are joined member by member, lists
// one behind the other.
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

// described is the part of the document that is about a call.
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
	responses, components := r.responses()
	call["responses"] = responses
	return object{
		"paths":      object{r.path: object{strings.ToLower(r.method): call}},
		"components": object{"responses": components},
	}
}

// parameter is one of the query, or a segment of a path.
type parameter struct {
	name, means, example string
	schema               object // nil: any text
	in                   string // "": the query
}

// Parameters of lists.
var (
	pageLimit = parameter{name: "limit", means: "how many", schema: object{"type": "integer", "minimum": 1, "maximum": pageMost, "default": pageUsual}}
	pageAfter = parameter{name: "after", means: "the `next` of the page before"}
)

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

// parameters are those that are declared, and the segments of the path that are not.
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

// body describes what is read; nil: nothing is. A POST has a body in any case, without which a page
// could send it to another site.
func (r *route) body() object {
	schema := r.reads
	switch {
	case r.in == nil && r.method != http.MethodPost:
		return nil
	case r.in == nil, r.in == reflect.TypeFor[empty]():
		return object{"$ref": "#/components/requestBodies/Nothing"}
	case schema == "":
		schema = r.in.Name()
	}
	return object{"required": true, "content": jsonOf(schema)}
}

func jsonOf(schema string) object {
	return object{"application/json": object{"schema": object{"$ref": "#/components/schemas/" + schema}}}
}

// responses are what a call may answer, and a response that they refer to. The folder openapi describes
// that, also its content where a handler writes it.
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

// refusals are the statuses of problems that a call is answered with.
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

func readOpenAPI(c *call) (written, error) {
	c.w.Header().Set("Content-Type", "application/json")
	c.w.WriteHeader(http.StatusOK)
	_, _ = c.w.Write(OpenAPI()) // an error means that the caller is gone
	return written{}, nil
}
