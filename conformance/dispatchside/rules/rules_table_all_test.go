package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// ruleRows are the rows of all families.
func ruleRows() []row {
	return slices.Concat(
		wireRows(), configRows, userRows, bookRows, editRows, cancelRows, statusRows, enrichmentRows,
		journeyRows, badRows(), raceRows(), timingRows, securityRows, dateRows, toldBackRows, forDadRows, slipRows, flakyRows, customerRows,
		moneyRows, etaRows, peopleRows, lenientRows, serialRows,
	)
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

// neverSaid are the verdicts that a MUST or SHOULD check cannot give, and why.
var neverSaid = map[string]string{
	"W-02 fail":   "another 2xx than 200 is legal (A1): a warning",
	"STA-03 fail": "partial responses are accepted (A2): a warning",
}

// TestRulesTableCoversTheCatalogue asks for a row of each MUST and SHOULD check for
// each of the three verdicts, and for a reason where there is none.
func TestRulesTableCoversTheCatalogue(t *testing.T) {
	t.Parallel()
	has, named := map[string]bool{}, map[string]bool{}
	for _, r := range ruleRows() {
		id, _, _ := strings.Cut(r.check, "@")
		_, known := dispatchside.Suite.Lookup(id)
		require.True(t, known, "%s is no check", id)
		has[id+" "+string(r.want)] = true
		require.False(t, named[r.check+" "+r.name], "two rows are %s %s", r.check, r.name)
		named[r.check+" "+r.name] = true
	}
	for _, c := range rules.Catalogue() {
		if c.Level != conformance.Must && c.Level != conformance.Should {
			continue
		}
		for _, want := range []conformance.Outcome{passes, fails, unverified} {
			verdict := c.ID + " " + string(want)
			require.NotEqual(t, has[verdict], neverSaid[verdict] != "", "%s: want a row, or a reason in neverSaid", verdict)
		}
	}
}
