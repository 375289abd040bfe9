package report

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// excerpts writes a request body in one line, with the important members first: ids, then those that differ
// from a plain call.
type excerpts struct{ plain conformance.PlainCalls }

// request returns a request body in one line of at most most bytes. Only the members of a JSON object are
// sorted.
func (e excerpts) request(x *conformance.Exchange, most int) string {
	sent, ok := jsonvalue.Parse(x.Request.Body).Raw().(map[string]any)
	if !ok {
		return oneLine(x.Request.Body, most)
	}
	keys := slices.SortedFunc(maps.Keys(sent), func(a, b string) int {
		if n := e.rank(x.Operation, a, sent[a]) - e.rank(x.Operation, b, sent[b]); n != 0 {
			return n
		}
		return strings.Compare(a, b)
	})
	members := make([]string, len(keys))
	for i, key := range keys {
		members[i] = fmt.Sprintf("%q:%s", key, e.value(x.Operation, key, sent[key]))
	}
	return printable(jsonvalue.Clip("{"+strings.Join(members, ",")+"}", most))
}

// The ranks of members, the most important first.
const (
	rankID = iota
	rankUnlike
	rankScalar
	rankContainer
)

func (e excerpts) rank(op conformance.Operation, key string, value any) int {
	switch {
	case e.plain.IsID(key):
		return rankID
	case e.plain.Unlike(op, key, value):
		return rankUnlike
	case contained(value) >= 0:
		return rankContainer
	}
	return rankScalar
}

// value returns a member's value as JSON; an object or array like that of a plain call is only hinted at:
// {…} or its length.
func (e excerpts) value(op conformance.Operation, key string, value any) string {
	if n := contained(value); n > 0 && !e.plain.Unlike(op, key, value) {
		if _, list := value.([]any); list {
			return fmt.Sprintf("[%d]", n)
		}
		return "{…}"
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}

// contained counts the elements of an object or array; -1: the value is neither.
func contained(value any) int {
	switch v := value.(type) {
	case map[string]any:
		return len(v)
	case []any:
		return len(v)
	}
	return -1
}
