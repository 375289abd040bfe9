package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/store/leases"
	"github.com/cabrank/cabrank/store/postgresdb"
	"github.com/cabrank/cabrank/store/postgresdb/postgrestest"
)

// TestPassedOn sends requests for worlds of one replica to another.
func TestPassedOn(t *testing.T) {
	s, db := newParallelShell(t), postgrestest.URL(t)
	owner, stopOwner := s.Serve("--town", "none", "--db", db)
	other, stopOther := s.Serve("--town", "none", "--db", db)
	defer stopOther()
	post := func(base, path string) (status int, err error) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+path, strings.NewReader("{}"))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return 0, err
		}
		return resp.StatusCode, resp.Body.Close()
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
		_, err = leases.New(shared).Create(t.Context(), "ben", []byte(`{}`), by, 2*time.Second)
		require.NoError(t, err)
		status, err := post(other, "/s/ben/config")
		require.NoError(t, err)
		require.Equal(t, http.StatusServiceUnavailable, status, "its lease is over")
	})
	stopOwner()
}
