package rules_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/own"
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
		all, err := own.Read(strings.NewReader(`{"checks":[{` + row.rule + `}]}`))
		require.NoError(t, err, row.name)
		var history []conformance.Exchange
		for i, s := range then(annBooked, comes) {
			history = append(history, s.exchange(i+1))
			history[i].Read()
		}
		suite := dispatchside.SuiteWith(all)
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
