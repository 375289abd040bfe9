package taxi_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

func TestClientDecodesRefusals(t *testing.T) {
	for name, row := range map[string]struct {
		status      int
		contentType string
		body        string
		want        taxi.Problem
	}{
		"problem document": {
			409, "application/problem+json; charset=utf-8",
			`{"type":"/problems/journey-closed","title":"The journey is over","status":409,"code":"journey-closed",
			  "retryable":false,"journeyId":"j-1","journeyStatus":"COMPLETE","say":"That journey is already over."}`,
			taxi.Problem{
				Type: "/problems/journey-closed", Title: "The journey is over", Status: 409, Code: taxi.CodeJourneyClosed,
				JourneyID: "j-1", JourneyStatus: taxi.Complete, Say: "That journey is already over.",
			},
		},
		"the HTTP status counts": {
			503, taxi.ProblemContentType, `{"title":"Closed","status":200,"retryable":true}`,
			taxi.Problem{Title: "Closed", Status: 503, Retryable: true},
		},
		"HTML page": {
			502, "text/html", "<html><body>Bad gateway</body></html>",
			taxi.Problem{Title: "Bad Gateway", Status: 502, Detail: "<html><body>Bad gateway</body></html>"},
		},
		"long page": {
			500, "text/plain", strings.Repeat("é", 40),
			taxi.Problem{Title: "Internal Server Error", Status: 500, Detail: strings.Repeat("é", 30) + "…"},
		},
		"JSON that is no problem document": {
			404, mediaJSON, `{"code":"nope"}`,
			taxi.Problem{Title: "Not Found", Status: 404, Detail: `{"code":"nope"}`},
		},
		"broken problem document": {
			422, taxi.ProblemContentType, `{"code":"phone-invalid","status":"422"`,
			taxi.Problem{Title: "Unprocessable Entity", Status: 422, Detail: `{"code":"phone-invalid","status":"422"`},
		},
		"empty body":     {401, "", "", taxi.Problem{Title: "Unauthorized", Status: 401}},
		"unknown status": {599, "", "", taxi.Problem{Status: 599}},
	} {
		t.Run(name, func(t *testing.T) {
			p := answer(t, row.status, row.contentType, row.body)
			_, err := client(t, p.URL, taxi.ClientOptions{}).Cancel(t.Context(), taxi.JourneyRef{})
			var got *taxi.Problem
			require.ErrorAs(t, err, &got)
			require.Equal(t, row.want, *got)
		})
	}
}

func TestClientReadsRetryAfter(t *testing.T) {
	const sent, later, earlier = "Sat, 21 Nov 2026 10:30:00 GMT", "Sat, 21 Nov 2026 10:31:30 GMT", "Sat, 21 Nov 2026 10:29:00 GMT"
	for header, want := range map[string]time.Duration{
		"":                    0,
		"0":                   0,
		"120":                 2 * time.Minute,
		later:                 90 * time.Second,
		earlier:               0,
		"-5":                  0,
		"soon":                0,
		"1.5":                 0,
		"4294967295":          4294967295 * time.Second,
		"9223372036854775807": 0, // would overflow
	} {
		p := answer(t, http.StatusServiceUnavailable, "text/plain", "")
		p.header.Set("Date", sent)
		p.header.Set("Retry-After", header)
		_, err := client(t, p.URL, taxi.ClientOptions{}).Config(t.Context(), taxi.ConfigRequest{})
		var problem *taxi.Problem
		require.ErrorAs(t, err, &problem)
		require.Equal(t, want, problem.RetryAfter, "Retry-After: %s", header)
	}
}

func TestClientRefusesBrokenReplies(t *testing.T) {
	for name, body := range map[string]string{
		"empty":          "",
		"HTML":           "<html></html>",
		"cut off":        `{"journeyId":"j-1","sta`,
		"array":          `[]`,
		"text":           `"WAITING"`,
		"trailing bytes": `{"journeyId":"j-1","status":"WAITING"} {}`,
		"number for id":  `{"journeyId":1042,"status":"WAITING"}`,
		"text for price": `{"journeyId":"j-1","status":"WAITING","price":{"value":"12.50","currency":"GBP"}}`,
		"bad date":       `{"journeyId":"j-1","status":"WAITING","date":"tomorrow"}`,
		"too large":      `{"journeyId":"j-1","status":"WAITING"}` + strings.Repeat(" ", 4<<20),
	} {
		t.Run(name, func(t *testing.T) {
			p := answer(t, http.StatusOK, mediaJSON, body)
			_, err := client(t, p.URL, taxi.ClientOptions{}).Status(t.Context(), taxi.JourneyRef{})
			require.ErrorContains(t, err, "/status: the answer is")
			require.NotErrorAs(t, err, new(*taxi.Problem), "the outcome is unknown, not refused")
		})
	}
}

