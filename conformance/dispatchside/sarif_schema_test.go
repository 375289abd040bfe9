package dispatchside_test

import (
	"bytes"
	"flag"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/journal"
	"github.com/cabrank/cabrank/conformance/report"
)

var sarifSchema = flag.String("sarif-schema", "", "a copy of the schema of SARIF 2.1.0")

// TestSARIFFitsItsSchema holds logs against testdata/sarif.schema.json, which has of SARIF
// 2.1.0 the objects that are written and allows nothing else in them, and against the
// whole schema of OASIS where -sarif-schema names a copy of it (it is not ours to hand on):
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json
func TestSARIFFitsItsSchema(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	files := []string{filepath.Join("testdata", "sarif.schema.json")}
	if *sarifSchema != "" {
		files = append(files, *sarifSchema)
	}
	stopped := conformance.NewRunFile(journal.ReportOn(&dispatchside.Suite, "https://dispatch.example/taxi", traffic()), "1.2.3")
	stopped.Interrupted = true
	known := conformance.NewRunFile(journal.ReportOn(&dispatchside.Suite, "https://dispatch.example/taxi", traffic()), "1.2.3")
	known.Checks[0].Known = &conformance.KnownFailure{ID: known.Checks[0].ID, Owner: "ann", Reason: "later"}
	known.Checks[0].Outcome = conformance.Fail
	logs := map[string]*conformance.RunFile{
		"traffic": conformance.NewRunFile(journal.ReportOn(&dispatchside.Suite, "https://dispatch.example/taxi", traffic()), "1.2.3"),
		"stopped": stopped, "known": known,
		"a run": conformance.NewRunFile(oneFault(t, "cancel says ok, stays live"), "1.2.3"),
	}
	for _, file := range files {
		c := jsonschema.NewCompiler()
		schema, err := c.Compile(file)
		require.NoError(t, err)
		for name, run := range logs {
			var b bytes.Buffer
			require.NoError(t, report.WriteSARIF(&b, run, "src/the server.js"))
			log, err := jsonschema.UnmarshalJSON(&b)
			require.NoError(t, err)
			require.NoError(t, schema.Validate(log), "%s against %s", name, file)
			log.(map[string]any)["runs"].([]any)[0].(map[string]any)["tool"] = map[string]any{}
			require.Error(t, schema.Validate(log), "a tool without a driver")
		}
	}
}
