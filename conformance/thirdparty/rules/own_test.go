package rules_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/thirdparty"
	"github.com/cabrank/cabrank/conformance/thirdparty/rules"
)

// TestOwnChecks judges Ann's journey by checks of a firm's own.
func TestOwnChecks(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, rule string
		want       conformance.Outcome
	}{
		{"an id that fits", `"member":"journeyId","level":"fail","pattern":"j[0-9]"`, passes},
		{"an id that fits in part", `"member":"journeyId","level":"fail","pattern":"[0-9]"`, fails},
		{"a warning", `"member":"journeyId","level":"warning","pattern":"HC[0-9]{6}"`, warns},
		{"one of the currencies", `"member":"price.currency","level":"fail","oneOf":["EUR","GBP"]`, passes},
		{"none of the currencies", `"member":"price.currency","level":"fail","oneOf":["EUR"]`, fails},
		{"a driver of the region", `"member":"driver.phoneNumber","level":"fail","callingCodes":["49","44"]`, passes},
		{"a driver of another region", `"member":"driver.phoneNumber","level":"fail","callingCodes":["49"]`, fails},
		{"a fare within bounds", `"member":"price.value","level":"fail","min":3,"max":12.5`, passes},
		{"a fare beyond", `"member":"price.value","level":"fail","max":12`, fails},
		{"a fare below", `"member":"price.value","level":"warning","min":13`, warns},
		{"a text for a number", `"member":"price.currency","level":"fail","min":1`, fails},
		{"an end user's id", `"member":"userId","level":"fail","pattern":"x"`, fails},
		{"a member that nobody shows", `"member":"data.reference","level":"fail","pattern":"x"`, unverified},
	} {
		own, err := rules.ReadOwn(strings.NewReader(`{"checks":[{` + row.rule + `}]}`))
		require.NoError(t, err, row.name)
		var history []conformance.Exchange
		for i, s := range then(annBooked, comes) {
			history = append(history, s.exchange(i+1))
			history[i].Read()
		}
		suite := thirdparty.SuiteWith(own)
		results := suite.Verdicts(history)
		last := results[len(results)-1]
		require.Equal(t, "OWN-01", last.ID)
		require.Equal(t, row.want, last.Outcome, row.name)
		for i := range history { // what is odd on purpose may be answered with what was sent
			history[i].Sound = false
		}
		require.Equal(t, unverified, suite.Verdicts(history)[len(results)-1].Outcome, row.name)
	}
}

// TestWrongOwnChecksAreRefused says where a file is wrong.
func TestWrongOwnChecksAreRefused(t *testing.T) {
	t.Parallel()
	entry := func(rest string) string { return `{"checks":[{"member":"journeyId","level":"fail",` + rest + `}]}` }
	for text, says := range map[string]string{
		`[]`:                           `want "{"`,
		`{`:                            "EOF",
		`{"checks":[]}`:                "/checks: want one check at least",
		`{"cheques":[]}`:               "/cheques: want the member checks",
		`{"checks":null,"checks":[]}`:  "/checks: want the member checks, once",
		`{"checks":[7]}`:               "/checks/0: want",
		entry(`"pattern":"x"`) + `{}`:  "something follows the object",
		entry(`"patern":"x"`):          "/checks/0/patern: it is unknown",
		entry(`"level":"fail"`):        "/checks/0/level: it is unknown, or there twice",
		entry(`"pattern":1`):           "/checks/0/pattern: ",
		entry(`"pattern":"("`):         "/checks/0/pattern: error parsing regexp",
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
		`{"checks":[` + strings.Repeat(entryOf("AB-01")+",", 2) + `7]}`: "/checks/1/id: AB-01 is there already",
		`{"checks":[{"says":"` + strings.Repeat("x", 70<<10) + `"}]}`:   "/checks/0",
		`{"checks":[` + strings.Repeat(entryOf("")+",", 101) + `7]}`:    "/checks: want at most 100",
	} {
		own, err := rules.ReadOwn(strings.NewReader(text))
		require.ErrorContains(t, err, says, text[:min(len(text), 200)])
		require.Empty(t, own)
	}
}

// entryOf is a right entry with an id; "": without.
func entryOf(id string) string {
	if id != "" {
		id = `"id":"` + id + `",`
	}
	return `{` + id + `"member":"journeyId","level":"fail","pattern":"x"}`
}

// FuzzReadOwn reads whatever is taken for a file of own checks.
func FuzzReadOwn(f *testing.F) {
	f.Add(`{"checks":[` + entryOf("HC-01") + `,{"member":"price.value","level":"warning","min":1,"max":2}]}`)
	f.Add(`{"checks":[{"member":"a","level":"fail","callingCodes":["44"]}]}{}`)
	f.Add(`{"checks":[{"member":"a","level":"fail","oneOf":["a"],"oneOf":[]}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		own, err := rules.ReadOwn(strings.NewReader(text))
		require.Equal(t, err == nil, len(own) > 0)
		ids := map[string]bool{}
		for _, o := range own {
			require.False(t, ids[o.Check().ID])
			ids[o.Check().ID] = true
		}
	})
}
