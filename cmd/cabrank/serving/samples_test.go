package serving

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
)

// addressesIn are the addresses with their points anywhere in a document.
func addressesIn(t *testing.T, document []byte) []taxi.Address {
	t.Helper()
	var found []taxi.Address
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, member := range v {
				walk(member)
			}
		case map[string]any:
			text, err := json.Marshal(v)
			require.NoError(t, err)
			var a taxi.Address
			if json.Unmarshal(text, &a) == nil && a.Address != "" && a.Location != nil {
				found = append(found, a)
			}
			for _, member := range v {
				walk(member)
			}
		}
	}
	var tree any
	require.NoError(t, json.Unmarshal(document, &tree))
	walk(tree)
	return found
}

// TestExamplesNamePlacesOfTheTownServed: a tester pastes an example, and the taxi must not
// come to another street.
func TestExamplesNamePlacesOfTheTownServed(t *testing.T) {
	s := newShell(t)
	places := clitest.Decode[[]taxi.Address](t, s.OK("samples", "--places", "--json"))
	url, _ := s.Serve()
	require.JSONEq(t, s.OK("samples", "--places", "--json", "--url", url), s.OK("samples", "--places", "--json"))
	document, err := yaml.YAMLToJSON(taxi.OpenAPI())
	require.NoError(t, err)
	examples := addressesIn(t, document)
	require.Greater(t, len(examples), 15)
	for _, sample := range fixtures.Samples() {
		if sample.Kind == fixtures.Minimal || sample.Kind == fixtures.Rich {
			examples = append(examples, addressesIn(t, sample.Body)...)
		}
	}
	for _, a := range examples {
		require.Contains(t, places, taxi.Address{Address: a.Address, Location: a.Location})
	}
	for _, other := range fixtures.Places() { // of the open plane
		require.NotContains(t, string(taxi.OpenAPI()), other.Address.Address)
	}
}

// TestSamplesOfTheTownOfAServer prints bodies for a server with another town.
func TestSamplesOfTheTownOfAServer(t *testing.T) {
	s := newShell(t)
	s.Write("own.geojson", ownMap)
	url, _ := s.Serve("--town", "own.geojson")
	places := clitest.Decode[[]taxi.Address](t, s.OK("samples", "--places", "--json", "--url", url))
	for _, a := range addressesIn(t, []byte(s.OK("samples", "book", "rich", "--url", url))) {
		require.Contains(t, places, a)
	}
	require.Contains(t, s.Fails(cli.ExitUnreachable, "samples", "book", "rich", "--url", url+"/nowhere"), "has no places")
}

func TestOneListAtATime(t *testing.T) {
	s := newShell(t)
	require.Contains(t, s.Fails(cli.ExitUsage, "samples", "--people", "--places"), "--people and --places do not go together")
	require.Contains(t, s.Fails(cli.ExitUsage, "samples", "book", "--people"), "--people and book do not go together")
	require.Contains(t, s.Fails(cli.ExitUsage, "samples", "--places", "--kind", "odd"), "--places and --kind do not go together")
}

// TestPeopleArePrintedInColumns expects names, which have any width, in the last column.
func TestPeopleArePrintedInColumns(t *testing.T) {
	row := regexp.MustCompile(`^\d{12}  [a-z-]{4,13} *  .{64}  \S`)
	lines := strings.Split(strings.TrimSpace(newShell(t).OK("samples", "--people")), "\n")
	require.Len(t, lines, len(fixtures.People()))
	for i, line := range lines {
		require.Regexp(t, row, line)
		require.True(t, strings.HasSuffix(line, "  "+fixtures.People()[i].Name), line)
	}
	require.Contains(t, lines[0], calling.DemoCaller)
}
