package golden

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Document is an OpenAPI document that can validate values against its schemas.
type Document struct {
	Root map[string]any

	mu       sync.Mutex
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema // by their pointers
}

const address = "http://contract.test/openapi.json"

// ReadDocument parses an OpenAPI document of this project, in JSON or YAML. It panics if the document is not valid.
func ReadDocument(text []byte) *Document {
	text, err := yaml.YAMLToJSON(text)
	if err != nil {
		panic(err)
	}
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		panic(err)
	}
	d := &Document{Root: tree.(map[string]any), compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	if err := d.compiler.AddResource(address, tree); err != nil {
		panic(err)
	}
	return d
}

// At returns the object at a JSON Pointer and further keys below it, and its own pointer, following references. The
// object is nil if there is none.
func (d *Document) At(pointer string, keys ...string) (node map[string]any, at string) {
	node, at = d.Root, "#"
	for i, key := range slices.Concat(strings.Split(pointer, "/")[1:], keys) {
		if i < strings.Count(pointer, "/") {
			key = strings.NewReplacer("~1", "/", "~0", "~").Replace(key)
		}
		node, _ = node[key].(map[string]any)
		at += "/" + escaped(key)
		if ref, ok := node["$ref"].(string); ok {
			node, at = d.At(ref)
		}
	}
	return node, at
}

func escaped(key string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(key) }

// Operation returns the JSON Pointer of the operation that describes a request, or "" if there is none.
func (d *Document) Operation(method, path string) string {
	path, _, _ = strings.Cut(path, "?")
	paths, _ := d.At("#/paths")
	best, literal := "", -1
	for pattern, item := range paths {
		n, ok := matchPath(pattern, path)
		if _, has := item.(map[string]any)[strings.ToLower(method)]; ok && has && n > literal {
			best, literal = pattern, n
		}
	}
	if best == "" {
		return ""
	}
	_, at := d.At("#/paths", best, strings.ToLower(method))
	return at
}

// matchPath reports whether a path matches a pattern of the document, and counts the segments of the pattern that are not
// parameters.
func matchPath(pattern, path string) (literal int, ok bool) {
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

// Judge validates a JSON text against the schema at a pointer; nil: it is valid.
func (d *Document) Judge(pointer string, text []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return d.JudgeValue(pointer, value)
}

// JudgeValue is [Document.Judge] for a value that is parsed already, such as an example of the document.
func (d *Document) JudgeValue(pointer string, value any) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	schema := d.schemas[pointer]
	if schema == nil {
		var err error
		if schema, err = d.compiler.Compile(address + pointer); err != nil {
			return err
		}
		d.schemas[pointer] = schema
	}
	return schema.Validate(value)
}

// Walk visits every object of the document with its JSON Pointer.
func (d *Document) Walk(visit func(pointer string, object map[string]any)) { walk(d.Root, "#", visit) }

func walk(node any, pointer string, visit func(pointer string, object map[string]any)) {
	switch n := node.(type) {
	case map[string]any:
		visit(pointer, n)
		for _, k := range slices.Sorted(maps.Keys(n)) {
			walk(n[k], pointer+"/"+escaped(k), visit)
		}
	case []any:
		for i, v := range n {
			walk(v, pointer+"/"+strconv.Itoa(i), visit)
		}
	}
}
