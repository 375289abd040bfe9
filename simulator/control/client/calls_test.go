package client_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
)

// named are the methods that are not called as their calls: others have the name of the call, without
// the "read" or "list" at its beginning.
var named = map[string]string{
	"advanceClock": "Advance", "listen": "Events", "makeSandbox": "NewSandbox", "readSandbox": "ReadSandbox", "endSandbox": "DeleteSandbox",
	"dropSnapshot": "DeleteSnapshot", "transitionJourney": "Transition", "holdJourney": "Hold", "releaseJourney": "Release",
	"reassignJourney": "Reassign", "scriptJourney": "Script", "scriptNextJourney": "ScriptNext", "breakVehicleDown": "BreakDown",
	"putVehicle": "SetVehicle", "findRequests": "Requests", "listRequests": "ListRequests", "readRequest": "ReadRequest",
	"readReport": "ReadReport", "verifyRequests": "Verify",
}

func methodOf(operation string) string {
	if name, ok := named[operation]; ok {
		return name
	}
	name := strings.TrimPrefix(strings.TrimPrefix(operation, "read"), "list")
	return strings.ToUpper(name[:1]) + name[1:]
}

// TestEachCallHasAMethod calls the method of each call of the document, and looks at what it asks for.
func TestEachCallHasAMethod(t *testing.T) {
	var asked string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked = strings.ToLower(r.Method) + " " + strings.TrimPrefix(r.URL.Path, control.Prefix)
	}))
	t.Cleanup(server.Close)
	c, err := client.New(server.URL, client.Options{})
	require.NoError(t, err)
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	require.NoError(t, json.Unmarshal(control.OpenAPI(), &document))
	segment := regexp.MustCompile(`\{.*?\}`)
	for path, item := range document.Paths {
		for method, text := range item {
			var call struct{ OperationID string }
			if method == "parameters" {
				continue
			}
			require.NoError(t, json.Unmarshal(text, &call))
			m := reflect.ValueOf(c).MethodByName(methodOf(call.OperationID))
			require.True(t, m.IsValid(), "the client has no %s for %s", methodOf(call.OperationID), call.OperationID)
			invoke(t, m)
			require.Equal(t, method+" "+segment.ReplaceAllString(path, "7"), asked, call.OperationID)
		}
	}
}

// invoke calls a method of the client with a 7 for each text and number, and hears the first event
// of those that tell some.
func invoke(t *testing.T, method reflect.Value) {
	t.Helper()
	var args []reflect.Value
	for in := range method.Type().Ins() {
		arg := reflect.New(in).Elem()
		switch {
		case in == reflect.TypeFor[context.Context]():
			arg = reflect.ValueOf(t.Context())
		case in == reflect.TypeFor[io.Writer]():
			arg = reflect.ValueOf(io.Discard)
		case in == reflect.TypeFor[url.Values]():
			arg = reflect.ValueOf(url.Values{})
		case in.Kind() == reflect.Interface:
			arg.Set(reflect.ValueOf(new(any)))
		case in.Kind() == reflect.String:
			arg.SetString("7")
		case in.Kind() == reflect.Int:
			arg.SetInt(7)
		}
		args = append(args, arg)
	}
	switch out := method.Call(args)[0]; {
	case out.Kind() == reflect.Func:
		for range out.Seq2() {
			break
		}
	case out.Type() == reflect.TypeFor[io.ReadCloser]():
		require.NoError(t, out.Interface().(io.ReadCloser).Close())
	}
}
