package query_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/ledger"
	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/conformance/journal/live/query"
)

// first waits for a call, and returns the first that is stored.
func (l *served) first(t testing.TB) map[string]any {
	t.Helper()
	code, v, text := l.ask(t, "POST", "/requests/wait", `{"timeout":"60s"}`)
	require.Equal(t, 200, code, text)
	return v["requests"].([]any)[0].(map[string]any)
}

// TestTruncatedAnswersAreRecordedAsSent checks what is recorded of answers that are cut short in each way that
// a fault may cut them.
func TestTruncatedAnswersAreRecordedAsSent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		next   func(http.ResponseWriter, *http.Request)
		status float64
		err    string
		body   string
	}{
		"panic before": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 0, "the connection was closed in place of an answer", ""},
		"panic amid": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"half":`))
			panic(http.ErrAbortHandler)
		}, 200, "the answer broke off", `{"half":`},
		"hijack and close": {func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_ = conn.Close()
			}
		}, 0, "the connection was closed in place of an answer", ""},
		"hijack and garbage": {func(w http.ResponseWriter, _ *http.Request) {
			conn, buffer, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_, _ = buffer.WriteString("what?\r\n\r\n")
				_ = buffer.Flush()
				_ = conn.Close()
			}
		}, 0, `the answer was not HTTP: malformed HTTP response "what?"`, ""},
		"hijack and half": {func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_, _ = conn.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"half\":"))
				_ = conn.Close()
			}
		}, 200, "the answer broke off: unexpected EOF", `{"half":`},
		"flushed": {func(w http.ResponseWriter, _ *http.Request) {
			w.(http.Flusher).Flush()
			_, _ = w.Write([]byte(`x`))
		}, 200, "", "x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set(live.FaultHeader, "f-7")
				_, _ = io.Copy(io.Discard, r.Body)
				c.next(w, r)
			}), nil)
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, l.url+"/config", strings.NewReader("{}"))
			require.NoError(t, err)
			if resp, err := http.DefaultClient.Do(req); err == nil {
				_ = resp.Body.Close()
			}
			v := l.first(t)
			require.Equal(t, "f-7", v["fault"])
			if c.status > 0 {
				require.InDelta(t, c.status, v["status"], 0)
				require.Equal(t, c.body, v["answer"].(map[string]any)["text"])
			}
			if c.err != "" {
				require.Equal(t, c.err, v["error"])
			}
			require.NotEmpty(t, v["request"])
		})
	}
}

// TestHangUpOfTheClientIsRecorded checks that the journal records that a client hung up before the end of the answer.
func TestHangUpOfTheClientIsRecorded(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	l := listen(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		cancel()
		<-r.Context().Done()
	}), nil)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url+"/config", strings.NewReader("{}"))
	require.NoError(t, err)
	_, err = http.DefaultClient.Do(req) //nolint:bodyclose // there is none
	require.Error(t, err)
	require.Equal(t, "the caller hung up before the end of the answer", l.first(t)["error"])
}

// TestDisconnectAfterFullAnswerIsNoError checks that a client may disconnect after the whole answer without an
// error, though the handler has yet to return.
func TestDisconnectAfterFullAnswerIsNoError(t *testing.T) {
	t.Parallel()
	l := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Length", "2")
		_, _ = io.WriteString(w, "{}")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}), nil)
	var transport http.Transport
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, l.url+"/config", strings.NewReader("{}"))
	require.NoError(t, err)
	resp, err := (&http.Client{Transport: &transport}).Do(req)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	transport.CloseIdleConnections()
	v := l.first(t)
	require.NotContains(t, v, "error")
	require.InDelta(t, 200, v["status"], 0)
}

// TestOddBodiesAreRecordedAsSent checks that unusual bodies are recorded as they were sent, and can be exported in every format.
func TestOddBodiesAreRecordedAsSent(t *testing.T) {
	t.Parallel()
	l := listen(t, system(t), nil)
	deep := strings.Repeat("[", 9_000)
	for body, want := range map[string]func(sent map[string]any){
		`{"phoneNumber":"1","phoneNumber":"2"}`: func(s map[string]any) { require.NotNil(t, s["body"]) },
		"\xff\xfe":                              func(s map[string]any) { require.Equal(t, "//4=", s["base64"]) },
		deep:                                    func(s map[string]any) { require.Equal(t, deep, s["text"]) },
		`{"a":1e999}`:                           func(s map[string]any) { require.NotNil(t, s) },
		`null`:                                  func(s map[string]any) { require.EqualValues(t, 4, s["bytes"]) },
		"":                                      func(s map[string]any) { require.EqualValues(t, 0, s["bytes"]) },
		`{"phoneNumber":{"a":[1,2,{"b":null}]},"data":7,"` + "\u2028" + `":"</script>"}`: func(s map[string]any) { require.NotNil(t, s["body"]) },
	} {
		l.Clear()
		h := l.call(t, "/user", body)
		require.Equal(t, "fail", h.Get(live.VerdictHeader), "%.40q", body)
		code, v, text := l.ask(t, "GET", "/requests", "")
		require.Equal(t, 200, code, text)
		want(v["requests"].([]any)[0].(map[string]any)["sent"].(map[string]any))
		for _, as := range []string{"curl", "http", "har"} {
			code, _, _ := l.ask(t, "GET", "/requests/"+h.Get(live.RequestHeader)+"?as="+as, "")
			require.Equal(t, 200, code)
		}
	}
}

// TestALongBodyIsJudgedLater checks that a call with a long body is answered before it is judged, so that the
// client need not wait.
func TestALongBodyIsJudgedLater(t *testing.T) {
	t.Parallel()
	l := listen(t, system(t), nil)
	h := l.call(t, "/user", `{"phoneNumber":"+1","data":{"x":"`+strings.Repeat("x", 20<<10)+`"}}`)
	require.Empty(t, h.Get(live.VerdictHeader))
	require.Equal(t, "fail", l.first(t)["verdict"])
}

// TestDeeplyNestedBodiesAreListed checks that calls with deeply nested bodies are listed, one of them nested
// as deep as JSON may be. The answer, which would be nested deeper, has all calls.
func TestDeeplyNestedBodiesAreListed(t *testing.T) {
	t.Parallel()
	l := listen(t, system(t), nil)
	for _, levels := range []int{8_999, 9_990, 9_999} {
		body := `{"a":` + strings.Repeat("[", levels-1) + `"\"["` + strings.Repeat("]", levels-1) + `}`
		l.call(t, "/config", body)
		code, v, text := l.ask(t, "GET", "/requests?limit=1", "")
		require.Equal(t, 200, code, "%d: %s", levels, text)
		sent := v["requests"].([]any)[0].(map[string]any)["sent"].(map[string]any)
		require.Equal(t, levels < 9_000, sent["body"] != nil, levels)
		require.Equal(t, levels > 9_000, sent["text"] == body, levels)
	}
	l.call(t, "/config", `{}`)
	_, v, text := l.ask(t, "GET", "/requests", "")
	require.Len(t, ids(v), 4, text)
}

// TestCredentialsAreHidden checks that every credential of a call is hidden wherever the call is shown, also
// in URLs, in findings that quote them and in a Location header. The interface has no query parameters, so
// that each of them may hold a credential.
func TestCredentialsAreHidden(t *testing.T) {
	t.Parallel()
	answering := system(t)
	leads := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "/book?token=s3cret-2")
		answering.ServeHTTP(w, r)
	})
	l := listen(t, leads, nil)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, l.url+"/config?v=s3cret-1&apikey=s3cret&s3cret", strings.NewReader("{}"))
	require.NoError(t, err)
	req.Header = http.Header{
		"Authorization": {"Bearer s3cret"}, "Cookie": {"a=s3cret"}, "X-Api-Key": {"s3cret"}, "X-Auth-Token": {"s3cret"}, "X-Latin": {"\xe9"},
		"Content-Type": {"application/json"},
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	l.call(t, "/konfig?token=s3cret", `{}`)
	for _, path := range []string{
		"/requests", "/requests/1", "/requests/2", "/requests/1?as=har", "/requests/1?as=har&masked=false", "/requests/1?as=http", "/requests/1?as=curl",
		"/report", "/report?as=har", "/report?as=har&masked=false", "/report?as=junit", "/report?as=html", "/report?as=markdown",
	} {
		code, _, text := l.ask(t, "GET", path, "")
		require.Equal(t, 200, code)
		require.NotContains(t, text, "s3cret", path)
	}
	_, v, _ := l.ask(t, "GET", "/requests/1", "")
	require.Equal(t, l.url+"/config?v=hidden&apikey=hidden&hidden", v["url"])
	require.Equal(t, []any{"/book?token=hidden"}, v["answer"].(map[string]any)["header"].(map[string]any)["Location"])
	_, v, _ = l.ask(t, "GET", "/requests/2", "")
	require.Contains(t, v["findings"].([]any)[0].(map[string]any)["got"], "/konfig?token=hidden")
}

// TestManyExpectationsReadEachBodyOnce checks that a verification parses each body only once, however many
// expectations it has, and fails if its client has gone.
func TestManyExpectationsReadEachBodyOnce(t *testing.T) { // not parallel: it counts what is allocated
	l := listen(t, system(t), nil)
	body := `{"data":[` + strings.Repeat(`{"k":"v"},`, 500) + `0]}`
	for range 10 {
		l.call(t, "/config", body)
	}
	verify := func(ctx context.Context, expectations int) int {
		one := `{"times":0,"match":{"body":{"/data/7/k":"v"}}}`
		question := `{"expect":[` + strings.Repeat(one+",", expectations-1) + one + `]}`
		w := httptest.NewRecorder()
		l.API().ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodPost, "/verify", strings.NewReader(question)))
		return w.Code
	}
	allocated := func(expectations int) float64 {
		return ledger.Work("a verification", 1, func() { verify(t.Context(), expectations) })[1].Count
	}
	require.Equal(t, 409, verify(t.Context(), 1))
	require.Less(t, allocated(60), 5*allocated(1))
	gone, leave := context.WithCancel(t.Context())
	leave()
	require.Equal(t, 500, verify(gone, 60))
}

// TestHugeBodiesAreCut checks that the huge bodies of requests and answers are cut, and that the size of all
// stored calls is bounded.
func TestHugeBodiesAreCut(t *testing.T) {
	t.Parallel()
	huge := bytes.Repeat([]byte("x"), 1<<20)
	l := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = w.Write(huge)
	}), func(o *query.Options) { o.MostBody, o.MostBytes = 1<<10, 64<<10 })
	for range 50 {
		l.call(t, "/config", `{"data":"`+string(huge)+`"}`)
	}
	_, v, _ := l.ask(t, "GET", "/requests?limit=1", "")
	require.Less(t, v["kept"], 40.0)
	require.Greater(t, v["kept"], 10.0)
	require.InDelta(t, 50, v["kept"].(float64)+v["gone"].(float64), 0)
	last := v["requests"].([]any)[0].(map[string]any)
	answer := last["answer"].(map[string]any)
	require.Equal(t, []any{1.0 * (1 << 20), 1.0*(1<<20) - (1 << 10)}, []any{answer["bytes"], answer["cut"]})
}

// TestConcurrentCallsAreRecorded checks that concurrent calls are recorded while others query the journal and clear it.
func TestConcurrentCallsAreRecorded(t *testing.T) {
	t.Parallel()
	l := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = w.Write([]byte(`{"status":"OK"}`))
	}), func(o *query.Options) { o.Most = 50 })
	var calls sync.WaitGroup
	var made atomic.Int64
	for range 8 {
		calls.Go(func() {
			for range 50 {
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, l.url+"/config", strings.NewReader(`{}`))
				if err != nil {
					t.Error(err)
					return
				}
				resp, err := http.DefaultClient.Do(req)
				if err != nil {
					t.Error(err)
					return
				}
				_ = resp.Body.Close()
				made.Add(1)
			}
		})
	}
	calls.Go(func() {
		for range 10 {
			l.ask(t, "GET", "/requests?brief", "")
			l.ask(t, "GET", "/report", "")
		}
		l.Clear()
	})
	calls.Wait()
	require.EqualValues(t, 400, made.Load())
	_, v, _ := l.ask(t, "GET", "/requests?limit=1", "")
	require.LessOrEqual(t, v["kept"], 50.0)
	if got := ids(v); len(got) > 0 {
		require.Equal(t, []int{400}, got)
	}
}

// TestStalledEventStreamBlocksNobody checks that a client of the event stream that never reads does not block calls or queries.
func TestStalledEventStreamBlocksNobody(t *testing.T) {
	t.Parallel()
	l := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = w.Write(make([]byte, 60<<10))
	}), func(o *query.Options) { o.Most = 20 })
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(l.api, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	_, err = conn.Write([]byte("GET /requests/stream?after=0 HTTP/1.1\r\nHost: x\r\n\r\n"))
	require.NoError(t, err)
	for range 100 {
		l.call(t, "/config", `{}`)
	}
	_, v, _ := l.ask(t, "GET", "/requests?brief", "")
	require.Len(t, ids(v), 20)
}
