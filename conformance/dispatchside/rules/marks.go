package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// A Mark is a test text with a meaning in SQL or in a format. Each is sent by itself, since
// together they may be complete SQL.
type Mark struct{ Text, Name string }

// Marks are the marks that a run sends.
var Marks = []Mark{{"'", "a lone quote"}, {`\`, "a backslash"}, {"%", "a percent sign"}, {"--", "a comment mark"}}

// Marked returns the paths of the members of a request that end with a mark, such as pickup.address, and the mark; nil if there
// are none.
func Marked(x *conformance.Exchange) (members []string, mark Mark) {
	if x.Intent != IntentBadScript {
		return nil, mark
	}
	for _, mark := range Marks {
		if members := endingWith(x.Sent(), mark.Text, ""); members != nil {
			return members, mark
		}
	}
	return nil, mark
}

// endingWith returns the paths of the strings in a value that end with a text; at is the path of the value.
func endingWith(v jsonvalue.Value, text, at string) (paths []string) {
	switch {
	case v.IsText():
		if strings.HasSuffix(v.Text(), text) {
			return []string{at}
		}
	case v.IsArray():
		for i, item := range v.Items() {
			paths = append(paths, endingWith(item, text, fmt.Sprintf("%s[%d]", at, i))...)
		}
	case v.IsObject():
		for name, member := range v.Members() {
			paths = append(paths, endingWith(member, text, strings.TrimPrefix(at+"."+name, "."))...)
		}
		slices.Sort(paths)
	}
	return paths
}
