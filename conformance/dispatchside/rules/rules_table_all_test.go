package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/own"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// ruleRows returns the rows of all families.
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

// TestRulesTableCoversTheCatalogue checks that every MUST and SHOULD check has a row for each of the three
// verdicts, or a reason in neverSaid.
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

// failedOnce returns a call that failed, the nth of a history, and the call that repeats it.
func failedOnce(n int, failed, again step) []step {
	again.again = n
	return []step{failed, again}
}

var (
	lateRead   = failedOnce(3, annReads.unanswered(), annReads)
	lateCancel = failedOnce(3, annCancels.unanswered(), annCancels.refused(409))
	lateBook   = failedOnce(2, annBooks.unanswered(), annBooks.but("j1", "j9"))
)

// manyLate returns a history of n reads, each of which is answered only when it is repeated.
func manyLate(n int) []step {
	calls := annBooked
	for range n {
		calls = then(calls, failedOnce(len(calls)+1, annReads.refused(500), annReads)...)
	}
	return calls
}

var flakyRows = []row{
	{"W-01@status", "one late answer", flaky, then(annBooked, lateRead...), "an answer each time"},
	{"W-01@status", "two late answers", flaky, manyLate(2), ""},
	{"W-01@status", "three late answers of six", fails, manyLate(3), ""},
	{"W-01@status", "late twice", fails, then(annBooked, failedOnce(3, annReads.unanswered(), annReads.unanswered())...), ""},
	{"STA-01", "one late answer", passes, then(annBooked, lateRead...), ""},
	{"JRN-02", "one late answer", passes, inProbe("minimum functionality", then([]step{annBooks}, append(failedOnce(2, annReads.unanswered(), annReads), annCancels, annSees("CANCELLED"))...)...), ""},
	{"CAN-01", "refused after one that got no answer", unverified, then(annBooked, lateCancel...), ""},
	{"W-01@cancel", "refused after one that got no answer", flaky, then(annBooked, lateCancel...), ""},
	{"USR-18", "booked again, as the first got no answer", unverified, then([]step{annLooks}, append(lateBook, annListed(journeyAt("j9", "WAITING"), journeyAt("j1", "WAITING")))...), ""},
	{"BOK-19", "booked again, as the first got no answer", unverified, then([]step{annLooks}, append(lateBook, annListed(journeyAt("j9", "WAITING"), journeyAt("j1", "WAITING")))...), ""},
	{"W-01@status", "late as the suite's machine stood still", passes, then(annBooked, failedOnce(3, annReads.unanswered().stalling(), annReads)...), ""},
	{"TIM-01", "ten calls during which the suite's machine stood still", unverified, then(annBooked, times(10, annReads.in("timing").lasting(60e9).stalling())...), ""},
}

// userData returns a /user call whose reply has settings of Ann's.
func userData(data string) step {
	return annLooks.but(`"name":"Ann",`, `"name":"Ann","data":`+data+`,`)
}

var slipRows = []row{
	{"STA-14", "passengerx", warns, then(annBooked, annSees("WAITING", aPassenger).but(`"passenger"`, `"passengerx"`)), "passenger"},
	{"STA-14", "passengers beside the passenger", passes, then(annBooked, annSees("WAITING", aPassenger, `"passengers":2`)), ""},
	{"STA-14", "passengerNames", unverified, then(annBooked, annSees("WAITING", `"passengerNames":["Ann"]`)), ""},
	{"STA-03", "dropOffs", warns, then(annBooked, annReads.but(`"dropoffs"`, `"dropOffs"`)), "dropoffs"},
	{"ENR-04", "Price", warns, then(annBooked, annSees("WAITING", aPrice).but(`"price"`, `"Price"`)), "price"},
	{"ENR-04", "prize", unverified, then(annBooked, annSees("WAITING", aPrice).but(`"price"`, `"prize"`)), ""},
	{"ENR-01", "eat", unverified, then(annBooked, annSees("WAITING", `"eat":1`)), ""},
	{"USR-07", "featuresx", warns, []step{userData(`{"featuresx":["voice"]}`)}, "features"},
	{"USR-07", "skip_drop_off", warns, []step{userData(`{"skip_drop_off":true}`)}, "skipDropOff"},
	{"USR-07", "ETA", warns, []step{userData(`{"options":["ETA"]}`)}, "eta"},
	{"USR-07", "vehicles", warns, []step{userData(`{"options":["vehicles"]}`)}, "vehicle"},
	{"USR-07", "an option of somebody's own", passes, []step{userData(`{"options":["wheelchair","eta"]}`)}, ""},
	{"USR-08", "activebookings", warns, []step{annLooks.but(`"activeBookings"`, `"activebookings"`)}, "activeBookings"},
	{"CFG-06", "options in other capitals", warns, []step{configAsked.gets(200, `{"status":"OK","data":{"Options":[],"features":[]}}`)}, "options"},
	{"STA-02", "a hyphen for the underscore", fails, then(annBooked, annSees("EN-ROUTE")), "EN_ROUTE"},
}

// TestOwnChecks judges a journey by checks of the user's own and compares their verdicts.
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
