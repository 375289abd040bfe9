package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// began is when the first call begins.
var began = time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)

// told returns a call in the traffic of another client: seconds after the first, operation, what was sent,
// code (0: no answer) and what was answered.
func told(at float64, op, sent string, code int, answer string) *conformance.Exchange {
	x := &conformance.Exchange{
		Operation: conformance.Operation(op), Started: began, Walled: began.Add(time.Duration(at * float64(time.Second))), // the world stands still
		Request: conformance.Request{Method: "POST", URL: "http://127.0.0.1/" + op, Header: map[string][]string{"Content-Type": {"application/json"}}, Body: conformance.Body(sent)},
	}
	if code > 0 {
		x.Response = &conformance.Response{Status: code, Body: conformance.Body(answer)}
	}
	return x
}

const (
	ada      = `{"phoneNumber":"442079460020"}`
	isAda    = `{"userId":"user-ada","phoneNumber":"442079460020","name":"Ada","activeBookings":[{"journeyId":"JADA","status":"WAITING"}]}`
	isBen    = `{"userId":"user-ben","phoneNumber":"442079460021","name":"Ben"}`
	adaBooks = `{"userId":"user-ada","name":"Ada","phoneNumber":"442079460020","pickup":{"address":"1 Row","location":{"longitude":-1.5,"latitude":53.8}},
"dropoffs":[{"address":"2 Row","location":{"longitude":-1.6,"latitude":53.8}}],"pickupTime":"2026-11-22T10:30:00Z"}`
	waiting = `{"journeyId":"J2","status":"WAITING"}`
)

// TestTrafficIsJudgedByItsOrder checks the findings about traffic whose calls differ in order and time. Each
// is the id of the check, the outcome and the number of the call that shows it.
func TestTrafficIsJudgedByItsOrder(t *testing.T) {
	t.Parallel()
	config := told(0, "config", `{}`, 200, `{"status":"OK"}`)
	user := told(1, "user", ada, 200, isAda)
	var polls, slow []*conformance.Exchange
	for i := range 6 {
		polls = append(polls, told(2+0.3*float64(i), "status", `{"userId":"user-ada","journeyId":"JADA"}`, 200, `{"journeyId":"JADA","status":"WAITING"}`))
	}
	for i := range 3 {
		slow = append(slow, told(2+90*float64(i), "status", `{"userId":"user-ada","journeyId":"JADA"}`, 200, `{"journeyId":"JADA","status":"WAITING"}`))
	}
	for name, c := range map[string]struct {
		calls  []*conformance.Exchange
		extent conformance.Extent
		want   []string
	}{
		"as it should be":              {calls: []*conformance.Exchange{config, user, told(5, "book", adaBooks, 200, waiting), told(9, "status", `{"userId":"user-ada","journeyId":"J2"}`, 200, waiting)}},
		"no /config":                   {calls: []*conformance.Exchange{user, told(5, "book", adaBooks, 200, waiting)}, want: []string{"P-02 warn 1"}},
		"no /config in all":            {calls: []*conformance.Exchange{user}, extent: conformance.All, want: []string{"P-02 fail 1"}},
		"a /config later than others":  {calls: []*conformance.Exchange{user, config, user}, extent: conformance.All},
		"no /config that is known":     {calls: []*conformance.Exchange{user}, extent: conformance.Part},
		"/config long ago":             {calls: []*conformance.Exchange{config, told(700, "user", ada, 200, isAda)}, want: []string{"P-02 warn 2"}},
		"/book before /user":           {calls: []*conformance.Exchange{config, told(5, "book", adaBooks, 200, waiting)}, want: []string{"SEQ-01 warn 2"}},
		"whom nobody knows":            {calls: []*conformance.Exchange{config, told(1, "user", ada, 404, `{}`), told(5, "book", adaBooks, 200, waiting)}},
		"/book, /user not known":       {calls: []*conformance.Exchange{config, told(5, "book", adaBooks, 200, waiting)}, extent: conformance.Part},
		"/status too often":            {calls: append([]*conformance.Exchange{config, user}, polls...), want: []string{"P-20 fail 8"}},
		"/status rarely":               {calls: append([]*conformance.Exchange{config, user}, slow...), want: []string{"SEQ-02 observed 4", "SEQ-02 observed 5"}},
		"another's journey cancelled":  {calls: []*conformance.Exchange{config, user, told(2, "user", `{"phoneNumber":"442079460021"}`, 200, isBen), told(3, "cancel", `{"userId":"user-ben","journeyId":"JADA"}`, 200, `{"journeyId":"JADA","status":"CANCELLED"}`)}, want: []string{"P-72 fail 4"}},
		"one's own journey cancelled":  {calls: []*conformance.Exchange{config, user, told(3, "cancel", `{"userId":"user-ada","journeyId":"JADA"}`, 200, `{"journeyId":"JADA","status":"CANCELLED"}`)}},
		"booked again after no answer": {calls: []*conformance.Exchange{config, user, told(5, "book", adaBooks, 0, ""), told(15, "book", adaBooks, 200, waiting)}, want: []string{"P-19 fail 4"}},
		"looked before booking again":  {calls: []*conformance.Exchange{config, user, told(5, "book", adaBooks, 0, ""), told(15, "user", ada, 200, isAda), told(16, "book", adaBooks, 200, waiting)}},
		"an id in other capitals":      {calls: []*conformance.Exchange{config, user, told(5, "status", `{"userId":"USER-ADA","journeyId":"JADA"}`, 404, `{}`)}, want: []string{"P-15 fail 3"}},
	} {
		var history []*conformance.Exchange
		for i, x := range c.calls {
			own := *x
			own.ID = i + 1
			history = append(history, &own)
		}
		var got []string
		for _, f := range rules.JudgeTraffic(history, c.extent) {
			if f.Outcome != conformance.Pass && f.Outcome != conformance.NotVerified {
				got = append(got, fmt.Sprintf("%s %s %d", f.Check, f.Outcome, f.Exchanges[len(f.Exchanges)-1]))
			}
		}
		slices.Sort(got)
		require.Equal(t, strings.Join(c.want, ", "), strings.Join(got, ", "), name)
	}
}