func TestClientReportsATruncatedResponse(t *testing.T) {
	p := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write([]byte(`{"journeyId":`))
	}))
	t.Cleanup(p.Close)
	_, err := client(t, p.URL, taxi.ClientOptions{}).Status(t.Context(), taxi.JourneyRef{})
	require.ErrorContains(t, err, "/status: reading the answer")
}

func TestProblemErrorIsOneLine(t *testing.T) {
	for want, p := range map[string]taxi.Problem{
		"404 journey-not-found":                {Status: 404, Title: "No such journey", Code: taxi.CodeJourneyNotFound},
		"502 Bad Gateway: <html>":              {Status: 502, Title: "Bad Gateway", Detail: "<html>"},
		"599":                                  {Status: 599},
		"422 validation-failed: /name missing": {Status: 422, Code: taxi.CodeValidationFailed, Errors: []taxi.FieldError{{Pointer: "/name", Detail: "missing"}}},
	} {
		require.EqualError(t, &p, want)
	}
}

func TestProblemsMatchByCode(t *testing.T) {
	err := error(&taxi.Problem{Status: 409, Code: taxi.CodeJourneyClosed})
	require.ErrorIs(t, err, &taxi.Problem{Code: taxi.CodeJourneyClosed})
	require.NotErrorIs(t, err, &taxi.Problem{Code: taxi.CodeEditNotAllowed})
	require.NotErrorIs(t, error(&taxi.Problem{Status: 409}), &taxi.Problem{}, "without a code there is nothing to match")
	require.NotErrorIs(t, err, errors.New("journey-closed"))
}

func TestClientRefusesIncompleteResponses(t *testing.T) {
	for path, reply := range map[string]string{
		taxi.PathConfig: `{}`, taxi.PathUser: `{"phoneNumber":"442079460000","name":"Ada"}`,
		taxi.PathBook: `{"journeyId":"j1"}`, taxi.PathCancel: `{"status":"CANCELLED"}`, taxi.PathStatus: `null`,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(reply))
		}))
		defer server.Close()
		c, err := taxi.NewClient(server.URL, taxi.ClientOptions{})
		require.NoError(t, err)
		calls := map[string]func() error{
			taxi.PathConfig: func() error { _, err := c.Config(t.Context(), taxi.ConfigRequest{}); return err },
			taxi.PathUser:   func() error { _, err := c.User(t.Context(), taxi.UserRequest{}); return err },
			taxi.PathBook:   func() error { _, err := c.Book(t.Context(), taxi.BookRequest{}); return err },
			taxi.PathCancel: func() error { _, err := c.Cancel(t.Context(), taxi.JourneyRef{}); return err },
			taxi.PathStatus: func() error { _, err := c.Status(t.Context(), taxi.JourneyRef{}); return err },
		}
		require.ErrorContains(t, calls[path](), "it has no ", path)
	}
}

// answering answers every call in the same way, without a network.
type answering func() *http.Response

// RoundTrip implements [http.RoundTripper].
func (a answering) RoundTrip(*http.Request) (*http.Response, error) { return a(), nil }

// FuzzProblem checks that any refusal of a server becomes a Problem with its HTTP status.
func FuzzProblem(f *testing.F) {
	f.Add(404, "application/problem+json", "2", `{"title":"Not Found","status":404,"detail":"none","code":"unknown"}`)
	f.Add(503, "text/html", "Wed, 21 Oct 2026 07:28:00 GMT", "<h1>\x1b[2J</h1>")
	f.Fuzz(func(t *testing.T, status int, media, wait, body string) {
		if status < 400 || status > 599 {
			return
		}
		c, err := taxi.NewClient("http://127.0.0.1:1", taxi.ClientOptions{Transport: answering(func() *http.Response {
			return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {media}, "Retry-After": {wait}}, Body: io.NopCloser(strings.NewReader(body))}
		})})
		require.NoError(t, err)
		_, err = c.Config(t.Context(), taxi.ConfigRequest{})
		problem, ok := errors.AsType[*taxi.Problem](err)
		require.True(t, ok)
		require.Equal(t, status, problem.Status)
		require.GreaterOrEqual(t, int64(problem.RetryAfter), int64(0))
	})
}
