package apidoc

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
)

// tree is a document as it was read, in its order.
type tree struct{ root yaml.MapSlice }

// value returns a member of a mapping; nil when there is none.
func value(m yaml.MapSlice, key string) any {
	for _, item := range m {
		if fmt.Sprint(item.Key) == key {
			return item.Value
		}
	}
	return nil
}

func child(m yaml.MapSlice, key string) yaml.MapSlice {
	c, _ := value(m, key).(yaml.MapSlice)
	return c
}

func items(m yaml.MapSlice, key string) []any {
	list, _ := value(m, key).([]any)
	return list
}

// str returns a member as text; empty when there is none.
func str(m yaml.MapSlice, key string) string {
	if v := value(m, key); v != nil {
		return fmt.Sprint(v)
	}
	return ""
}

// resolve follows a reference within the document, and names what it leads to.
func (d tree) resolve(v any) (m yaml.MapSlice, name string) {
	m, _ = v.(yaml.MapSlice)
	ref := str(m, "$ref")
	if ref == "" {
		return m, ""
	}
	at := d.root
	for part := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		at, name = child(at, part), part
	}
	return at, name
}

// pretty spells an example as JSON on one line.
func pretty(v any) string {
	if v == nil {
		return ""
	}
	text, err := yaml.MarshalWithOptions(v, yaml.JSON())
	if err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSpace(string(text))
}
