// Package apidoc makes pages for people out of OpenAPI documents: one page each,
// with nothing that has to be loaded from elsewhere.
package apidoc

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

//go:embed page.html
var source string

var page = template.Must(template.New("page").Funcs(template.FuncMap{"text": text, "anchor": anchor}).Parse(source))

// Page returns the page of a document. Links lead to the others, by name.
func Page(name string, document []byte, others []string) ([]byte, error) {
	var root yaml.MapSlice
	if err := yaml.UnmarshalWithOptions(document, &root, yaml.UseOrderedMap()); err != nil {
		return nil, fmt.Errorf("apidoc: %s: %w", name, err)
	}
	d := tree{root}
	var out bytes.Buffer
	err := page.Execute(&out, map[string]any{
		"Name": name, "Others": others, "Info": d.info(), "Groups": d.groups(), "Schemas": d.schemas(),
	})
	return out.Bytes(), err
}

// info is the head of a document.
func (d tree) info() map[string]string {
	info := child(d.root, "info")
	return map[string]string{"Title": str(info, "title"), "Summary": str(info, "summary"), "Description": str(info, "description"), "Version": str(info, "version")}
}

// group is the operations under one tag.
type group struct {
	Name       string
	Operations []operation
}

// operation is one method of one path.
type operation struct {
	Method, Path, Summary, Description string
	Parameters                         []field
	Body                               *body
	Answers                            []answer
}

// body is what a request or an answer holds.
type body struct{ Media, Type, Schema, Example string }

// answer is one status that an operation answers with.
type answer struct {
	Status, Description string
	Body                *body
}

var methods = []string{"get", "put", "post", "delete", "patch"}

// groups lists the operations by their first tag, in the document's order; what the
// service sends to others comes last.
func (d tree) groups() (list []group) {
	for _, path := range slices.Concat(child(d.root, "paths"), child(d.root, "webhooks")) {
		item, _ := path.Value.(yaml.MapSlice)
		for _, m := range item {
			if method := fmt.Sprint(m.Key); slices.Contains(methods, method) {
				op := d.operation(item, m.Value.(yaml.MapSlice))
				op.Method, op.Path = strings.ToUpper(method), fmt.Sprint(path.Key)
				tag := "Operations"
				if tags := items(m.Value.(yaml.MapSlice), "tags"); len(tags) > 0 {
					tag = fmt.Sprint(tags[0])
				}
				i := slices.IndexFunc(list, func(g group) bool { return g.Name == tag })
				if i < 0 {
					i, list = len(list), append(list, group{Name: tag})
				}
				list[i].Operations = append(list[i].Operations, op)
			}
		}
	}
	return list
}

func (d tree) operation(item, op yaml.MapSlice) operation {
	o := operation{Summary: str(op, "summary"), Description: str(op, "description")}
	for _, p := range append(items(item, "parameters"), items(op, "parameters")...) {
		parameter, _ := d.resolve(p)
		f := d.field(str(parameter, "name"), child(parameter, "schema"), value(parameter, "required") == true)
		f.Text = str(parameter, "description")
		f.Name += " (in " + str(parameter, "in") + ")"
		o.Parameters = append(o.Parameters, f)
	}
	request, _ := d.resolve(value(op, "requestBody"))
	o.Body = d.body(request)
	for _, r := range child(op, "responses") {
		response, _ := d.resolve(r.Value)
		o.Answers = append(o.Answers, answer{fmt.Sprint(r.Key), str(response, "description"), d.body(response)})
	}
	return o
}

// body reads the first media type of a request or an answer.
func (d tree) body(holder yaml.MapSlice) *body {
	content := child(holder, "content")
	if len(content) == 0 {
		return nil
	}
	media, _ := content[0].Value.(yaml.MapSlice)
	b := &body{Media: fmt.Sprint(content[0].Key)}
	schema := value(media, "schema")
	b.Type, b.Schema = d.typeOf(schema)
	example := value(media, "example")
	if example == nil {
		resolved, _ := d.resolve(schema)
		example = value(resolved, "example")
	}
	b.Example = pretty(example)
	return b
}
