package live_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// listening returns a journal in front of a server, and the address to call.
func listening(t *testing.T, server http.Handler) (*live.Journal, string) {
	t.Helper()
	behind := httptest.NewServer(http.StripPrefix("/taxi", server))
	t.Cleanup(behind.Close)
	target, err := url.Parse(behind.URL + "/taxi")
	require.NoError(t, err)
	opts := bothSuites
	opts.Most, opts.MostBytes, opts.MostBody = conformance.MostCalls, 96<<20, 1<<20
	kept := live.NewProxy(target, nil, opts)
	t.Cleanup(kept.Close)
	front := httptest.NewServer(kept)
	t.Cleanup(front.Close)
	return kept, front.URL
}

// ended returns the report on the answers to n calls.
func ended(t *testing.T, kept *live.Journal, n int) *conformance.Report {
	t.Helper()
	require.Eventually(t, func() bool { return kept.Stats().Kept == n }, time.Minute, time.Millisecond, "%d calls are not recorded", n)
	return kept.Report(&dispatchside.Suite, conformance.All)
}

// history returns the recorded calls.
func history(kept *live.Journal) []conformance.Exchange {
	all, _ := kept.After(0)
	out := make([]conformance.Exchange, len(all))
	for i, k := range all {
		out[i] = k.X
	}
	return out
}

// send posts a body and says which encodings of the answer it accepts.
func send(t *testing.T, address, encodings string, body io.Reader) (*http.Response, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, body)
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	if encodings != "" {
		req.Header.Set("Accept-Encoding", encodings)
	}
	return http.DefaultClient.Do(req)
}

func post(t *testing.T, address, body string) (int, string) {
	t.Helper()
	resp, err := send(t, address, "", strings.NewReader(body))
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(text)
}

const booking = `{"name":"Ann","phoneNumber":"441134960123","pickup":{"address":"1 Row","location":{"longitude":-1.5,"latitude":53.8}},
"dropoffs":[{"address":"2 Row","location":{"longitude":-1.6,"latitude":53.9}}],"pickupTime":"2126-10-19T10:00:00Z"}`

func outcome(r *conformance.Report, id string) conformance.Outcome {
	for _, c := range r.Checks {
		if c.ID == id {
			return c.Outcome
		}
	}
	return ""
}

func TestTrafficOfOtherClientsIsJudged(t *testing.T) {
	t.Parallel()
	for fault, want := range map[dispatchsidetest.Fault]conformance.Outcome{dispatchsidetest.None: conformance.Pass, dispatchsidetest.NoConfigStatus: conformance.Fail} {
		kept, address := listening(t, dispatchsidetest.NewVendor(fault))
		status, reply := post(t, address+"/config", `{}`)
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, want == conformance.Pass, strings.Contains(reply, `"status"`))
		status, reply = post(t, address+"/book", booking)
		require.Equal(t, http.StatusOK, status, reply)
		report := ended(t, kept, 2)
		require.Equal(t, want, outcome(report, "CFG-01"), "%s", fault)
		require.Equal(t, conformance.Pass, outcome(report, "BOK-01"))
		require.Equal(t, conformance.NotVerified, outcome(report, "CAN-01"), "nobody cancelled")
	}
}

// TestRecordingJournalPreservesVerdicts checks that a run through the journal gets the same verdicts as one
// that calls the server directly, and that the journal fails no check for its calls.
func TestRecordingJournalPreservesVerdicts(t *testing.T) {
	t.Parallel()
	var only []string
	most := 500
	if testing.Short() { // a few calls race as all do
		only, most = []string{"CAN-01", "JRN-03", "BOK-16"}, 20
	}
	run := func(address string) *conformance.Report {
		report, err := dispatchside.Run(t.Context(), dispatchside.Target{URL: address, Now: time.Now, Seed: 2, Only: only})
		require.NoError(t, err)
		return report
	}
	direct := httptest.NewServer(dispatchsidetest.NewVendor(dispatchsidetest.None))
	t.Cleanup(direct.Close)
	want := run(direct.URL)
	kept, address := listening(t, dispatchsidetest.NewVendor(dispatchsidetest.None))
	got := run(address)
	for i, r := range got.Checks {
		if r.ID == "IDM-02" && r.Outcome != conformance.Fail {
			continue // whether a call that nobody waits for gets as far as the server is chance
		}
		require.Equal(t, want.Checks[i].Outcome, r.Outcome, "%s %s %+v", r.ID, r.Operation, r.Findings)
	}
	heard := kept.Report(&dispatchside.Suite, conformance.All)
	for _, r := range heard.Checks {
		require.NotEqual(t, conformance.Fail, r.Outcome, "what others do on purpose is no fault of the server: %s %+v", r.ID, r.Findings)
	}
	require.Greater(t, len(heard.Exchanges), most)
}

