package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/cabrank/cabrank/"

// mayImport says which packages of ours each package may import, besides those
// that are its own: every folder has a row.
var mayImport = map[string][]string{
	"dispatch/taxi":                 {},
	"dispatch/inbound":              {},
	"dispatch/memo":                 {},
	"dispatch/outbound":             {},
	"store":                         {"dispatch/taxi", "store/postgresdb", "store/sqlitedb"},
	"store/sqlitedb":                {},
	"store/leases":                  {"store/postgresdb"},
	"store/postgresdb":              {},
	"store/postgresdb/postgrestest": {},
	"fixtures":                      {"dispatch/taxi"},
	"dispatch":                      {"dispatch/inbound", "dispatch/memo", "dispatch/taxi", "store"},
	"simulator":                     {"dispatch", "dispatch/taxi", "store", "fixtures", "simulator/assign", "simulator/chance", "simulator/crew", "simulator/demand", "simulator/fare", "simulator/lags", "simulator/road", "simulator/town"},
	"simulator/assign":              {"simulator/road"},
	"simulator/chance":              {},
	"simulator/crew":                {"dispatch/taxi", "fixtures"},
	"simulator/demand":              {"dispatch/taxi", "fixtures", "simulator/chance", "simulator/road", "simulator/town"},
	"simulator/lags":                {},
	"simulator/road":                {"dispatch/taxi", "simulator/chance", "simulator/town"},
	"simulator/fare":                {"dispatch/taxi", "store"},
	"simulator/town":                {"dispatch/taxi"},
	"simulator/town/osm":            {"dispatch/taxi", "simulator/town"},
	"simulator/host":                {"dispatch", "dispatch/taxi", "store", "fixtures", "simulator", "simulator/assign", "simulator/demand", "simulator/town", "simulator/town/osm", "simulator/vary"},
	"simulator/vary":                {"dispatch/taxi", "dispatch/memo"},
	"simulator/fault":               {"dispatch", "dispatch/inbound", "dispatch/memo", "dispatch/taxi", "simulator", "simulator/host"},
	"simulator/control":             {"dispatch", "dispatch/inbound", "dispatch/taxi", "store", "fixtures", "simulator", "simulator/control/metrics", "simulator/control/tokens", "simulator/fault", "simulator/host", "simulator/town", "simulator/vary", "simulator/worlds"},
	"simulator/control/metrics":     {"dispatch/taxi", "simulator", "simulator/fault", "simulator/host", "store"},
	"simulator/control/tokens":      {},
	"simulator/worlds":              {"simulator/host", "store"},
	"simulator/replica":             {"dispatch/inbound", "dispatch/outbound", "dispatch/taxi", "simulator/worlds", "store", "store/leases"},
	"simulator/control/journals":    {"conformance/callingside", "conformance/dispatchside", "conformance/journal/live", "conformance/journal/live/query", "simulator/control", "simulator/control/metrics", "store"},
	"simulator/control/client": {
		"conformance/journal/live", "conformance/journal/live/query", "dispatch/outbound", "dispatch/taxi", "simulator/control", "simulator/fault",
	},
	"simulator/platform": {
		"dispatch/inbound", "dispatch/taxi", "fixtures", "simulator/platform/access", "simulator/platform/api", "simulator/platform/booking",
		"simulator/platform/booking/operations", "simulator/platform/calls", "simulator/platform/hooks", "simulator/platform/phones",
		"simulator/platform/records", "simulator/platform/rest", "simulator/platform/simapi", "simulator/platform/sip", "simulator/platform/speech", "simulator/platform/voice", "simulator/platform/voice/soundline",
	},
	"simulator/platform/rest": {
		"dispatch/inbound", "simulator/platform/access", "simulator/platform/api", "simulator/platform/calls", "simulator/platform/records", "simulator/platform/voice",
	},
	"simulator/platform/simapi": {
		"dispatch/taxi", "simulator/platform/access", "simulator/platform/api", "simulator/platform/booking", "simulator/platform/booking/chat",
		"simulator/platform/booking/operations", "simulator/platform/booking/robot", "simulator/platform/booking/spoken", "simulator/platform/calls",
		"simulator/platform/hooks", "simulator/platform/phones", "simulator/platform/records", "simulator/platform/rest", "simulator/platform/sip",
		"simulator/platform/speech", "simulator/platform/voice", "simulator/platform/voice/simline",
		"simulator/platform/voice/soundline", "simulator/platform/voice/webline",
	},
	"simulator/platform/platformtest": {"simulator/platform", "simulator/platform/records", "simulator/platform/simapi", "simulator/platform/voice"},
	"simulator/platform/access":       {"dispatch/inbound", "simulator/platform/api"},
	"simulator/platform/api":          {"dispatch/inbound"},
	"simulator/platform/api/openapi":  {},
	"simulator/platform/calls": {
		"simulator/platform/access", "simulator/platform/api", "simulator/platform/hooks", "simulator/platform/phones",
		"simulator/platform/records", "simulator/platform/voice",
	},
	"simulator/platform/booking": {
		"dispatch/taxi", "simulator/platform/booking/grammar", "simulator/platform/booking/grammar/lex", "simulator/platform/booking/keypad", "simulator/platform/booking/spoken",
		"simulator/platform/booking/operations", "simulator/platform/voice",
	},
	"simulator/platform/booking/keypad":     {"simulator/platform/booking/grammar/times", "simulator/platform/booking/spoken"},
	"simulator/platform/booking/operations": {"dispatch/outbound", "dispatch/taxi"},
	"simulator/platform/booking/robot":      {"dispatch/taxi", "simulator/platform/booking", "simulator/platform/booking/spoken"},
	"simulator/platform/booking/chat": {
		"dispatch/taxi", "simulator/platform/booking", "simulator/platform/booking/spoken", "simulator/platform/booking/operations",
		"simulator/platform/voice",
	},
	"simulator/platform/booking/spoken": {"dispatch/taxi"},
	"simulator/platform/booking/grammar": {
		"simulator/platform/booking/grammar/lex", "simulator/platform/booking/grammar/people", "simulator/platform/booking/grammar/times", "simulator/platform/booking/spoken",
	},
	"simulator/platform/booking/grammar/lex":    {},
	"simulator/platform/booking/grammar/people": {"simulator/platform/booking/grammar/lex", "simulator/platform/booking/grammar/times"},
	"simulator/platform/booking/grammar/times":  {"simulator/platform/booking/grammar/lex", "simulator/platform/booking/spoken"},
	"simulator/platform/hooks":                  {"dispatch/outbound", "simulator/platform/access", "simulator/platform/api", "simulator/platform/records", "simulator/platform/voice"},
	"simulator/platform/phones":                 {"simulator/platform/voice", "simulator/platform/voice/simline"},
	"simulator/platform/records":                {"simulator/platform/access", "simulator/platform/api", "store/sqlitedb"},
	"simulator/platform/voice":                  {"simulator/platform/api"},
	"simulator/platform/voice/simline":          {"dispatch/inbound", "simulator/platform/voice"},
	"simulator/platform/sip":                    {"simulator/platform/voice", "simulator/platform/voice/soundline"},
	"simulator/platform/voice/soundline":        {"simulator/platform/speech", "simulator/platform/voice"},
	"simulator/platform/speech":                 {"simulator/platform/voice"},
	"simulator/platform/voice/webline":          {"dispatch/inbound", "simulator/platform/voice", "simulator/platform/voice/soundline"},
	"conformance":                               {"conformance/jsonvalue"},
	"conformance/jsonvalue":                     {},
	"conformance/hostile":                       {},
	"conformance/redact":                        {"conformance", "conformance/jsonvalue"},
	"conformance/report":                        {"conformance", "conformance/jsonvalue", "conformance/redact", "conformance/report/har"},
	"conformance/report/har":                    {"conformance", "conformance/jsonvalue"},
	"conformance/client":                        {"conformance", "conformance/jsonvalue", "conformance/redact", "dispatch/outbound"},
	"conformance/journal":                       {"conformance", "conformance/redact"},
	"conformance/journal/live":                  {"conformance", "conformance/journal", "conformance/jsonvalue", "conformance/redact", "dispatch/inbound", "dispatch/outbound", "dispatch/taxi"},
	"conformance/journal/live/query": {
		"conformance", "conformance/journal/live", "conformance/jsonvalue", "conformance/redact", "conformance/report", "conformance/report/har", "dispatch/inbound", "dispatch/taxi",
	},
	"conformance/matrix": {"conformance"},
	"conformance/dispatchside": {
		"conformance", "conformance/jsonvalue", "conformance/redact", "conformance/report", "conformance/client",
		"conformance/dispatchside/own", "conformance/dispatchside/rules", "conformance/dispatchside/rules/tracking", "conformance/dispatchside/transcript", "dispatch/outbound", "dispatch/taxi",
	},
	"conformance/dispatchside/transcript": {"conformance", "conformance/dispatchside/rules", "conformance/jsonvalue", "dispatch/taxi"},
	"conformance/dispatchside/own":        {"conformance", "conformance/jsonvalue", "conformance/dispatchside/rules"},
	"conformance/dispatchside/rules":      {"conformance", "conformance/jsonvalue", "dispatch/taxi"},
	"conformance/dispatchside/rules/tracking": {
		"conformance", "conformance/jsonvalue", "conformance/dispatchside/rules", "dispatch/taxi",
	},
	"conformance/dispatchside/dispatchsidetest": {"conformance", "conformance/matrix", "conformance/dispatchside"},
	"conformance/platformapi": {
		"conformance", "conformance/jsonvalue", "conformance/client", "conformance/platformapi/rules",
	},
	"conformance/platformapi/rules": {"conformance", "conformance/jsonvalue"},
	"conformance/callingside": {
		"conformance", "conformance/jsonvalue", "conformance/redact", "conformance/client", "conformance/callingside/rules", "dispatch/taxi",
	},
	"conformance/callingside/rules": {"conformance", "conformance/jsonvalue", "dispatch/taxi"},
	"conformance/callingside/mutants": {
		"conformance", "conformance/jsonvalue", "conformance/callingside", "conformance/callingside/rules", "dispatch/taxi",
	},

	"dispatch/dispatchtest": {
		"dispatch", "dispatch/taxi", "store", "fixtures", "simulator", "simulator/fault", "simulator/host", "simulator/vary",
		"simulator/control", "simulator/control/client", "simulator/control/journals", "simulator/worlds", "conformance", "conformance/journal/live", "conformance/journal/live/query", // as serve
	},
	"cmd/cabrank":                  anything,
	"cmd/cabrank/cli":              {"cmd/cabrank/notices", "conformance/jsonvalue", "dispatch/taxi"},
	"cmd/cabrank/notices":          {},
	"cmd/cabrank/notices/generate": {},
	"cmd/cabrank/clitest":          {"cmd/cabrank/cli"},
	"cmd/cabrank/clitest/golden":   {},
	"cmd/cabrank/clitest/ledger":   {},
	"cmd/cabrank/calling":          {"cmd/cabrank/cli", "dispatch/outbound", "dispatch/taxi", "fixtures", "simulator/town"},
	"cmd/cabrank/controlling": {
		"cmd/cabrank/calling", "cmd/cabrank/cli", "dispatch/inbound", "dispatch/taxi", "simulator", "simulator/control", "simulator/control/client", "simulator/control/tokens", "simulator/fault", "simulator/host",
		"conformance/callingside", "conformance/journal/live", "conformance/journal/live/query", "conformance/dispatchside", // what the journal is asked about
	},
	"cmd/cabrank/console/browsertest": {},
	"cmd/cabrank/judging":             anything,
	"cmd/cabrank/phoning": {
		"cmd/cabrank/calling", "cmd/cabrank/cli", "conformance/client", "dispatch/inbound", "dispatch/outbound", "dispatch/taxi", "simulator/platform", "simulator/platform/access", "simulator/platform/api",
		"simulator/platform/calls", "simulator/platform/hooks", "simulator/platform/phones", "simulator/platform/records", "simulator/platform/rest",
		"simulator/platform/simapi", "simulator/platform/speech", "simulator/platform/voice", "simulator/platform/booking", "simulator/platform/booking/chat",
	},
	"cmd/cabrank/quickstart": {},
	"cmd/cabrank/console": {
		"conformance", "conformance/report", "conformance/dispatchside", // what it checks with
		"dispatch/inbound", "dispatch/outbound", "dispatch/taxi",
	},
	"cmd/cabrank/room":    {"cmd/cabrank/cli", "cmd/cabrank/console", "dispatch/inbound", "dispatch/taxi"},
	"cmd/cabrank/serving": anything,
}

