package taxi_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// shapes says which Go type carries which schema of the document.
var shapes = map[string]any{
	"Point":          taxi.Point{},
	"Address":        taxi.Address{},
	"ETA":            taxi.ETA{},
	"Price":          taxi.Price{},
	"Passenger":      taxi.Passenger{},
	"Vehicle":        taxi.Vehicle{},
	"Driver":         taxi.Driver{},
	"Journey":        taxi.Journey{},
	"JourneyAnswer":  taxi.Journey{},
	"CancelAnswer":   taxi.Journey{},
	"Outcome":        taxi.Outcome{},
	"EndUser":        taxi.EndUser{},
	"ConfigRequest":  taxi.ConfigRequest{},
	"ConfigResponse": taxi.ConfigResponse{},
	"UserRequest":    taxi.UserRequest{},
	"BookRequest":    taxi.BookRequest{},
	"JourneyRef":     taxi.JourneyRef{},
	"Problem":        taxi.Problem{},
	"FieldError":     taxi.FieldError{},
}

// lenient lists what a schema requires and the Go type leaves out when it is not
// there, with the reason.
var lenient = map[string]string{
	"Address.location": "a partner may leave it out, and nil says so",
	"Journey.date":     "one type reads whole journeys and partial answers",
	"Journey.pickup":   "one type reads whole journeys and partial answers",
	"Journey.dropoffs": "one type reads whole journeys and partial answers",
	"Problem.code":     "a refusal that is no problem document has none",
}

func TestStructTagsMatchSchemas(t *testing.T) {
	for name, value := range shapes {
		properties, required := flatten(t, "#/components/schemas/"+name)
		fields := fieldsOf(reflect.TypeOf(value))
		require.ElementsMatch(t, slices.Collect(maps.Keys(properties)), slices.Collect(maps.Keys(fields)), name)
		for key, field := range fields {
			require.Equal(t, typeOf(properties[key]), jsonType(field.Type), "type of %s.%s", name, key)
			_, excused := lenient[name+"."+key]
			require.Equal(t, required[key], field.always || excused, "%s.%s required", name, key)
			require.False(t, field.always && excused, "%s.%s needs no excuse", name, key)
		}
	}
}

func TestEverySchemaHasAGoTypeAndBack(t *testing.T) {
	carried := map[string]bool{"Settings": true, "Version": true, "Gazetteer": true} // a type of its own below; the server's, not the contract's
	gotypes := map[string]bool{}
	for name, value := range shapes {
		carried[name] = true
		gotypes[reflect.TypeOf(value).Name()] = true
	}
	for name := range at(t, "#/components/schemas") {
		properties, _ := flatten(t, "#/components/schemas/"+name)
		require.Equal(t, len(properties) > 0, carried[name], "schema %s", name)
	}
	require.ElementsMatch(t, wireStructs(t), slices.Collect(maps.Keys(gotypes)))
}

func TestSettingsMatchSchema(t *testing.T) {
	properties, required := flatten(t, "#/components/schemas/Settings")
	skip := true
	text, err := json.Marshal(taxi.Settings{Features: []taxi.Feature{}, Options: []taxi.Option{}, SkipDropOff: &skip})
	require.NoError(t, err)
	var written map[string]any
	require.NoError(t, json.Unmarshal(text, &written))
	require.ElementsMatch(t, slices.Collect(maps.Keys(properties)), slices.Collect(maps.Keys(written)))
	require.Empty(t, required)
}

func TestSchemaEnumsMatchConstants(t *testing.T) {
	constants := constantsByType(t)
	for schema, row := range map[string]struct{ keyword, gotype string }{
		"JourneyStatus": {"enum", "Status"},
		"UserStatus":    {"enum", "UserStatus"},
		"PriceType":     {"enum", "PriceType"},
		"Option":        {"enum", "Option"},
		"CancelReason":  {"enum", "CancelReason"},
		"ProblemCode":   {"enum", "Code"},
		"SystemStatus":  {"examples", "SystemStatus"}, // the interface leaves its words open
		"Feature":       {"examples", "Feature"},
	} {
		var words []string
		for _, w := range at(t, "#/components/schemas/"+schema)[row.keyword].([]any) {
			words = append(words, w.(string))
		}
		require.Equal(t, constants[row.gotype], words, schema)
	}
}

