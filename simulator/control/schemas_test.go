package control

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"
)

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
		case name != "":
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

// typed takes the first sentence about a type, without its name, and the comments of its fields.
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
