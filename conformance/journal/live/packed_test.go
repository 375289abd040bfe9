package live_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/journal/live"
)

// bothSuites judges by both suites of the taxi interface.
var bothSuites = live.Options{Now: time.Now, Request: &callingside.Suite, Answer: &dispatchside.Suite}

// TestACompressedBodyWeighsWhatItHolds sends a kilobyte that stands for a megabyte.
func TestACompressedBodyWeighsWhatItHolds(t *testing.T) {
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
