package serving

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// bare are the flags that leave nothing but the operations.
var bare = []string{"--no-journal", "--no-control", "--variation", "0"}

// composed is a server as serve starts it, with a journey to ask for.
type composed struct {
	*system
	ref    []byte // the body of /status
	booked int
}

// compose serves until the test ends.
func compose(t testing.TB, args ...string) *composed {
	t.Helper()
	var flags systemFlags
	cmd := &cobra.Command{}
	flags.add(cmd, usual{speed: 1, demand: "none", logging: "off"})
	require.NoError(t, cmd.ParseFlags(append([]string{"--listen", "127.0.0.1:0"}, args...)))
	s, err := flags.start(t.Context(), cmd, cli.Outside{Stdout: io.Discard, Stderr: io.Discard})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.stop()) })
	c := &composed{system: s}
	var j taxi.Journey
	var u taxi.EndUser
	c.ask(t, &j)(c.book())
	c.ask(t, &u)(taxi.PathUser, []byte(`{"phoneNumber":"353860000001"}`))
	c.ref = fmt.Appendf(nil, `{"userId":%q,"journeyId":%q}`, u.UserID, j.JourneyID)
	return c
}

// status asks for a journey that no car has been looked for yet.
func (c *composed) status() (path string, body []byte) { return taxi.PathStatus, c.ref }

// book orders a taxi for a caller who has none, hours ahead.
func (c *composed) book() (path string, body []byte) {
	c.booked++
	return taxi.PathBook, fmt.Appendf(nil, `{"name":"Ada","phoneNumber":"+35386%07d","pickup":{"address":"1 High Street","location":{"longitude":-6.26,"latitude":53.35}},`+
		`"dropoffs":[{"address":"2 High Street","location":{"longitude":-6.25,"latitude":53.345}}],"pickupTime":%q}`,
		c.booked, cli.Now().Add(6*time.Hour).UTC().Format(time.RFC3339))
}

// ask decodes the answer to a request.
func (c *composed) ask(t testing.TB, into any) func(path string, body []byte) {
	return func(path string, body []byte) {
		t.Helper()
		w := httptest.NewRecorder()
		c.handler().ServeHTTP(w, posted(path, body))
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), into))
	}
}

// handler is what the server of the operations answers with.
func (c *composed) handler() http.Handler { return c.servers[0].Handler }

// posted is a request as net/http hands it to a handler.
func posted(path string, body []byte) *http.Request {
	return &http.Request{
		Method: http.MethodPost, URL: &url.URL{Path: path}, RequestURI: path, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Host: "localhost",
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), RemoteAddr: "127.0.0.1:1",
	}
}

// discarded is an answer that nobody reads.
type discarded struct {
	header http.Header
	status int
}

func (d *discarded) Header() http.Header         { return d.header }
func (d *discarded) WriteHeader(status int)      { d.status = status }
func (d *discarded) Write(b []byte) (int, error) { return len(b), nil }
