package rules_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// The verdicts of rows.
const (
	pass    = conformance.Pass
	fail    = conformance.Fail
	warn    = conformance.Warn
	unclear = conformance.NotVerified
)

// act is one customer request of a row: what it was asked for, JSON, the calls that it
// made, and what the platform told of it, JSON; "": nothing.
type act struct {
	task, answer string
	calls        []*conformance.Exchange
}

// verdictOn judges some requests and returns the worst that is found of a check.
func verdictOn(t *testing.T, id string, acts ...act) conformance.Outcome {
	t.Helper()
	var history []*conformance.Exchange
	var told []conformance.Observation
	note := func(probe conformance.ProbeName, kind conformance.ObservationKind, text string) {
		require.True(t, json.Valid([]byte(text)), text)
		told = append(told, conformance.Observation{ID: len(told) + 1, Probe: probe, Kind: kind, Text: text})
	}
	for i, a := range acts {
		probe := rules.SceneRequest("a row", i+1, len(acts))
		note(probe, rules.KindTask, strings.Replace(a.task, "{", `{"caller":"442079460020","from":"442079460020","channel":"voice","checks":["`+id+`"],`, 1))
		for _, x := range a.calls {
			own := *x
			own.ID, own.Probe = len(history)+1, probe
			history = append(history, &own)
		}
		if a.answer != "" {
			note(probe, rules.KindAnswer, a.answer)
		}
	}
	rank, worst := []conformance.Outcome{"", unclear, pass, warn, fail}, conformance.Outcome("")
	for _, f := range rules.Judge(history, told) {
		if f.Check == id && slices.Index(rank, f.Outcome) > slices.Index(rank, worst) {
			worst = f.Outcome
		}
	}
	return worst
}

// after is a call whose answer was special.
func after(intent conformance.Intent, x *conformance.Exchange) *conformance.Exchange {
	x.Intent = intent
	return x
}

const (
	jada = `{"journeyId":"JADA","status":"WAITING","date":"2026-11-29T10:00:00Z","pickup":{"address":"1 Row"},"dropoffs":[{"address":"2 Row"},{"address":"3 Row"}],` +
		`"passenger":{"name":"Oskar","phoneNumber":"+442079460987"}}`
	edit    = `{"want":"edit","journeyId":"JADA","pickup":{"address":"9 Row","location":{"longitude":-1.5,"latitude":53.8}}}`
	edited  = `{"journeyId":"JADA","userId":"user-ada","name":"Oskar","phoneNumber":"+442079460987","pickup":{"address":"9 Row"},"dropoffs":[{"address":"2 Row"},{"address":"3 Row"}],"pickupTime":"2026-11-29T11:00:00+01:00"}`
	twoOfUs = `{"userId":"user-ada","phoneNumber":"442079460020","name":"Ada","activeBookings":[{"journeyId":"JONE","status":"WAITING"},{"journeyId":"JADA","status":"WAITING"}]}`
	nobody  = `{"userId":"user-ada","phoneNumber":"442079460020","name":"Ada","activeBookings":[]}`
)