// anything is the row of a package that may import all others, as far as Go lets
// it.
var anything = []string{"*"}

// onlyIn says where a library's packages may be imported.
var onlyIn = map[string][]string{
	"github.com/gin-gonic/gin":        {"dispatch", "simulator/platform", "simulator/platform/rest", "simulator/platform/simapi"},
	"database/sql":                    {"store", "store/sqlitedb", "simulator/platform/records"},
	"github.com/jackc/pgx/v5":         {"store", "store/leases", "store/postgresdb", "store/postgresdb/postgrestest"},
	"github.com/nyaruka/phonenumbers": {"dispatch", "simulator/platform/api"},
	"github.com/robfig/cron/v3":       {"simulator", "simulator/crew"},
	"github.com/coder/websocket":      {"simulator/platform/voice/webline"},
	"github.com/spf13/cobra":          {"cmd/cabrank", "cmd/cabrank/cli", "cmd/cabrank/calling", "cmd/cabrank/controlling", "cmd/cabrank/judging", "cmd/cabrank/phoning", "cmd/cabrank/serving"},
	"github.com/emiago/sipgo":         {"simulator/platform/sip"},
	"github.com/prometheus":           {"simulator/control", "simulator/control/metrics", "simulator/replica"},
	"github.com/goccy/go-yaml":        {"cmd/cabrank/clitest/golden", "simulator/platform/api/openapi"},
	"rsc.io/qr":                       {"cmd/cabrank/room"},
	"github.com/zaf/g711":             {"simulator/platform/voice", "simulator/platform/sip"},
	"github.com/pion/rtp":             {"simulator/platform/sip"},
	"github.com/stretchr/testify":     {"cmd/cabrank/clitest", "cmd/cabrank/clitest/golden", "cmd/cabrank/clitest/ledger", "store/postgresdb/postgrestest"},
	"testing":                         {"dispatch/dispatchtest", "simulator/platform/platformtest", "cmd/cabrank/clitest", "cmd/cabrank/clitest/golden", "cmd/cabrank/clitest/ledger", "conformance/matrix", "store/postgresdb/postgrestest"},
}

