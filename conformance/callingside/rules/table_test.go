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

// The verdicts of rows. What nothing was filed about is unclear too.
const (
	pass    = conformance.Pass
	fail    = conformance.Fail
	warn    = conformance.Warn
	unclear = conformance.NotVerified
	seen    = conformance.Seen
)

// row is some customer requests, and the worst verdict on a check that they lead to.
type row struct {
	id, name string
	want     conformance.Outcome
	acts     []act
}

// act is one customer request of a row: what it was asked for, JSON, the calls that it
// made, and what the platform told of it, JSON; "": nothing.
type act struct {
	task, answer string
	calls        []*conformance.Exchange
	failed       string // why the platform failed at it; "": it did not
}

// tableRows returns the rows of all families.
func tableRows() []row {
	return slices.Concat(askedRows(), wireRows(), bookingRows(), callerRows(), settingsRows(), menuRows(), speechRows(), troubleRows())
}

// TestRulesTable judges the requests of each row and compares the worst verdict on its check.
func TestRulesTable(t *testing.T) {
	t.Parallel()
	for _, r := range tableRows() {
		t.Run(r.id+" "+r.name, func(t *testing.T) {
			require.Equal(t, r.want, verdictOn(t, r.id, r.acts...))
		})
	}
}

// TestRulesTableCoversTheCatalogue checks that every check has a row for each verdict that it can reach: pass, fail
// and not verified or, for what is only observed, seen.
func TestRulesTableCoversTheCatalogue(t *testing.T) {
	t.Parallel()
	has, named := map[string]bool{}, map[string]bool{}
	for _, r := range tableRows() {
		has[r.id+" "+string(r.want)] = true
		require.False(t, named[r.id+r.name], "two rows are %s: %s", r.id, r.name)
		named[r.id+r.name] = true
	}
	for _, c := range rules.Catalogue() {
		wanted := []conformance.Outcome{pass, fail, unclear}
		if c.Level == conformance.Observed {
			wanted = []conformance.Outcome{seen}
		}
		for _, want := range wanted {
			require.True(t, has[c.ID+" "+string(want)], "%s %s: want a row", c.ID, want)
		}
	}
}

// verdictOn judges some requests and returns the worst verdict on a check. Each request is for that check, and
// by one caller, unless its task says otherwise.
func verdictOn(t *testing.T, id string, acts ...act) conformance.Outcome {
	t.Helper()
	var history []*conformance.Exchange
	var told []conformance.Observation
	note := func(probe conformance.ProbeName, kind conformance.ObservationKind, text string) {
		told = append(told, conformance.Observation{ID: len(told) + 1, Probe: probe, Kind: kind, Text: text, At: began.Add(30 * time.Second)})
	}
	for i, a := range acts {
		probe := rules.SceneRequest("a row", i+1, len(acts))
		task := strings.Replace(a.task, "{", `{"caller":"442079460020","from":"442079460020","channel":"voice","checks":["`+id+`"],`, 1)
		require.True(t, json.Valid([]byte(task)), task)
		note(probe, rules.KindTask, task)
		for _, x := range a.calls {
			own := *x
			own.ID, own.Probe = len(history)+1, probe
			history = append(history, &own)
		}
		if a.answer != "" {
			require.True(t, json.Valid([]byte(a.answer)), a.answer)
			note(probe, rules.KindAnswer, a.answer)
		}
		if a.failed != "" {
			note(probe, rules.KindFailed, a.failed)
		}
	}
	rank, worst := []conformance.Outcome{unclear, seen, pass, warn, fail}, unclear
	for _, f := range rules.Judge(history, told) {
		if f.Check == id && slices.Index(rank, f.Outcome) > slices.Index(rank, worst) {
			worst = f.Outcome
		}
	}
	return worst
}

// after returns a copy of a call with the intent of its answer.
func after(intent conformance.Intent, x *conformance.Exchange) *conformance.Exchange {
	own := *x
	own.Intent = intent
	return &own
}

// changed returns a changed copy of a call.
func changed(x *conformance.Exchange, change func(*conformance.Exchange)) *conformance.Exchange {
	own := *x
	change(&own)
	return &own
}

// later returns a call that began some seconds after the first, by every clock.
func later(at float64, op, sent string, code int, answer string) *conformance.Exchange {
	return changed(told(at, op, sent, code, answer), func(x *conformance.Exchange) { x.Started = x.Walled })
}

// Requests, and the calls of a right platform.
const (
	books   = `{"want":"book","pickup":{"address":"1 Row","location":{"longitude":-1.5,"latitude":53.8}},"dropoffs":[{"address":"2 Row"}]}`
	follows = `{"want":"status","journeyId":"JADA"}`
	cancels = `{"want":"cancel","journeyId":"JADA"}`
	offers  = `{"want":"offer","journeyId":"JADA"}`
	refers  = `{"userId":"user-ada","journeyId":"JADA"}`

	parked = `{"journeyId":"JADA","status":"ARRIVED","eta":{"value":37,"unit":"minutes"},"vehicle":{"description":"Silver Octavia","registration":"KX73 RVT"},
"driver":{"name":"Quentin Zvereva","phoneNumber":"+441614960123","badgeNumber":"PH9417"},"location":{"longitude":-1.54,"latitude":53.81}}`
)

func configured(reply string) *conformance.Exchange {
	return later(0, "config", `{"data":{}}`, 200, reply)
}
func known(reply string) *conformance.Exchange { return later(1, "user", ada, 200, reply) }
func read(reply string) *conformance.Exchange  { return later(2, "status", refers, 200, reply) }
func booked(code int, reply string) *conformance.Exchange {
	return later(3, "book", adaBooks, code, reply)
}

func cancelled(reply string) *conformance.Exchange {
	return later(3, "cancel", refers, 200, reply)
}

// calls lists some calls.
func calls(all ...*conformance.Exchange) []*conformance.Exchange { return all }

// alone marks a request as one during which no other was under way.
func alone(task string) string { return strings.Replace(task, "{", `{"alone":true,`, 1) }

// unlike returns a copy of a call that sends another text.
func unlike(x *conformance.Exchange, from, to string) *conformance.Exchange {
	return changed(x, func(x *conformance.Exchange) {
		x.Request.Body = conformance.Body(strings.Replace(string(x.Request.Body), from, to, 1))
	})
}