func TestOnlyCallsOfTheInterfaceAreReported(t *testing.T) {
	t.Parallel()
	other := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusTeapot)
		_, _ = w.Write(append([]byte(r.Header.Get("X-Forwarded-For")+r.UserAgent()), body...))
	})
	kept, address := listening(t, other)
	status, body := post(t, address+"/cart", "tea")
	require.Equal(t, http.StatusTeapot, status)
	require.Equal(t, "Go-http-client/1.1tea", body, "it adds nothing")
	post(t, address+"/status?x=1", "{}")
	require.Len(t, ended(t, kept, 2).Exchanges, 1, "tea is nothing that a dispatch system answers")
	require.Empty(t, history(kept)[0].Operation)
	require.Equal(t, rules.OpStatus, history(kept)[1].Operation)
	require.Contains(t, history(kept)[1].Request.URL, "/taxi/status?x=1", "the address of the server")
	require.NotContains(t, history(kept)[1].Request.URL, address)
}

// TestStreamsAreNotHeldBack checks that the first half of an answer reaches the client while the server is
// still busy with the second.
func TestStreamsAreNotHeldBack(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	slow := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "half")
		_ = http.NewResponseController(w).Flush()
		<-ctx.Done()
	})
	_, address := listening(t, slow)
	resp, err := send(t, address+"/status", "", strings.NewReader("{}"))
	require.NoError(t, err)
	half := make([]byte, 4)
	_, err = io.ReadFull(resp.Body, half)
	require.NoError(t, err)
	require.Equal(t, "half", string(half))
	stop()
	require.NoError(t, resp.Body.Close())
}

// told answers every call with the same body, in a content encoding.
func told(encoding string, body []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		if encoding != "" {
			w.Header().Set("Content-Encoding", encoding)
		}
		_, _ = w.Write(body)
	})
}

func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := io.WriteString(z, text)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

func deflated(t *testing.T, text string, wrapped bool) []byte {
	t.Helper()
	var b bytes.Buffer
	var z io.WriteCloser = zlib.NewWriter(&b)
	if !wrapped {
		var err error
		z, err = flate.NewWriter(&b, flate.BestSpeed)
		require.NoError(t, err)
	}
	_, err := io.WriteString(z, text)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// TestCompressedAnswersAreJudgedAsPlainText checks that compressed answers are passed on unchanged and judged
// by their plain text, and how those are judged that cannot be decoded or are too long.
func TestCompressedAnswersAreJudgedAsPlainText(t *testing.T) {
	t.Parallel()
	const fine, every = `{"status":"OK"}`, "deflate, gzip, br"
	long := `{"status":"` + strings.Repeat("OK", 1<<19) + `"}`
	for name, row := range map[string]struct {
		asks, encoding string
		body           []byte
		want           conformance.Outcome // of W-01
	}{
		"plain":              {every, "", []byte(fine), conformance.Pass},
		"gzip":               {every, "gzip", gzipped(t, fine), conformance.Pass},
		"deflate":            {every, "deflate", deflated(t, fine, true), conformance.Pass},
		"deflate, bare":      {every, "deflate", deflated(t, fine, false), conformance.Pass},
		"unasked gzip":       {"identity", "gzip", gzipped(t, fine), conformance.Pass},
		"not what it says":   {every, "gzip", []byte("<html>"), conformance.Fail},
		"broken gzip":        {every, "gzip", gzipped(t, fine)[:20], conformance.Fail},
		"another encoding":   {every, "br", []byte("\x0b\x07\x80"), conformance.NotVerified},
		"too long":           {every, "", []byte(long), conformance.Fail},
		"too long, unpacked": {every, "gzip", gzipped(t, long), conformance.NotVerified},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kept, address := listening(t, told(row.encoding, row.body))
			resp, err := send(t, address+"/config", row.asks, strings.NewReader("{}"))
			require.NoError(t, err)
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			require.Equal(t, row.body, body, "nothing changes on the way")
			report := ended(t, kept, 1)
			require.Equal(t, row.want, outcome(report, "W-01"))
			require.Equal(t, row.asks != every, outcome(report, "W-11") == conformance.Fail)
			require.Equal(t, row.want == conformance.Pass, outcome(report, "CFG-01") == conformance.Pass)
			for _, c := range report.Checks {
				require.True(t, c.Outcome != conformance.Fail || row.want == conformance.Fail || c.ID == "W-11", c.ID)
			}
		})
	}
}

