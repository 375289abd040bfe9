package trial_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/trial"
)

// contract returns a judge of answers by the schemas of the published document.
func contract(t *testing.T) func(path string, status int, body []byte) error {
	t.Helper()
	const document = "http://contract.test/openapi.json"
	contract, err := yaml.YAMLToJSON(taxi.OpenAPI())
	require.NoError(t, err)
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(contract))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	require.NoError(t, compiler.AddResource(document, tree))
	answers := map[string]*jsonschema.Schema{}
	for _, path := range []string{taxi.PathConfig, taxi.PathUser, taxi.PathBook, taxi.PathCancel, taxi.PathStatus} {
		answers[path], err = compiler.Compile(document + "#/paths/~1" + strings.TrimPrefix(path, "/") +
			"/post/responses/200/content/application~1json/schema")
		require.NoError(t, err)
	}
	problem, err := compiler.Compile(document + "#/components/schemas/Problem")
	require.NoError(t, err)
	return func(path string, status int, body []byte) error {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
		if err != nil {
			return err
		}
		schema := answers[path]
		if status != http.StatusOK {
			schema = problem
		}
		if err := schema.Validate(value); err != nil {
			return fmt.Errorf("%d: %w", status, err)
		}
		return nil
	}
}

// TestEveryAnswerFollowsTheContract holds whole days' answers against the schemas
// of the document, beside what every run checks by itself.
func TestEveryAnswerFollowsTheContract(t *testing.T) {
	judge, judged := contract(t), 0
	out := run(t, trial.Options{Seed: 40, Rides: 80, Faults: trial.AllFaults, Contract: func(path string, status int, body []byte) error {
		judged++
		return judge(path, status, body)
	}})
	require.Equal(t, out.Calls, judged)
	require.Greater(t, judged, 800)
	require.Error(t, judge(taxi.PathStatus, http.StatusOK, []byte(`{"status":"LOST"}`)))
	require.Error(t, judge(taxi.PathStatus, http.StatusNotFound, []byte(`{}`)))
}
