package apidoc

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// schema is one of a document's named schemas.
type schema struct {
	Name, Type, Text, Example string
	Fields                    []field
}

// field is a member of an object, or a parameter.
type field struct {
	Name, Type, Schema, Bounds, Text string
	Required                         bool
}

// members are told in a table below a named schema.
var members = regexp.MustCompile(`^object \{.*\}$`)

// schemas lists the named schemas.
func (d tree) schemas() (list []schema) {
	for _, item := range child(child(d.root, "components"), "schemas") {
		s, _ := item.Value.(yaml.MapSlice)
		kind, _ := d.typeOf(s)
		list = append(list, schema{
			Name: fmt.Sprint(item.Key), Type: members.ReplaceAllString(kind, "") + bounds(s), Text: str(s, "description"), Example: pretty(value(s, "example")), Fields: d.fields(s),
		})
	}
	return list
}

// fields lists the members of an object, those of its parts included.
func (d tree) fields(s yaml.MapSlice) (list []field) {
	for _, part := range items(s, "allOf") {
		inner, _ := d.resolve(part)
		list = append(list, d.fields(inner)...)
	}
	required := items(s, "required")
	for _, p := range child(s, "properties") {
		name := fmt.Sprint(p.Key)
		list = append(list, d.field(name, p.Value, slices.Contains(required, any(name))))
	}
	return list
}

func (d tree) field(name string, of any, required bool) field {
	s, _ := of.(yaml.MapSlice)
	f := field{Name: name, Required: required, Bounds: bounds(s), Text: str(s, "description")}
	f.Type, f.Schema = d.typeOf(of)
	return f
}

// typeOf says what a schema takes, and which named one it is or is made of.
func (d tree) typeOf(of any) (kind, named string) {
	s, _ := of.(yaml.MapSlice)
	if _, name := d.resolve(of); name != "" {
		return name, name
	}
	if list, ok := value(s, "type").([]any); ok {
		names := make([]string, len(list))
		for i, t := range list {
			names[i] = fmt.Sprint(t)
		}
		return strings.Join(names, " or "), ""
	}
	for _, choice := range []string{"oneOf", "anyOf", "allOf"} {
		var names []string
		for _, part := range items(s, choice) {
			name, _ := d.typeOf(part)
			names = append(names, name)
		}
		if len(names) > 0 {
			return strings.Join(names, map[string]string{"oneOf": " or ", "anyOf": " or ", "allOf": " with "}[choice]), ""
		}
	}
	if inner := value(s, "items"); inner != nil {
		kind, named = d.typeOf(inner)
		return "array of " + kind, named
	}
	if kind = str(s, "type"); kind == "" {
		kind = "anything"
	}
	var names []string // an object without a name is known by its members
	for _, p := range child(s, "properties") {
		names = append(names, fmt.Sprint(p.Key))
	}
	if len(names) > 0 {
		kind += " {" + strings.Join(names, ", ") + "}"
	}
	return kind, ""
}

// limits are the bounds that a page tells, and how.
var limits = []struct{ key, told string }{
	{"const", "is %v"},
	{"format", "%v"},
	{"minLength", "at least %v characters"},
	{"maxLength", "at most %v characters"},
	{"pattern", "like %v"},
	{"minimum", "from %v"},
	{"maximum", "to %v"},
	{"minItems", "at least %v"},
	{"maxItems", "at most %v"},
	{"default", "default %v"},
}

func bounds(s yaml.MapSlice) string {
	var told []string
	if enum := items(s, "enum"); len(enum) > 0 {
		names := make([]string, len(enum))
		for i, v := range enum {
			names[i] = fmt.Sprint(v)
		}
		told = append(told, strings.Join(names, " | "))
	}
	for _, l := range limits {
		if v := value(s, l.key); v != nil {
			told = append(told, fmt.Sprintf(l.told, v))
		}
	}
	if len(told) == 0 {
		return ""
	}
	return ", " + strings.Join(told, ", ")
}
