package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// object is an object of a document, in the order of its file.
type object = yaml.MapSlice

// with returns an object with a member added.
func with(o object, name string, value any) object {
	return append(o, yaml.MapItem{Key: name, Value: value})
}

// at returns the value at a path of names; nil: there is none.
func at(value any, names ...string) any {
	for _, name := range names {
		o, _ := value.(object)
		i := slices.IndexFunc(o, func(m yaml.MapItem) bool { return fmt.Sprint(m.Key) == name })
		if i < 0 {
			return nil
		}
		value = o[i].Value
	}
	return value
}

// objectAt returns the object at a path of names; nil if there is none.
func objectAt(value any, names ...string) object {
	o, _ := at(value, names...).(object)
	return o
}

// each returns a copy of an object in which each value is replaced by the result of value.
func each(o object, value func(name string, value any) any) object {
	all := make(object, len(o))
	for i, m := range o {
		name := fmt.Sprint(m.Key)
		all[i] = yaml.MapItem{Key: name, Value: value(name, m.Value)}
	}
	return all
}

// expansion is a document to expand, and the parts that it shares with other documents.
type expansion struct{ document, common object }

// expanded expands a document. Parts that it shares with others are in common.
func expanded(document, common object) (all object) {
	e := expansion{document, common}
	for _, m := range document {
		switch m.Key {
		case "usual":
			continue
		case "paths":
			m.Value = each(m.Value.(object), e.path)
		case "components":
			m.Value = e.components()
		}
		all = append(all, m)
	}
	return all
}

// components returns the components of the document, and those of common that the document refers to.
func (e expansion) components() (all object) {
	for _, m := range objectAt(e.document, "components") {
		if m.Key != "schemas" && m.Key != "responses" {
			all = append(all, m)
		}
	}
	all = with(all, "schemas", each(e.all("schemas"), func(_ string, s any) any { return schema(s) }))
	return with(all, "responses", each(e.all("responses"), func(_ string, r any) any { return response(r, "application/problem+json", "Problem") }))
}

// all returns the components of a kind.
func (e expansion) all(kind string) object {
	own := objectAt(e.document, "components", kind)
	if at(e.document, "components", "schemas", "Problem") != nil {
		return own
	}
	return slices.Concat(own, objectAt(e.common, "components", kind))
}

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

// path adds the path parameters to the operations of a path.
func (e expansion) path(path string, operations any) any {
	var all object
	if names := pathParameter.FindAllStringSubmatch(path, -1); names != nil {
		var parameters []any
		for _, name := range names {
			parameters = append(parameters, object{{Key: "name", Value: name[1]}, {Key: "in", Value: "path"}, {Key: "required", Value: true}, {Key: "schema", Value: schema("string")}})
		}
		all = with(all, "parameters", parameters)
	}
	return append(all, each(operations.(object), func(_ string, o any) any { return e.operation(path, o.(object)) })...)
}

// operation expands an operation: its request and its responses.
func (e expansion) operation(path string, short object) (all object) {
	short = slices.Concat(short, objectAt(e.common, "operations", fmt.Sprint(at(short, "like"))))
	for _, m := range short {
		switch m.Key {
		case "like", "example", "refuses":
		case "query":
			all = with(all, "parameters", query(m.Value.(object)))
		case "reads":
			body := content("application/json", m.Value)
			if example := at(short, "example"); example != nil {
				body[0].Value = with(body[0].Value.(object), "example", example)
			}
			all = with(all, "requestBody", object{{Key: "required", Value: true}, {Key: "content", Value: body}})
		case "answers":
			all = with(all, "responses", append(e.answers(m.Value), e.refusals(path, short)...))
		default:
			all = append(all, m)
		}
	}
	return all
}

// query describes query parameters, which are strings unless they have a type.
func query(of object) (all []any) {
	for _, m := range of {
		means, kind := m.Value, any("string")
		if o, ok := m.Value.(object); ok {
			means, kind = at(o, "description"), at(o, "type")
		}
		all = append(all, object{{Key: "name", Value: m.Key}, {Key: "in", Value: "query"}, {Key: "schema", Value: schema(kind)}, {Key: "description", Value: means}})
	}
	return all
}

