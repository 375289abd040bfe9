package api_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/api"
)

// read reads a body with every kind of member.
func read(raw []byte) (list []any, errs error) {
	o, found, err := api.Body(raw)
	if err != nil {
		return nil, err
	}
	list = append(list, o.Text("text", 10), o.Int("int", 1, 0, 9), o.Bool("bool", true), o.Choice("choice", "", "a", "b"),
		o.Texts("list", 3, 5), o.Given("given", 5), string(o.Raw("raw")))
	if inner := o.Object("object"); inner != nil {
		list = append(list, inner.OptionalText("x", 5))
		inner.Done()
	}
	o.Done()
	return list, found.Err()
}

func TestReadsWhatIsRight(t *testing.T) {
	list, err := read([]byte(` {"text":"hä","int":2e0,"bool":false,"choice":"B","list":["x"],"given":"","raw":[1, 2],"object":{"x":"y"}} `))
	require.NoError(t, err)
	require.Equal(t, []any{"hä", 2, false, "b", []string{"x"}, "", "[1, 2]", "y"}, list)
}

func TestSaysAllThatIsWrong(t *testing.T) {
	_, err := read([]byte(`{"text":" ","int":"2","bool":0,"choice":"c","list":["",7,"toolong"],"object":{"y":1},"~/":0}`))
	var p *api.Problem
	require.ErrorAs(t, err, &p)
	var said []string
	for _, e := range p.Errors {
		said = append(said, e.Pointer+" "+e.Detail)
	}
	require.ElementsMatch(t, []string{
		"/text is required", "/int wants a number, not a string", "/bool wants a boolean, not a number",
		"/choice is not one of a, b", "/list/0 wants 1 to 5 characters", "/list/1 wants a string, not a number",
		"/list/2 wants 1 to 5 characters", "/given is required", "/object/y is not a known member", "/~0~1 is not a known member",
	}, said)
}

// FuzzBody feeds anything: it is refused with a problem, or read.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		`{"text":"a","choice":"a","list":["a"],"given":""}`, `{"text":1e999}`, `{"object":{"object":{}}}`, `{"list":[null]}`,
		strings.Repeat(`{"a":`, 100), "\xff", `{"int":-0.0}`, `{"int":18446744073709551616}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		_, err := read(raw)
		if err == nil {
			require.True(t, json.Valid(raw))
			return
		}
		var p *api.Problem
		require.ErrorAs(t, err, &p)
		require.Equal(t, 400, p.Status)
		for _, e := range p.Errors {
			require.True(t, strings.HasPrefix(e.Pointer, "/"), e.Pointer)
		}
	})
}
