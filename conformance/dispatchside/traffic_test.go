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

// heard returns a call of another client that was answered 200, begun at a Unix time in milliseconds and
// answered 100 ms later.
func heard(id, begun int, op conformance.Operation, sent, told string) conformance.Exchange {
	return conformance.Exchange{
		ID: id, Operation: op, Started: time.UnixMilli(int64(begun)), Took: 100 * time.Millisecond,
		Request:  conformance.Request{Method: "POST", URL: "http://taxis.example" + op.Path(), Body: conformance.Body(sent)},
		Response: &conformance.Response{Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: conformance.Body(told)},
	}
}

// oneDropoff returns a booking with two drop-offs of which the answer has one.
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

// TestUnservedTrafficDoesNotPass checks that recorded traffic does not pass if an operation was never served.
func TestUnservedTrafficDoesNotPass(t *testing.T) {
	t.Parallel()
	booked := oneDropoff()
	for name, row := range map[string]struct {
		config, user, book int
		exit               int
		verdict            string
	}{
		"an unknown caller": {200, 404, 200, conformance.ExitPass, ""},
		"all failed":        {500, 500, 500, conformance.ExitFail, "was never served: call 3 was answered 500 Internal Server Error"},
		"one failed":        {200, 404, 503, conformance.ExitFail, "/book was never served: call 3 was answered 503 Service Unavailable"},
		"no HTTP status":    {999, 999, 999, conformance.ExitFail, "was answered 999"},
		"no credentials":    {401, 401, 401, conformance.ExitUnreachable, "no call was served: call 3 was answered 401 Unauthorized"},
	} {
		calls := []conformance.Exchange{
			heard(1, 0, rules.OpConfig, `{}`, `{"status":"OK"}`),
			heard(2, 1_000, rules.OpUser, `{"phoneNumber":"442079460001"}`, `{"error":"unknown"}`),
			heard(3, 2_000, rules.OpBook, strings.Replace(string(booked.Request.Body), `,"dropoffs":[`, `,"dropoffs":[],"was":[`, 1),
				strings.Replace(string(booked.Response.Body), `,"dropoffs":[`, `,"dropoffs":[],"was":[`, 1)),
		}
		for i, status := range []int{row.config, row.user, row.book} {
			if calls[i].Response.Status = status; status >= 400 {
				calls[i].Response.Body = conformance.Body(`{"error":"no"}`)
			}
		}
		rep := journal.ReportOn(&dispatchside.Suite, "http://taxis.example", calls)
		require.Equal(t, row.exit, rep.ExitCode(), "%s: %s", name, rep.Verdict())
		require.Contains(t, rep.Verdict(), row.verdict, name)
	}
}

func TestTruncatedAnswersAreNotJudged(t *testing.T) {
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
