package jsonvalue_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// FuzzParse checks that Parse reads what encoding/json reads, and that each value has a pointer of its own.
func FuzzParse(f *testing.F) {
	f.Add(`{"a":[1,{"b~/":null}],"c":"x"} trailing`)
	f.Add("\xef\xbb\xbf[[[[]]]]")
	f.Add(`{"a":1,"a":2}`)
	f.Add(`1e999`)
	f.Add(`{"a":"\u00e9\ud800x\n","é":true,"b":-0.5E+7,"c":{"d":[],"a":{}}}`)
	f.Add("[\"\xff\x80\", \"\\u12g4\"]")
	f.Add(" [01]")
	f.Add("-")
	f.Add("[1.e2]")
	f.Add("\"a\x01\"")
	f.Add("nul")
	f.Add("true,")
	f.Add(`{"a" 1}`)
	f.Add(`[1,]`)
	f.Fuzz(func(t *testing.T, text string) {
		v := parsed(t, text)
		walk(t, v, map[string]bool{})
		require.Positive(t, jsonvalue.Nodes([]byte(text)))
		walk(t, jsonvalue.Outline([]byte(text)), map[string]bool{})
	})
}

// TestParseLimitsTheDepthOfNesting checks that Parse reads JSON nested as deeply as encoding/json allows, and not a level deeper.
func TestParseLimitsTheDepthOfNesting(t *testing.T) {
	for n, is := range map[int]bool{10_000: true, 10_001: false} {
		require.Equal(t, is, parsed(t, strings.Repeat("[", n)+strings.Repeat("]", n)).Present())
		require.Equal(t, is, parsed(t, strings.Repeat(`{"a":`, n)+"1"+strings.Repeat("}", n)).Present())
	}
}

// parsed reads a text, and compares what is read with what encoding/json reads.
func parsed(t *testing.T, text string) jsonvalue.Value {
	t.Helper()
	v := jsonvalue.Parse([]byte(text))
	d := json.NewDecoder(strings.NewReader(strings.TrimPrefix(text, "\xef\xbb\xbf")))
	d.UseNumber()
	var want any
	require.Equal(t, d.Decode(&want) == nil, v.Present())
	require.True(t, reflect.DeepEqual(want, v.Raw()), text)
	return v
}

func walk(t *testing.T, v jsonvalue.Value, seen map[string]bool) {
	t.Helper()
	require.False(t, seen[v.Pointer()], "%s is met twice", v.Pointer())
	seen[v.Pointer()] = true
	if o, is := v.Raw().(map[string]any); is {
		for name := range o {
			require.True(t, reflect.DeepEqual(o[name], v.At(name).Raw()))
		}
		for name, member := range v.Members() {
			require.Equal(t, v.At(name), member)
			walk(t, member, seen)
			delete(o, name)
		}
		require.Empty(t, o)
	}
	for _, e := range v.Items() {
		walk(t, e, seen)
	}
}

// FuzzReader checks that Reader reads any text value by value to its end or to an error, and never a string
// that is too long.
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
