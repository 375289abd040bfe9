package live_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
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
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// told answers every call with the same body, in an encoding of HTTP.
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

// ofConfig returns the verdict on a check for /config.
func ofConfig(r *conformance.Report, id string) conformance.Outcome {
	for _, c := range r.Checks {
		if c.ID == id && c.Operation == rules.OpConfig {
			return c.Outcome
		}
	}
	return ""
}

// TestAnswersAreJudgedAsTheirReaderSeesThem has answers that are compressed, and
// such as cannot be known whole.
func TestAnswersAreJudgedAsTheirReaderSeesThem(t *testing.T) {
	t.Parallel()
	const fine = `{"status":"OK"}`
	long := `{"status":"` + strings.Repeat("OK", 1<<19) + `"}`
	for name, row := range map[string]struct {
		encoding string
		body     []byte
		want     conformance.Outcome
	}{
		"plain":              {"", []byte(fine), conformance.Pass},
		"gzip":               {"gzip", gzipped(t, fine), conformance.Pass},
		"deflate":            {"deflate", deflated(t, fine, true), conformance.Pass},
		"deflate, bare":      {"deflate", deflated(t, fine, false), conformance.Pass},
		"not what it says":   {"gzip", []byte("<html>"), conformance.Fail},
		"broken gzip":        {"gzip", gzipped(t, fine)[:20], conformance.Fail},
		"another encoding":   {"br", []byte("\x0b\x07\x80"), conformance.NotVerified},
		"too long":           {"", []byte(long), conformance.Fail},
		"too long, unpacked": {"gzip", gzipped(t, long), conformance.NotVerified},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kept, address := listening(t, told(row.encoding, row.body))
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/config", strings.NewReader("{}"))
			require.NoError(t, err)
			req.Header.Set("Accept-Encoding", "deflate, gzip, br")
			resp, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			require.Equal(t, row.body, body, "nothing changes on the way")
			report := ended(t, kept, 1)
			require.Equal(t, row.want, ofConfig(report, "W-01"))
			for _, c := range report.Checks {
				require.True(t, c.Outcome != conformance.Fail || row.want == conformance.Fail, c.ID)
			}
		})
	}
}

func TestCompressionThatNobodyAskedForIsStillAFault(t *testing.T) {
	t.Parallel()
	kept, address := listening(t, told("gzip", gzipped(t, `{"status":"OK"}`)))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/config", strings.NewReader("{}"))
	require.NoError(t, err)
	req.Header.Set("Accept-Encoding", "identity")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	report := ended(t, kept, 1)
	require.Equal(t, conformance.Fail, ofConfig(report, "W-11"))
	require.Equal(t, conformance.Pass, ofConfig(report, "CFG-01"))
}

// TestCallersWhoHangUpAreNoFaultOfTheServer reads half of an answer.
func TestCallersWhoHangUpAreNoFaultOfTheServer(t *testing.T) {
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
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/config", strings.NewReader("{}"))
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	_, err = io.ReadFull(resp.Body, make([]byte, 10))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	close(gone)
	for _, c := range ended(t, kept, 1).Checks {
		require.NotEqual(t, conformance.Fail, c.Outcome, "%s %+v", c.ID, c.Findings)
	}
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

// TestAnAnswerMayComeBeforeTheUploadEnds has a server refuse a body that is still
// under way.
func TestAnAnswerMayComeBeforeTheUploadEnds(t *testing.T) {
	t.Parallel()
	hasty := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"journeyId":"j1","status":"WAITING"}`)
	})
	kept, address := listening(t, hasty)
	upload := &endless{make(chan struct{})}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/book", upload)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	if err == nil {
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
	}
	close(upload.closed)
	require.Equal(t, conformance.NotVerified, outcome(ended(t, kept, 1), "BOK-01"), "what was asked for is not known")
}

func TestASilentServerIsNamedToTheCaller(t *testing.T) {
	t.Parallel()
	target, err := url.Parse("http://127.0.0.1:1/taxi")
	require.NoError(t, err)
	kept := live.NewProxy(target, nil, bothSuites)
	t.Cleanup(kept.Close)
	front := httptest.NewServer(kept)
	t.Cleanup(front.Close)
	_, err = client(t, front.URL).Config(t.Context(), taxi.ConfigRequest{})
	problem, ok := errors.AsType[*taxi.Problem](err)
	require.True(t, ok, err)
	require.Equal(t, http.StatusBadGateway, problem.Status)
	require.Equal(t, "Bad Gateway", problem.Title)
	require.Contains(t, problem.Detail, "no answer from http://127.0.0.1:1:")
	require.Contains(t, problem.Detail, "refused")
	require.Contains(t, problem.Detail, "check that")
}

func client(t *testing.T, address string) *taxi.Client {
	t.Helper()
	c, err := taxi.NewClient(address, taxi.ClientOptions{Timeout: time.Minute})
	require.NoError(t, err)
	return c
}
