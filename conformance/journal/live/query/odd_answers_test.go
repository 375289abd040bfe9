package query_test

import (
	"bufio"
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOddAnswersAreShownByEveryOperation checks that every operation of the API that shows answers can show those that are
// invalid UTF-8, unusual JSON or broken HTTP.
func TestOddAnswersAreShownByEveryOperation(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		bytes  string // of the body, or of the connection
		hijack bool
		base64 bool
	}{
		"no UTF-8":           {bytes: "{\"note\":\"caf\xe9\",\"userId\":\"u-\xff\",\"phoneNumber\":\"442079460020\"}", base64: true},
		"a name no UTF-8":    {bytes: "{\"caf\xe9\":1,\"userId\":\"u\"}", base64: true},
		"UTF-16":             {bytes: "\xff\xfe{\x00}\x00", base64: true},
		"half a surrogate":   {bytes: `{"userId":"u","name":"\ud83d"}`},
		"a byte-order mark":  {bytes: "\ufeff{}"},
		"half a letter":      {bytes: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{\"userId\":\"u-1\",\"name\":\"Zo\xc3", hijack: true, base64: true},
		"an odd header":      {bytes: "HTTP/1.1 200 OK\r\nContent-Type: application/\xff\r\nContent-Length: 2\r\n\r\n{}", hijack: true},
		"no HTTP":            {bytes: "\x15\x03\x01\x00\x02\x02\x16 no HTTP \xff\xfe\x00\r\n\r\n", hijack: true},
		"no length":          {bytes: "HTTP/1.1 200 OK\r\nContent-Length: \xff\r\n\r\n{}", hijack: true},
		"no length of chunk": {bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\xff\r\n{}", hijack: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				if !c.hijack {
					w.Header().Set("Content-Type", "application/json")
					_, _ = w.Write([]byte(c.bytes))
					return
				}
				conn, _, err := w.(http.Hijacker).Hijack()
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = conn.Write([]byte(c.bytes))
				_ = conn.Close()
			}), nil)
			resp, err := http.Post(l.url+"/user", "application/json", strings.NewReader(`{"phoneNumber":"442079460020"}`)) //nolint:noctx // it ends by itself
			if err == nil {
				require.NoError(t, resp.Body.Close())
			}
			for question, want := range map[string]int{
				"GET /requests": 200, "GET /requests?brief": 200, "GET /requests/1": 200, "GET /requests/1?masked": 200, "GET /requests/1?as=curl": 200, "GET /requests/1?as=har": 200,
				"GET /requests/1?as=http": 200, "POST /requests/find {}": 200, `POST /requests/wait {"match":{"op":"user"}}`: 200,
				`POST /requests/wait {"match":{"op":"book","answer":{"/userId":"x","/note":"x","/name":"x"}},"timeout":"1ms"}`: 408,
				`POST /verify {"expect":[{"op":"book","match":{"userId":"x","answer":{"/userId":"x","/note":"x"}}}]}`:          409,
				"GET /report": 200, "GET /report?as=har&suite=third-party": 200, "GET /report?as=junit&suite=third-party": 200, "GET /report?as=html&suite=third-party": 200, "GET /report?as=markdown&suite=third-party": 200,
			} {
				part := strings.SplitN(question, " ", 3)
				code, v, text := l.ask(t, part[0], part[1], strings.Join(part[2:], ""))
				require.Equal(t, want, code, "%s: %s", question, text)
				if code >= 400 {
					require.EqualValues(t, code, v["status"], text)
				}
			}
			_, v, text := l.ask(t, "GET", "/requests/1", "")
			if c.base64 {
				raw, err := base64.StdEncoding.DecodeString(v["answer"].(map[string]any)["base64"].(string))
				require.NoError(t, err, text)
				require.True(t, strings.HasSuffix(c.bytes, string(raw)), text)
			}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, l.api+"/requests/stream?after=0", nil)
			require.NoError(t, err)
			stream, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			defer stream.Body.Close()
			lines := bufio.NewScanner(stream.Body)
			for lines.Scan() && lines.Text() != "event: request" {
			}
			require.Equal(t, "event: request", lines.Text())
		})
	}
}

// TestUnreportedJourneyIsFoundByItsID checks that a call is found by the id of the journey that it made, if
// the handler reported it and the answer did not.
func TestUnreportedJourneyIsFoundByItsID(t *testing.T) {
	t.Parallel()
	l := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.(interface{ Made(name, id string) }).Made("journeyId", "J7")
		w.WriteHeader(http.StatusInternalServerError)
	}), nil)
	l.call(t, "/book", `{}`)
	_, v, text := l.ask(t, "GET", "/requests?journeyId=J7", "")
	require.Equal(t, []int{1}, ids(v), text)
	_, v, _ = l.ask(t, "GET", "/requests/1", "")
	require.Equal(t, []any{"J7", "J7"}, []any{v["journeyId"], v["untold"]})
}