// flatten returns the properties and the required names of a schema, those of
// its allOf parts included.
func flatten(t testing.TB, pointer string) (map[string]map[string]any, map[string]bool) {
	t.Helper()
	properties, required := map[string]map[string]any{}, map[string]bool{}
	var add func(schema map[string]any)
	add = func(schema map[string]any) {
		schema = follow(schema)
		parts, _ := schema["allOf"].([]any)
		for _, part := range parts {
			add(part.(map[string]any))
		}
		own, _ := schema["properties"].(map[string]any)
		for name, p := range own {
			if _, narrowed := properties[name]; !narrowed {
				properties[name] = p.(map[string]any)
			}
		}
		names, _ := schema["required"].([]any)
		for _, name := range names {
			required[name.(string)] = true
		}
	}
	add(at(t, pointer))
	return properties, required
}

// typeOf returns the type that a schema allows, null aside.
func typeOf(schema map[string]any) string {
	switch kind := follow(schema)["type"].(type) {
	case string:
		return kind
	case []any:
		return kind[0].(string)
	default:
		return "untyped"
	}
}

type wireField struct {
	reflect.StructField

	always bool // written even when zero
}

func fieldsOf(t reflect.Type) map[string]wireField {
	fields := map[string]wireField{}
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		fields[name] = wireField{f, !strings.Contains(options, "omit")}
	}
	return fields
}

func jsonType(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[taxi.Time]():
		return "string"
	case t == reflect.TypeFor[json.RawMessage]():
		return "object"
	}
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Float64:
		return "number"
	case reflect.Int:
		return "integer"
	case reflect.Bool:
		return "boolean"
	case reflect.Slice:
		return "array"
	default:
		return "object"
	}
}

// sources parses the package's own files, tests aside.
func sources(t testing.TB) []*ast.File {
	t.Helper()
	var files []*ast.File
	for _, name := range goFiles(t) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, file)
	}
	return files
}

// wireStructs names the exported structs that have JSON tags.
func wireStructs(t testing.TB) []string {
	t.Helper()
	var names []string
	for _, file := range sources(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || !spec.Name.IsExported() {
				return true
			}
			if body, ok := spec.Type.(*ast.StructType); ok && slices.ContainsFunc(body.Fields.List, tagged) {
				names = append(names, spec.Name.Name)
			}
			return true
		})
	}
	return names
}

func tagged(f *ast.Field) bool { return f.Tag != nil && strings.Contains(f.Tag.Value, "json:") }

// constantsByType gathers the package's string constants by their type's name.
func constantsByType(t testing.TB) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for _, file := range sources(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			kind, named := spec.Type.(*ast.Ident)
			text, literal := spec.Values[0].(*ast.BasicLit)
			if named && literal {
				word, err := strconv.Unquote(text.Value)
				require.NoError(t, err)
				found[kind.Name] = append(found[kind.Name], word)
			}
			return true
		})
	}
	return found
}

// Vendors take this package into their own servers, so it brings nothing along.
func TestPackageNeedsOnlyTheStandardLibrary(t *testing.T) {
	for _, file := range sources(t) {
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			root, _, _ := strings.Cut(path, "/")
			require.NotContains(t, root, ".", "import of %s", path)
			require.NotEqual(t, "C", root)
		}
	}
}

// goFiles lists the package's files, tests aside.
func goFiles(t testing.TB) []string {
	t.Helper()
	all, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var files []string
	for _, name := range all {
		if !strings.HasSuffix(name, "_test.go") {
			files = append(files, name)
		}
	}
	require.NotEmpty(t, files)
	return files
}