// TestTableOfWhatIsAskedFor has for each check rows that pass, fail and are unclear.
func TestTableOfWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	status := told(1, "status", `{"userId":"user-ada","journeyId":"JADA"}`, 200, jada)
	editing := func(from, to string) []act {
		return []act{{task: edit, calls: []*conformance.Exchange{status, told(2, "book", strings.Replace(edited, from, to, 1), 200, jada)}}}
	}
	unread := []act{{task: edit, calls: []*conformance.Exchange{told(2, "book", edited, 200, jada)}}}
	booking := func(task, from, to string) []act {
		return []act{{task: task, calls: []*conformance.Exchange{told(1, "user", ada, 200, nobody), told(2, "book", strings.Replace(adaBooks, from, to, 1), 200, waiting)}}}
	}
	naming := func(op, id string) []act {
		return []act{{task: `{"want":"` + op + `","journeyId":"JADA"}`, calls: []*conformance.Exchange{
			told(1, "user", ada, 200, twoOfUs), told(2, op, `{"userId":"user-ada","journeyId":"`+id+`"}`, 200, `{"journeyId":"`+id+`","status":"CANCELLED"}`),
		}}}
	}
	typed := func(said string) []act {
		x := told(1, "user", ada, 200, nobody)
		x.Request.Header = map[string][]string{"Content-Type": {said}}
		return []act{{task: `{"want":"book"}`, calls: []*conformance.Exchange{x}}}
	}
	press := func(legs string) act {
		return act{task: `{"want":"comingNow","journeyId":"JADA"}`, calls: []*conformance.Exchange{status}, answer: legs}
	}
	const leg, noLeg, legUnknown = `{"legs":[{"to":"driver"}]}`, `{"legs":[]}`, `{"outcome":"completed"}`
	lost := func(said string, more ...*conformance.Exchange) []act {
		calls := append([]*conformance.Exchange{after(rules.IntentLost, told(2, "book", adaBooks, 500, `{}`))}, more...)
		return []act{{task: `{"want":"book"}`, calls: calls, answer: said}}
	}
	waited := func(d time.Duration, answer string) []act {
		x := after(rules.IntentEndless, told(1, "user", ada, 0, ""))
		x.Took = d
		return []act{{task: `{"want":"book"}`, calls: []*conformance.Exchange{x}, answer: answer}}
	}
	asked := func(answer, reply string) []act {
		return []act{{task: `{"want":"book"}`, calls: []*conformance.Exchange{told(1, "user", ada, 200, reply), told(2, "book", adaBooks, 200, waiting)}, answer: answer}}
	}
	heard := func(driver, said string) act {
		j := `{"journeyId":"JADA","status":"ACCEPTED","driver":{"name":"` + driver + `"}}`
		return act{task: `{"want":"status","journeyId":"JADA"}`, answer: `{"said":["` + said + `"]}`, calls: []*conformance.Exchange{told(1, "status", `{"userId":"user-ada","journeyId":"JADA"}`, 200, j)}}
	}
	ben := func(sent string) []act {
		mine := act{task: `{"want":"status","journeyId":"JADA-001"}`, calls: []*conformance.Exchange{told(1, "user", ada, 200, isAda), told(2, "status", `{"userId":"user-ada","journeyId":"JADA-001"}`, 200, jada)}}
		return []act{mine, {task: `{"want":"status","journeyId":"JBEN-001","caller":"442079460021"}`, calls: []*conformance.Exchange{told(1, "user", ada, 200, isBen), told(2, "status", sent, 200, jada)}}}
	}
	addressed := func(sent string) []act {
		return []act{{task: `{"want":"book","pickup":{"address":"1 Łódź Row"},"dropoffs":[{"address":"2 Row"}]}`, calls: []*conformance.Exchange{told(1, "book", strings.Replace(adaBooks, "1 Row", sent, 1), 200, waiting)}}}
	}
	for name, row := range map[string]struct {
		id   string
		want conformance.Outcome
		acts []act
	}{
		"an edit with all as it was, in another zone": {"P-74", pass, editing("", "")},
		"an edit that moves the taxi to now":          {"P-74", fail, editing("2026-11-29T11:00:00+01:00", "2026-11-22T10:00:02Z")},
		"an edit that drops a stop":                   {"P-74", fail, editing(`{"address":"2 Row"},`, "")},
		"an edit in another order":                    {"P-74", fail, editing(`{"address":"2 Row"},{"address":"3 Row"}`, `{"address":"3 Row"},{"address":"2 Row"}`)},
		"an edit with the new pickup's location":      {"P-74", pass, editing(`{"address":"9 Row"}`, `{"address":"9 Row","location":{"longitude":-1.5,"latitude":53.8}}`)},
		"an edit with the old pickup's location":      {"P-74", fail, editing(`{"address":"9 Row"}`, `{"address":"9 Row","location":{"longitude":-1.6,"latitude":53.8}}`)},
		"an edit of a booking that was not read":      {"P-74", unclear, unread},

		"an edit for the passenger":              {"P-75", pass, editing("", "")},
		"an edit for somebody else":              {"P-75", fail, editing(`"name":"Oskar"`, `"name":"Ada"`)},
		"an edit with another number":            {"P-75", fail, editing("442079460987", "442079460020")},
		"a passenger of whom nothing was told":   {"P-75", unclear, unread},
		"a booking for the time that was asked":  {"P-76", pass, booking(`{"want":"book","pickupTime":"2026-11-22T10:30:00Z"}`, "", "")},
		"a booking an hour late":                 {"P-76", fail, booking(`{"want":"book","pickupTime":"2026-11-22T10:30:00Z"}`, "T10:30", "T11:30")},
		"a booking for now":                      {"P-76", pass, booking(`{"want":"book"}`, "T10:30", "T10:04")},
		"a booking for now that is an hour late": {"P-76", fail, booking(`{"want":"book"}`, "T10:30", "T11:00")},
		"a time without a zone":                  {"P-76", "", booking(`{"want":"book"}`, "T10:30:00Z", "T10:00:00")},

		"the second of two is cancelled":       {"P-77", pass, naming("cancel", "JADA")},
		"the first of two is cancelled":        {"P-77", fail, naming("cancel", "JONE")},
		"the status of the first of two":       {"P-77", fail, naming("status", "JONE")},
		"JSON":                                 {"P-78", pass, typed("application/json; charset=utf-8")},
		"a form":                               {"P-78", fail, typed("application/x-www-form-urlencoded")},
		"a press, and the next":                {"P-79", pass, []act{press(leg), press(leg)}},
		"a press that is kept for the caller":  {"P-79", fail, []act{press(leg), press(noLeg)}},
		"presses that call nobody":             {"P-79", unclear, []act{press(noLeg), press(noLeg)}},
		"legs that nobody tells":               {"P-79", unclear, []act{press(leg), press(legUnknown)}},
		"lost, and said to be booked":          {"P-80", fail, lost(`{"said":["Your taxi is booked."]}`)},
		"lost, and said not to be booked":      {"P-80", fail, lost(`{"said":["Sorry, your taxi is not booked."]}`)},
		"lost, and not known":                  {"P-80", pass, lost(`{"said":["I do not know whether your taxi is booked."]}`)},
		"lost, looked at and there":            {"P-80", pass, lost(`{"said":["Your taxi is booked."]}`, told(3, "user", ada, 200, isAda))},
		"lost, looked at, there and denied":    {"P-80", fail, lost(`{"said":["Sorry, your taxi is not booked."]}`, told(3, "user", ada, 200, isAda))},
		"lost, and nobody tells what was said": {"P-80", unclear, lost("")},

		"an endless call that is given up":  {"P-81", pass, waited(5*time.Second, `{"outcome":"person"}`)},
		"an endless call that is waited on": {"P-81", fail, waited(20*time.Second, `{"outcome":"person"}`)},
		"a caller known by name":            {"P-82", pass, asked(`{"asked":["pickup"]}`, isAda)},
		"a caller asked all the same":       {"P-82", fail, asked(`{"asked":["pickup","name"]}`, isAda)},
		"a caller without a userId":         {"P-82", "", asked(`{"asked":["pickup","name"]}`, `{"name":"Ada"}`)},
		"a driver who is read afresh":       {"P-83", pass, []act{heard("Quentin", "Quentin comes."), heard("Wilhelmina", "Wilhelmina comes.")}},
		"a driver of an earlier call":       {"P-83", fail, []act{heard("Quentin", "Quentin comes."), heard("Wilhelmina", "Quentin comes.")}},
		"no driver that is told":            {"P-83", unclear, []act{heard("Quentin", "A taxi comes."), heard("Wilhelmina", "A taxi comes.")}},
		"a caller's own ids":                {"P-72", pass, ben(`{"userId":"user-ben","journeyId":"JBEN-001"}`)},
		"another caller's id":               {"P-72", fail, ben(`{"userId":"user-ada","journeyId":"JBEN-001"}`)},
		"another caller's journey":          {"P-72", fail, ben(`{"userId":"user-ben","journeyId":"JADA-001"}`)},
		"an address in its letters":         {"P-84", pass, addressed("1 Łódź Row")},
		"an address in the map's letters":   {"P-84", pass, addressed("1 Łodz Row")},
		"an address without its letters":    {"P-84", fail, addressed("1 odz Row")},
		"an address of misread letters":     {"P-84", fail, addressed("1 Å\u0081Ã³dÅº Row")},
		"no address":                        {"P-84", unclear, []act{{task: `{"want":"book","pickup":{"address":"1 Łódź Row"}}`}}},
		"questions that nobody tells":       {"P-82", "", asked(`{"outcome":"completed"}`, isAda)},
	} {
		got := verdictOn(t, row.id, row.acts...)
		if row.want == "" && got == unclear {
			continue // no row of it was seen
		}
		require.Equal(t, row.want, got, "%s: %s", row.id, name)
	}
}