// answers returns the success responses by status: 204, a schema, the name of a response,
// the description of a response without a body, or a complete response.
func (e expansion) answers(of any) (all object) {
	if o, ok := of.(object); ok {
		return each(o, func(_ string, answer any) any {
			switch name, _ := answer.(string); {
			case at(e.all("responses"), name) != nil:
				return reference("responses", name)
			case strings.Contains(name, " "):
				return object{{Key: "description", Value: name}}
			}
			if o, ok := answer.(object); ok {
				return response(o, "application/json", at(o, "of"))
			}
			return response(at(e.document, "usual", "answered"), "application/json", answer)
		})
	}
	return object{{Key: fmt.Sprint(of), Value: object{{Key: "description", Value: at(e.document, "usual", "done")}}}}
}

// refusals returns the error statuses of an operation: the usual ones for its path and
// body, and those that it lists.
func (e expansion) refusals(path string, short object) (all object) {
	list := append(statuses(at(short, "refuses")), statuses(at(e.document, "usual", "refuses"))...)
	if at(short, "reads") != nil {
		list = append(list, statuses(at(e.document, "usual", "reads"))...)
	}
	if strings.Contains(path, "{") {
		list = append(list, "404")
	}
	for _, status := range slices.Compact(slices.Sorted(slices.Values(list))) {
		name := fmt.Sprint(at(e.common, "statuses", status))
		if at(e.all("responses"), name) == nil {
			name = "BadRequest"
		}
		all = with(all, status, reference("responses", name))
	}
	return all
}

func statuses(of any) (all []string) {
	list, _ := of.([]any)
	for _, status := range list {
		all = append(all, fmt.Sprint(status))
	}
	return all
}

// response describes a response: an object, to which the content is added unless it has
// one, or only a description.
func response(of any, media string, body any) object {
	o, whole := of.(object)
	if !whole {
		o = object{{Key: "description", Value: of}}
	}
	var all object
	for _, m := range o {
		switch m.Key {
		case "of":
			continue
		case "headers":
			m.Value = each(m.Value.(object), header)
		}
		all = append(all, m)
	}
	if body == nil || at(all, "content") != nil {
		return all
	}
	return with(all, "content", content(media, body))
}

// header describes a header: its type, or all of it.
func header(_ string, of any) any {
	if whole, ok := of.(object); ok {
		return whole
	}
	return object{{Key: "schema", Value: schema(of)}}
}

func content(media string, body any) object {
	return object{{Key: media, Value: object{{Key: "schema", Value: schema(body)}}}}
}

func reference(kind, name string) object {
	return object{{Key: "$ref", Value: "#/components/" + kind + "/" + name}}
}

// schema expands a schema.
func schema(short any) any {
	switch s := short.(type) {
	case string:
		if s[0] >= 'A' && s[0] <= 'Z' {
			return reference("schemas", s)
		}
		return object{{Key: "type", Value: s}}
	case []any:
		return object{{Key: "type", Value: "array"}, {Key: "items", Value: schema(s[0])}}
	case object:
		return schemaObject(s)
	}
	return short
}

func schemaObject(short object) (all object) {
	inner := func(_ string, s any) any { return schema(s) }
	for _, m := range short {
		switch m.Key {
		case "object":
			all = append(all, closed(m.Value.(object))...)
			continue
		case "properties", "patternProperties":
			m.Value = each(m.Value.(object), inner)
		case "items", "additionalProperties":
			m.Value = schema(m.Value)
		case "oneOf", "allOf":
			list := slices.Clone(m.Value.([]any))
			for i := range list {
				list[i] = schema(list[i])
			}
			m.Value = list
		}
		all = append(all, m)
	}
	return all
}

// closed returns an object schema with no other members than those listed. A star marks
// required ones.
func closed(members object) object {
	var required []any
	var properties object
	for _, m := range members {
		name, must := strings.CutSuffix(fmt.Sprint(m.Key), "*")
		if must {
			required = append(required, name)
		}
		properties = with(properties, name, schema(m.Value))
	}
	all := object{{Key: "type", Value: "object"}, {Key: "additionalProperties", Value: false}}
	if required != nil {
		all = with(all, "required", required)
	}
	return with(all, "properties", properties)
}