// TestClientThatHangsUpFailsNoCheck checks that a client that hangs up in the middle of an answer
// fails no check of the server.
func TestClientThatHangsUpFailsNoCheck(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"status":`)
		_ = http.NewResponseController(w).Flush()
		<-gone
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	})
	kept, address := listening(t, slow)
	resp, err := send(t, address+"/config", "", strings.NewReader("{}"))
	require.NoError(t, err)
	_, err = io.ReadFull(resp.Body, make([]byte, 10))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	close(gone)
	for _, c := range ended(t, kept, 1).Checks {
		require.NotEqual(t, conformance.Fail, c.Outcome, "%s %+v", c.ID, c.Findings)
	}
}

// TestBodyEndsAgainAfterTheAnswerHasBegun checks that a handler that looks for the end of a body once more, as a transport does that forwards
// it, finds the end, although the server closes the body when the answer begins.
func TestBodyEndsAgainAfterTheAnswerHasBegun(t *testing.T) {
	t.Parallel()
	again := make(chan error, 1)
	l := live.New(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadFull(r.Body, make([]byte, 2))
		_, _ = io.WriteString(w, "{}")
		_ = http.NewResponseController(w).Flush()
		_, err := r.Body.Read(make([]byte, 1))
		again <- err
	}), bothSuites)
	t.Cleanup(l.Close)
	server := httptest.NewServer(l)
	t.Cleanup(server.Close)
	resp, err := send(t, server.URL+"/config", "", strings.NewReader("{}"))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, io.EOF, <-again)
}

// endless is an upload that goes on until it is closed.
type endless struct{ closed chan struct{} }

func (e *endless) Read(p []byte) (int, error) {
	select {
	case <-e.closed:
		return 0, io.ErrClosedPipe
	default:
		for i := range p {
			p[i] = ' '
		}
		return len(p), nil
	}
}

// TestAnswerMayComeBeforeTheUploadEnds checks that an answer that is sent before the body of its request has
// been read is recorded, and that BOK-01 is not verified.
func TestAnswerMayComeBeforeTheUploadEnds(t *testing.T) {
	t.Parallel()
	hasty := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"journeyId":"j1","status":"WAITING"}`)
	})
	kept, address := listening(t, hasty)
	upload := &endless{make(chan struct{})}
	resp, err := send(t, address+"/book", "", upload)
	if err == nil {
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
	}
	close(upload.closed)
	require.Equal(t, conformance.NotVerified, outcome(ended(t, kept, 1), "BOK-01"), "what was asked for is not known")
}

func TestUnreachableServerIsAnswered502(t *testing.T) {
	t.Parallel()
	target, err := url.Parse("http://127.0.0.1:1/taxi")
	require.NoError(t, err)
	kept := live.NewProxy(target, nil, bothSuites)
	t.Cleanup(kept.Close)
	front := httptest.NewServer(kept)
	t.Cleanup(front.Close)
	c, err := taxi.NewClient(front.URL, taxi.ClientOptions{Timeout: time.Minute})
	require.NoError(t, err)
	_, err = c.Config(t.Context(), taxi.ConfigRequest{})
	problem, ok := errors.AsType[*taxi.Problem](err)
	require.True(t, ok, err)
	require.Equal(t, http.StatusBadGateway, problem.Status)
	require.Equal(t, "Bad Gateway", problem.Title)
	require.Contains(t, problem.Detail, "no answer from http://127.0.0.1:1:")
	require.Contains(t, problem.Detail, "refused")
	require.Contains(t, problem.Detail, "check that")
	require.NotEmpty(t, history(kept)[0].Err)
	require.Nil(t, history(kept)[0].Response)
}

// bothSuites judges by both suites of the taxi interface.
var bothSuites = live.Options{Now: time.Now, Request: &callingside.Suite, Answer: &dispatchside.Suite}

// TestCompressedBodiesCountDecompressedSize checks that a compressed body counts with the size of its
// decompressed text, up to the limit of a body.
func TestCompressedBodiesCountDecompressedSize(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write(bytes.Repeat([]byte(" "), 1<<20))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	l := live.New(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }), bothSuites)
	t.Cleanup(l.Close)
	r := httptest.NewRequest(http.MethodPost, "/config", &packed)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Content-Encoding", "gzip")
	l.ServeHTTP(httptest.NewRecorder(), r)
	require.InDelta(t, 64<<10, l.Stats().Bytes, 8<<10)
}
