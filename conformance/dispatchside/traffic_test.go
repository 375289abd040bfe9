package dispatchside_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/journal"
	"github.com/cabrank/cabrank/conformance/report/har"
)

// heard is a call that somebody else made and a server answered with 200, begun so
// many milliseconds into the day and answered in a hundred.
func heard(id, begun int, op conformance.Operation, sent, told string) conformance.Exchange {
	return conformance.Exchange{
		ID: id, Operation: op, Started: time.UnixMilli(int64(begun)), Took: 100 * time.Millisecond,
		Request:  conformance.Request{Method: "POST", URL: "http://taxis.example" + op.Path(), Body: conformance.Body(sent)},
		Response: &conformance.Response{Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: conformance.Body(told)},
	}
}

// oneDropoff is a booking with two drop-offs of which the answer keeps one.
func oneDropoff() conformance.Exchange {
	const place = `{"address":"%s","location":{"longitude":2.1,"latitude":54.7}}`
	a, b := fmt.Sprintf(place, "1 Mill Lane"), fmt.Sprintf(place, "2 Mill Lane")
	return heard(1, 0, rules.OpBook,
		`{"userId":"u1","name":"Ann","phoneNumber":"442079460001","pickup":`+a+`,"dropoffs":[`+b+`,`+a+`],"pickupTime":"2027-01-01T12:00:00Z"}`,
		`{"journeyId":"j1","status":"WAITING","pickup":`+a+`,"dropoffs":[`+b+`],"date":"2027-01-01T12:00:00Z"}`)
}

func outcomes(history ...conformance.Exchange) map[string]conformance.Outcome {
	all := map[string]conformance.Outcome{}
	for _, r := range journal.ReportOn(&dispatchside.Suite, "http://taxis.example", history).Checks {
		if all[r.ID] != conformance.Fail {
			all[r.ID] = r.Outcome
		}
	}
	return all
}

func TestOtherPeoplesCallsDoNotHideAFault(t *testing.T) {
	for name, beside := range map[string]conformance.Exchange{
		"settings":          heard(2, 50, rules.OpConfig, `{}`, `{"status":"OK"}`),
		"another user":      heard(2, 50, rules.OpUser, `{"phoneNumber":"442079460002"}`, `{"userId":"u2","phoneNumber":"442079460002","name":"Bob"}`),
		"another's journey": heard(2, 50, rules.OpCancel, `{"userId":"u2","journeyId":"j2"}`, `{"journeyId":"j2","status":"CANCELLED"}`),
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, conformance.Fail, outcomes(oneDropoff(), beside)["BOK-07"])
		})
	}
	edit := heard(2, 50, rules.OpCancel, `{"userId":"u1","journeyId":"j1"}`, `{"journeyId":"j1","status":"CANCELLED"}`)
	require.NotEqual(t, conformance.Fail, outcomes(oneDropoff(), edit)["CAN-02"], "what met on the way is anybody's guess")
}

func TestOddNumbersAreNobodys(t *testing.T) {
	ask := func(id int, phone, user string) conformance.Exchange {
		return heard(id, 1000*id, rules.OpUser, `{"phoneNumber":"`+phone+`"}`, `{"userId":"`+user+`","phoneNumber":"442079460001","name":"Ann"}`)
	}
	require.Equal(t, conformance.Pass, outcomes(
		ask(1, "442079460001", "u1"), ask(2, `442079460001\r\nX-Injected: yes`, "u9"), ask(3, "442079460001", "u1"),
	)["USR-04"], "what a server makes of such a number says nothing of its users")
	require.Equal(t, conformance.Fail, outcomes(ask(1, "442079460001", "u1"), ask(2, "+44 20 7946 0001", "u9"))["USR-04"])
}

func TestLongAnswersAreJudgedWholeOrNotAtAll(t *testing.T) {
	booking := `{"journeyId":"j%d","status":"WAITING","date":"2027-01-01T12:00:00Z","pickup":%[2]s,"dropoffs":[%[2]s]}`
	place := `{"address":"1 Mill Lane","location":{"longitude":2.1,"latitude":54.7}}`
	list := func(n int) conformance.Exchange {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(booking, i, place))
		}
		return heard(1, 0, rules.OpUser, `{"phoneNumber":"442079460001"}`,
			`{"userId":"u1","phoneNumber":"442079460001","name":"Ann","activeBookings":[`+strings.Join(all, ",")+`]}`)
	}
	recorded := func(calls ...conformance.Exchange) []conformance.Exchange {
		var text bytes.Buffer
		rep := journal.ReportOn(&dispatchside.Suite, "http://taxis.example", calls)
		require.NoError(t, har.Write(&text, conformance.NewRunFile(rep, "test")))
		recording, err := har.Read(&dispatchside.Suite, &text, "")
		require.NoError(t, err)
		return recording.History
	}
	history := recorded(list(200))
	require.Greater(t, len(history[0].Response.Body), 32<<10)
	require.Equal(t, conformance.Pass, outcomes(history...)["USR-01"])
	require.Equal(t, conformance.NotVerified, outcomes(recorded(list(2_000))...)["USR-01"], "half an answer is no evidence")

	booked := oneDropoff()
	endless := heard(2, 1_000, rules.OpCancel, `{"userId":"u1","journeyId":"j1","padding":"`+strings.Repeat("taxi ", 10_000)+`"}`,
		`{"journeyId":"j1","status":"CANCELLED"}`)
	gone := heard(3, 2_000, rules.OpUser, `{"phoneNumber":"442079460001"}`,
		`{"userId":"u1","phoneNumber":"442079460001","name":"Ann","activeBookings":[]}`)
	require.Equal(t, conformance.Fail, outcomes(booked, gone)["USR-10"])
	require.NotEqual(t, conformance.Fail, outcomes(recorded(booked, endless, gone)...)["USR-10"], "half a cancellation may be one")
}

// TestNobodyKnowsWhatACancellationDid looks for a journey after a /cancel whose
// answer does not tell, or never came.
func TestNobodyKnowsWhatACancellationDid(t *testing.T) {
	t.Parallel()
	unanswered := heard(2, 1000, rules.OpCancel, `{"userId":"u1","journeyId":"j1"}`, "")
	unanswered.Response, unanswered.Err = nil, "timeout"
	crashed := heard(2, 1000, rules.OpCancel, `{"userId":"u1","journeyId":"j1"}`, `{"error":"oops"}`)
	crashed.Response.Status = 500
	look := heard(3, 2000, rules.OpUser, `{"phoneNumber":"442079460001"}`, `{"userId":"u1","phoneNumber":"442079460001","name":"Ann"}`)
	for name, row := range map[string]struct {
		cancel conformance.Exchange
		want   conformance.Outcome
	}{
		"misspelt":  {heard(2, 1000, rules.OpCancel, `{"userId":"u1","journeyId":"j1"}`, `{"journeyId":"j1","status":"CANCELED"}`), conformance.NotVerified},
		"no answer": {unanswered, conformance.NotVerified},
		"crashed":   {crashed, conformance.NotVerified},
		"another status": {
			heard(2, 1000, rules.OpCancel, `{"userId":"u1","journeyId":"j1"}`, `{"journeyId":"j1","status":"WAITING"}`), conformance.Fail,
		},
	} {
		met := heard(0, -1000, rules.OpUser, `{"phoneNumber":"442079460001"}`, `{"userId":"u1","phoneNumber":"442079460001","name":"Ann"}`)
		require.Equal(t, row.want, outcomes(met, oneDropoff(), row.cancel, look)["USR-10"], name)
	}
}
