package own_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance/dispatchside/own"
)

// TestWrongOwnChecksAreRefused checks that the error about a wrong file of own checks says where the file is wrong.
func TestWrongOwnChecksAreRefused(t *testing.T) {
	t.Parallel()
	entry := func(rest string) string { return `{"checks":[{"member":"journeyId","level":"fail",` + rest + `}]}` }
	for text, says := range map[string]string{
		`[]`:                           `want "{"`,
		`{`:                            "EOF",
		`{"checks":[]}`:                "/checks: want at least one check",
		`{"cheques":[]}`:               "/cheques: want the member checks",
		`{"checks":null,"checks":[]}`:  "/checks: want the member checks, once",
		`{"checks":[7]}`:               "/checks/0: want",
		entry(`"pattern":"x"`) + `{}`:  "there is text after the object",
		entry(`"patern":"x"`):          "/checks/0/patern: unknown or repeated member",
		entry(`"level":"fail"`):        "/checks/0/level: unknown or repeated member",
		entry(`"pattern":1`):           "/checks/0/pattern: ",
		entry(`"pattern":"("`):         "/checks/0/pattern: error parsing regexp",
		entry(`"pattern":"a)|(?:b"`):   "/checks/0/pattern: error parsing regexp",
		entry(`"id":"BOK-99"`):         "/checks/0/id: want",
		entry(`"id":"docket"`):         "/checks/0/id: want",
		entry(`"says":"x"`):            "/checks/0: want one of pattern",
		entry(`"pattern":"x","min":1`): "/checks/0: want one of pattern",
		entry(`"oneOf":[]`):            "/checks/0/oneOf: want",
		entry(`"callingCodes":["+4"]`): "/checks/0/callingCodes/0: want digits",
		entry(`"callingCodes":[]`):     "/checks/0/callingCodes: want",
		entry(`"min":2,"max":1`):       "/checks/0/min: it is more than max",
		`{"checks":[{"member":"/a","level":"fail","pattern":"x"}]}`:     "/checks/0/member: want",
		`{"checks":[{"member":"a","level":"must","pattern":"x"}]}`:      "/checks/0/level: want warning or fail",
		`{"checks":[` + strings.Repeat(entryOf("AB-01")+",", 2) + `7]}`: "/checks/1/id: AB-01 is used twice",
		`{"checks":[{"says":"` + strings.Repeat("x", 70<<10) + `"}]}`:   "/checks/0",
		`{"checks":[` + strings.Repeat(entryOf("")+",", 101) + `7]}`:    "/checks: want at most 100",
	} {
		all, err := own.Read(strings.NewReader(text))
		require.ErrorContains(t, err, says, text[:min(len(text), 200)])
		require.Empty(t, all)
	}
}

// entryOf is a right entry with an id; "": without.
func entryOf(id string) string {
	if id != "" {
		id = `"id":"` + id + `",`
	}
	return `{` + id + `"member":"journeyId","level":"fail","pattern":"x"}`
}

// FuzzRead checks that Read returns either an error or checks with distinct ids.
func FuzzRead(f *testing.F) {
	f.Add(`{"checks":[` + entryOf("HC-01") + `,{"member":"price.value","level":"warning","min":1,"max":2}]}`)
	f.Add(`{"checks":[{"member":"a","level":"fail","callingCodes":["44"]}]}{}`)
	f.Add(`{"checks":[{"member":"a","level":"fail","oneOf":["a"],"oneOf":[]}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		all, err := own.Read(strings.NewReader(text))
		require.Equal(t, err == nil, len(all) > 0)
		ids := map[string]bool{}
		for _, o := range all {
			require.False(t, ids[o.Check().ID])
			ids[o.Check().ID] = true
		}
	})
}
