package jsonvalue_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// FuzzParse walks through whatever is read: each value knows a pointer of its own.
func FuzzParse(f *testing.F) {
	f.Add(`{"a":[1,{"b~/":null}],"c":"x"} trailing`)
	f.Add("\xef\xbb\xbf[[[[]]]]")
	f.Add(`{"a":1,"a":2}`)
	f.Add(`1e999`)
	f.Fuzz(func(t *testing.T, text string) {
		v := jsonvalue.Parse([]byte(text))
		require.Equal(t, json.NewDecoder(strings.NewReader(strings.TrimPrefix(text, "\xef\xbb\xbf"))).Decode(new(any)) == nil || v.IsNumber(), v.Present())
		walk(t, v, map[string]bool{})
		require.Positive(t, jsonvalue.Nodes([]byte(text)))
		walk(t, jsonvalue.Outline([]byte(text)), map[string]bool{})
	})
}

func walk(t *testing.T, v jsonvalue.Value, seen map[string]bool) {
	t.Helper()
	require.False(t, seen[v.Pointer()], v.Pointer())
	seen[v.Pointer()] = true
	if o, is := v.Raw().(map[string]any); is {
		for name := range o {
			require.True(t, v.At(name).Present())
			walk(t, v.At(name), seen)
		}
	}
	for _, e := range v.Items() {
		walk(t, e, seen)
	}
}

// FuzzReader reads a text value by value: it ends, and reads no value that is too long.
func FuzzReader(f *testing.F) {
	f.Add(`{"a":[1,2,3],"b":"` + strings.Repeat("x", 40) + `"}`)
	f.Add(`{"a":null}`)
	f.Add(`{"a":[`)
	f.Fuzz(func(t *testing.T, text string) {
		r := jsonvalue.NewReader(strings.NewReader(text), 32)
		err := r.Members(func(string) error {
			return r.Elements(func() error {
				var v any
				err := r.Value(&v)
				if s, is := v.(string); is {
					require.Less(t, len(s), 4096)
				}
				return err
			})
		})
		if err == nil {
			require.NoError(t, json.NewDecoder(strings.NewReader(text)).Decode(new(any)))
		}
	})
}
