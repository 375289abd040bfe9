package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/simulator/replica"
	"github.com/cabrank/cabrank/store/leases"
	"github.com/cabrank/cabrank/store/postgresdb"
	"github.com/cabrank/cabrank/store/postgresdb/postgrestest"
)

// TestPassedOn checks that a replica forwards requests for another replica's worlds, also when the connection is cut,
// a sandbox is removed, a body is too long, too many bodies arrive, or the other replica hangs.
func TestPassedOn(t *testing.T) {
	s, db := newParallelShell(t), postgrestest.URL(t)
	owner, stopOwner := s.Serve("--town", "none", "--db", db)
	other, stopOther := s.Serve("--town", "none", "--db", db)
	defer stopOther()
	var post func(base, path string) (status int, err error)
	post = func(base, path string) (status int, err error) {
		answer, err := clitest.Try(t.Context(), http.MethodPost, base+path, "{}")
		if strings.Contains(answer.Body, "did not run for a while") {
			return post(base, path) // a busy machine: it was not executed, and asks for that
		}
		return answer.Status, err
	}

	t.Run("a fault of the connection", func(t *testing.T) {
		s.OK("fault", "add", "close", "--op", "config", "--times", "2", "--url", owner)
		for _, base := range []string{owner, other} {
			_, err := post(base, "/config")
			require.Error(t, err, "the client sees what the owner does to the connection")
		}
		status, err := post(other, "/config")
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, status)
	})

	t.Run("a sandbox that is removed while somebody asks it", func(t *testing.T) {
		s.OK("sandbox", "add", "ann", "--url", owner)
		ended, polled := make(chan struct{}), make(chan struct{})
		go func() { // ends with ended
			defer close(polled)
			for {
				select {
				case <-ended:
					return
				default:
					_, _ = post(other, "/s/ann/config") // it may be gone
				}
			}
		}()
		s.OK("sandbox", "rm", "ann", "--url", other)
		close(ended)
		<-polled
		status, err := post(owner, "/s/ann/config")
		require.NoError(t, err)
		require.Equal(t, http.StatusNotFound, status)
	})

	t.Run("a body that is too long", func(t *testing.T) {
		for name, send := range map[string]io.Reader{
			"announced":  strings.NewReader(strings.Repeat(" ", 65<<10)),
			"in chunks":  io.MultiReader(strings.NewReader(strings.Repeat(" ", 65<<10))),
			"not needed": io.LimitReader(failingBody{}, 3<<20),
		} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, other+"/config", send)
			require.NoError(t, err)
			if name == "not needed" {
				req.ContentLength = 3 << 20
				req.Header.Set("Expect", "100-continue")
			}
			resp, err := http.DefaultClient.Do(req)
			require.NoError(t, err, name)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, http.StatusRequestEntityTooLarge, resp.StatusCode, name)
			require.Equal(t, idOf(t, other), resp.Header.Get(replica.ReplicaHeader), "%s: it is not passed on", name)
		}
	})

	t.Run("more bodies than have room", func(t *testing.T) {
		const calls = 70 // of a megabyte each
		waiting := make([]*io.PipeWriter, 0, calls)
		statuses := make(chan *http.Response, calls)
		for range calls {
			body, w := io.Pipe()
			waiting = append(waiting, w)
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, other+"/_control/v1/system", body)
			require.NoError(t, err)
			req.ContentLength = 1 << 20
			req.Header.Set("Content-Type", "application/json")
			go func() { // ends with the answer
				resp, err := http.DefaultClient.Do(req)
				if err == nil {
					_ = resp.Body.Close()
				}
				statuses <- resp
			}()
			go func() { _, _ = w.Write([]byte(strings.Repeat(" ", 1<<20-1))) }() // ends with the body
		}
		resp := <-statuses
		require.NotNil(t, resp)
		require.Equal(t, http.StatusServiceUnavailable, resp.StatusCode, "the others wait for their last byte")
		require.Equal(t, "1", resp.Header.Get("Retry-After"))
		for _, w := range waiting {
			_ = w.CloseWithError(io.ErrUnexpectedEOF)
		}
		for range calls - 1 {
			<-statuses
		}
		status, err := post(other, "/config")
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, status)
	})

	t.Run("a replica that hangs", func(t *testing.T) {
		hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // so that the end of the connection is noticed
			<-r.Context().Done()
		}))
		defer hangs.Close()
		shared, err := postgresdb.Open(t.Context(), db, postgresdb.Options{})
		require.NoError(t, err)
		defer shared.Close()
		by := leases.Holder{ID: "hangs", Address: hangs.URL}
		by.Term, err = leases.New(shared).Beat(t.Context(), by, 2*time.Second, 1)
		require.NoError(t, err)
		_, err = leases.New(shared).Create(t.Context(), "ben", []byte(`{}`), by)
		require.NoError(t, err)
		status, err := post(other, "/s/ben/config")
		require.NoError(t, err)
		require.Equal(t, http.StatusServiceUnavailable, status, "its lease is over")
	})
	stopOwner()
}

// failingBody is a request body that must not be read: Read returns an error.
type failingBody struct{}

func (failingBody) Read([]byte) (int, error) { return 0, errors.New("it was read") }

// idOf is the id of a replica.
func idOf(t *testing.T, base string) string {
	t.Helper()
	return clitest.Get(t, base+"/livez").Header.Get(replica.ReplicaHeader)
}