// TestJudgeCallAgreesWithJudge checks that the failures that JudgeCall finds in a call are also found by Judge in
// a history of that call.
func TestJudgeCallAgreesWithJudge(t *testing.T) {
	t.Parallel()
	for _, x := range []*conformance.Exchange{
		told(0, "user", `{"phoneNumber":"+44 20"}`, 200, isAda), told(0, "book", `{"journeyId":""}`, 422, `{}`), told(0, "config", `{"data":7}`, 200, `{}`),
		told(0, "cancel", `{}`, 404, `{}`), told(0, "status", `[]`, 400, `{}`), told(0, "book", strings.Replace(adaBooks, "2026", "2025", 1), 200, waiting), told(0, "book", adaBooks, 200, waiting),
	} {
		x.ID = 1
		one := failures(rules.JudgeCall(x))
		require.Subset(t, failures(rules.Judge([]*conformance.Exchange{x}, nil)), one)
		require.Equal(t, string(x.Request.Body) == adaBooks, len(one) == 0, string(x.Request.Body))
	}
	stray := told(0, "", `{}`, 404, `{}`)
	require.Equal(t, []string{"P-01 "}, failures(rules.JudgeCall(stray)))
}

// failures lists the ids of failed checks with their pointers.
func failures(filed []conformance.FiledFinding) []string {
	all := []string{}
	for _, f := range filed {
		if f.Outcome == conformance.Fail {
			all = append(all, f.Check+" "+f.Pointer)
		}
	}
	return all
}

// TestFindingNamesTheEncodingOfABody checks that a finding about a body in UTF-16 or another encoding names it,
// rather than that the body is no object.
func TestFindingNamesTheEncodingOfABody(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"\xff\xfe{\x00}\x00":   "the body is UTF-16, and JSON is sent as plain UTF-8 (RFC 8259, 8.1)",
		"\x00{\x00}":           "the body is UTF-16, and JSON is sent as plain UTF-8 (RFC 8259, 8.1)",
		"\xef\xbb\xbf{}":       "the body is UTF-8 with a byte order mark, and JSON is sent as plain UTF-8 (RFC 8259, 8.1)",
		"{\"name\":\"J\xe9\"}": "the body is not UTF-8",
		"[]":                   "the body is not a JSON object",
	} {
		filed := rules.JudgeCall(told(0, "config", body, 400, `{}`))
		i := slices.IndexFunc(filed, func(f conformance.FiledFinding) bool { return f.Check == "P-01" })
		require.Equal(t, want, filed[i].Message, "%q", body)
	}
}

// TestPickupIsInThePastByBothClocks checks that a pickup counts as past only if it is past by both clocks, since a client
// of a world that runs ahead may go by the wall clock.
func TestPickupIsInThePastByBothClocks(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		world, wall time.Duration // since the pickup
		past        bool
	}{{-time.Minute, -time.Minute, false}, {2 * time.Hour, 0, false}, {0, 2 * time.Hour, false}, {2 * time.Hour, time.Hour, true}} {
		x := told(0, "book", adaBooks, 200, waiting)
		pickup := x.Started.Add(30 * time.Minute)
		x.Started, x.Walled = pickup.Add(row.world), pickup.Add(row.wall)
		require.Equal(t, row.past, slices.ContainsFunc(rules.JudgeCall(x), func(f conformance.FiledFinding) bool {
			return f.Check == "P-10" && f.Outcome == conformance.Fail
		}), "%+v", row)
	}
}