// TestPackagesImportOnlyAllowedPackages compares the imports of every file with mayImport and onlyIn; a row with a
// package that its folder does not import is out of date. The files are read here rather than by the go command, so
// that the test cache notices their changes.
func TestPackagesImportOnlyAllowedPackages(t *testing.T) {
	imported := map[string][]string{}
	eachFile(t, func(path, dir string) { imported[dir] = append(imported[dir], checkImports(t, path, dir)...) })
	for dir, allowed := range mayImport {
		if !slices.Equal(allowed, anything) {
			require.Subset(t, imported[dir], allowed, "the row of %s", dir)
		}
	}
}

// makesClients are the folders that make HTTP clients without dispatch/outbound, or a transport
// for a client of it.
var makesClients = []string{
	"dispatch/outbound",
	"dispatch/taxi",         // it imports nothing of ours, and follows nobody
	"dispatch/dispatchtest", // it calls its own server, by pipes
	"cmd/cabrank/clitest",   // it calls what a test has started
	// They are judged, and do not judge.
	"conformance/dispatchside/dispatchsidetest", "conformance/callingside/mutants", "conformance/matrix",
}

// clientMakers are the names of net/http that make calls as its default client does: it follows
// redirects, takes headers of 10 MB and asks the proxies of the environment.
var clientMakers = []string{"Client", "Transport", "DefaultClient", "DefaultTransport", "Get", "Head", "Post", "PostForm"}

