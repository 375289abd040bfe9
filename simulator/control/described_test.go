package control

import (
	"encoding/json"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
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

// TestOpenAPIMatchesTheRoutesAndTypes checks that the document of the program is the one made from the
// files of the folder openapi, the types of the calls, the contract of the five operations, and
// the routes. With -update, as go generate runs it, it writes the document instead.
func TestOpenAPIMatchesTheRoutesAndTypes(t *testing.T) {
	want, err := json.Marshal(joined(t))
	require.NoError(t, err)
	if golden.Update() {
		golden.Write(t, "openapi/openapi.json", append(golden.Lines(t, want, 3), '\n'))
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

// schemasOfTypes makes the schemas of the document from the types of the calls. A comment on a field
// describes it; a tag `schema:"minimum: 1"` adds what its type does not tell.
func schemasOfTypes(t *testing.T) object {
	t.Helper()
	s := schemas{object{}, map[string]bool{}, map[string]string{}, map[string][]string{}}
	for _, dir := range []string{".", "..", "../fault", "../../dispatch", "tokens"} {
		s.read(t, dir)
	}
	for _, r := range allRoutes() {
		if r.in != nil {
			s.of(r.in)
		}
		if r.out != nil {
			s.of(r.out)
		}
	}
	for name, schema := range s.all {
		if s.open[name] {
			delete(schema.(object), "additionalProperties")
		}
	}
	return s.all
}

// schemas are made of Go types.
type schemas struct {
	all   object
	open  map[string]bool     // those that others extend
	prose map[string]string   // of a type and of a field, such as control.Clock.now
	words map[string][]string // the constants of a type
}

// named are types whose schema has another name, or that of the files of the folder openapi.
var named = map[string]string{
	"control.Vehicle": "Car", "control.Order": "AdvanceOrder", "control.Outcome": "AdvanceOutcome", "control.Magic": "MagicNumbers",
	"fault.Fault": "CatalogueEntry", "taxi.Status": "JourneyStatus",
	"host.Duration": "Span", "simulator.Span": "Span", "control.PositionBody": "Point",
}

// given are the schemas of types that write their own JSON, or whose JSON is no concern of the document.
var given = map[string]object{
	"time.Time": {"type": "string", "format": "date-time"}, "json.RawMessage": {}, "jsontext.Value": {"type": "object"}, "host.Config": {"type": "object"},
	"control.None": {}, "control.written": {},
}

func refTo(name string) object { return object{"$ref": "#/components/schemas/" + name} }

// of returns the schema of a type. That of a struct is a component.
func (s *schemas) of(t reflect.Type) object {
	name := named[t.String()]
	if name == "" {
		name = t.Name()
	}
	switch schema, ok := given[t.String()]; {
	case ok:
		return maps.Clone(schema)
	case t.Kind() == reflect.Pointer:
		return s.of(t.Elem())
	case name == "Span", name == "Until", name == "Refused", slices.Contains(ofContract, name) && (strings.HasPrefix(t.String(), "taxi.") || name == "Point"):
		return refTo(name)
	}
	switch t.Kind() {
	case reflect.Struct:
		if s.all[name] == nil {
			s.all[name] = object{} // it may contain itself
			s.all[name] = s.object(t)
		}
		return refTo(name)
	case reflect.Slice:
		return object{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Interface:
		return object{}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Uint64:
		return object{"type": "integer", "minimum": 0}
	case reflect.String:
		if words := s.words[t.String()]; words != nil {
			return object{"enum": words}
		}
		return object{"type": "string"}
	default:
		return object{"type": "integer"}
	}
}

// object is the schema of a struct.
func (s *schemas) object(t reflect.Type) object {
	own := object{"type": "object", "additionalProperties": false}
	properties, required := object{}, []string{}
	var whole object // that it extends
	for f := range t.Fields() {
		var more object
		if err := yaml.Unmarshal([]byte("{"+f.Tag.Get("schema")+"}"), &more); err != nil {
			panic(err)
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && more["inline"] == true:
			maps.Copy(properties, s.object(f.Type)["properties"].(object))
		case f.Anonymous:
			whole = s.of(f.Type)
			s.open[f.Type.Name()] = true
			if id, ok := more["required"].(string); ok {
				required = append(required, id)
			}
		case name != "" && name != "-":
			if !strings.HasPrefix(options, "omit") && more["optional"] == nil {
				required = append(required, name)
			}
			properties[name] = s.property(t, f, more)
		}
	}
	if own["properties"] = properties; len(required) > 0 {
		own["required"] = required
	}
	if whole != nil {
		delete(own, "additionalProperties")
		own = object{"allOf": []any{whole, own}}
	}
	if text := s.prose[t.String()]; text != "" {
		own["description"] = text
	}
	return own
}

func (s *schemas) property(of reflect.Type, f reflect.StructField, more object) object {
	schema := s.of(f.Type)
	if text := s.prose[of.String()+"."+f.Name]; text != "" {
		schema["description"] = text
	}
	if more["type"] != nil {
		delete(schema, "$ref")
	}
	delete(more, "optional")
	maps.Copy(schema, more)
	return schema
}

// read reads the comments and constants of a package.
func (s *schemas) read(t *testing.T, dir string) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		pkg := file.Name.Name
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GenDecl:
				if spec, ok := n.Specs[0].(*ast.TypeSpec); ok {
					s.typed(pkg+"."+spec.Name.Name, n.Doc.Text(), spec)
				}
			case *ast.ValueSpec:
				word, isText := slices.Concat(n.Values, []ast.Expr{nil})[0].(*ast.BasicLit)
				if of, ok := n.Type.(*ast.Ident); ok && isText && pkg != "dispatch" { // whose events are more than its own
					text, err := strconv.Unquote(word.Value)
					require.NoError(t, err)
					s.words[pkg+"."+of.Name] = append(s.words[pkg+"."+of.Name], text)
				}
			}
			return true
		})
	}
}

// typed stores the first sentence about a type, without its name, and the comments of its
// fields.
func (s *schemas) typed(name, text string, spec *ast.TypeSpec) {
	text = new(doc.Package).Synopsis(text)
	if rest, ok := strings.CutPrefix(text, spec.Name.Name+" "); ok {
		rest = strings.TrimPrefix(rest, "is ")
		text = strings.ToUpper(rest[:1]) + rest[1:]
	}
	s.prose[name] = text
	is, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range is.Fields.List {
		for _, id := range f.Names {
			s.prose[name+"."+id.Name] = strings.Join(strings.Fields(f.Doc.Text()+f.Comment.Text()), " ")
		}
	}
}
