package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/platformapi"
	"github.com/cabrank/cabrank/conformance/platformapi/rules"
)

// ruleRows are the rows of all families.
func ruleRows() []row {
	return slices.Concat(tokenRows, wireRows, accountRows, kindRows(), deviceRows, voiceRows)
}

// TestRulesTable judges each row's history and compares the verdict on its check.
func TestRulesTable(t *testing.T) {
	t.Parallel()
	for _, r := range ruleRows() {
		t.Run(r.check+" "+r.name, func(t *testing.T) {
			found := r.judged()
			require.Len(t, found, 1, "one check, on one operation")
			require.Equal(t, r.want, found[0].Outcome, "%+v", found[0].Findings)
			if r.at != "" {
				require.True(t, shows(found[0], r.at), "no finding shows %q: %+v", r.at, found[0].Findings)
			}
		})
	}
}

// TestRulesTableCoversTheCatalogue asks for a row of each MUST, SHOULD and robustness
// check for each of the three verdicts, and for one of what is observed.
func TestRulesTableCoversTheCatalogue(t *testing.T) {
	t.Parallel()
	has, named := map[string]bool{}, map[string]bool{}
	for _, r := range ruleRows() {
		id, _, _ := strings.Cut(r.check, "@")
		_, known := platformapi.Suite.Lookup(id)
		require.True(t, known, "%s is no check", id)
		has[id+" "+string(r.want)] = true
		require.False(t, named[r.check+" "+r.name], "two rows are %s %s", r.check, r.name)
		named[r.check+" "+r.name] = true
	}
	for _, c := range rules.Catalogue() {
		wanted := []conformance.Outcome{passes, fails, unverified}
		if c.Level == conformance.Observed {
			wanted = []conformance.Outcome{observed}
		}
		for _, want := range wanted {
			require.True(t, has[c.ID+" "+string(want)], "%s %s: want a row", c.ID, want)
		}
	}
}