// TestClientsComeFromOneConstructor checks that only the packages in makesClients make HTTP clients or transports by
// themselves, so that all others get the limits of dispatch/outbound.
func TestClientsComeFromOneConstructor(t *testing.T) {
	made := map[string]bool{}
	eachFile(t, func(path, dir string) {
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for name := range clientsMade(parsed) {
			made[dir] = true
			require.Contains(t, makesClients, dir, "%s uses http.%s: dispatch/outbound makes clients", path, name)
		}
	})
	for _, dir := range makesClients {
		require.True(t, made[dir], "%s makes no client", dir)
	}
}

// clientsMade returns the names of net/http that a file makes clients with. A type that is only
// named, as that of a field, is none.
func clientsMade(file *ast.File) map[string]bool {
	made := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if name := ofHTTP(n.Type); slices.Contains(clientMakers[:2], name) {
				made[name] = true
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "new" && slices.Contains(clientMakers[:2], ofHTTP(n.Args[0])) {
				made[ofHTTP(n.Args[0])] = true
			}
		case *ast.ValueSpec:
			if name := ofHTTP(n.Type); slices.Contains(clientMakers[:2], name) {
				made[name] = true
			}
		case *ast.SelectorExpr:
			if name := ofHTTP(n); slices.Contains(clientMakers[2:], name) {
				made[name] = true
			}
		}
		return true
	})
	return made
}

// ofHTTP returns the name that an expression takes from net/http; "": it takes none.
func ofHTTP(e ast.Expr) string {
	selector, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if from, ok := selector.X.(*ast.Ident); !ok || from.Name != "http" {
		return ""
	}
	return selector.Sel.Name
}

// eachFile calls do with every Go file of the house that is no test, and with its folder.
func eachFile(t *testing.T, do func(path, dir string)) {
	t.Helper()
	root, files := filepath.Join("..", ".."), 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && path != root) {
			return filepath.SkipDir
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		files++
		rel, err := filepath.Rel(root, filepath.Dir(path))
		require.NoError(t, err)
		do(path, filepath.ToSlash(rel))
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, files, 50)
}

// checkImports returns the packages of ours that a file imports, all of which it may.
func checkImports(t *testing.T, path, dir string) (all []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	require.NoError(t, err)
	allowed, ok := mayImport[dir]
	require.True(t, ok, "%s has no row in mayImport", dir)
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		require.NoError(t, err)
		if ours, ok := strings.CutPrefix(imported, module); ok {
			all = append(all, ours)
			require.True(t, slices.Equal(allowed, anything) || slices.Contains(allowed, ours), "%s imports %s", path, ours)
		}
		for library, folders := range onlyIn {
			if imported == library || strings.HasPrefix(imported, library+"/") {
				require.Contains(t, folders, dir, "%s imports %s", path, imported)
			}
		}
	}
	return all
}
