//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// TestResumedReplicaExecutesNoStaleRequests checks that a replica that was stopped for longer than a lease refuses
// the requests that arrived meanwhile. Their client has given up, and repeated them at the owner of the world.
func TestResumedReplicaExecutesNoStaleRequests(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts processes")
	}
	t.Parallel()
	r := startReplicas(t, program(t, false), 2, "--town", "none")
	owner, sleeper := r.list()[0], r.list()[1]
	require.Equal(t, http.StatusCreated, owner.addSandbox("ann").Status)

	kept := dial(t, sleeper)
	kept.send(http.MethodGet, "/_control/v1/sandboxes", "")
	require.Equal(t, http.StatusOK, kept.answer().Status)
	require.NoError(t, sleeper.Cmd.Process.Signal(syscall.SIGSTOP))
	var status syscall.WaitStatus // until it has stopped, it may read what it gets
	_, err := syscall.Wait4(sleeper.Cmd.Process.Pid, &status, syscall.WUNTRACED, nil)
	require.NoError(t, err)
	require.True(t, status.Stopped())
	stopped := time.Now() // its latest beat may be older
	fresh := dial(t, sleeper)
	place := `{"address":"High Street","location":{"latitude":54,"longitude":2}}`
	booking := fmt.Sprintf(`{"name":"Ann","phoneNumber":"+447700900123","pickup":%s,"dropoffs":[%s],"pickupTime":%q}`,
		place, strings.Replace(place, "54", "54.01", 1), time.Now().Add(24*time.Hour).Format(time.RFC3339))
	fresh.send(http.MethodPost, "/book", booking)
	kept.send(http.MethodPut, "/_control/v1/system", `{"status":"OK","data":{"n":1}}`)

	answer := clitest.Post(t, owner.URL+"/s/ann/book", booking)
	require.Equal(t, http.StatusOK, answer.Status, answer.Body)
	booked := clitest.Decode[taxi.Journey](t, answer.Body)
	users := clitest.Post(t, owner.URL+"/s/ann/user", `{"phoneNumber":"447700900123"}`)
	ref := fmt.Sprintf(`{"userId":%q,"journeyId":%q}`, clitest.Decode[taxi.EndUser](t, users.Body).UserID, booked.JourneyID)
	require.Equal(t, http.StatusOK, clitest.Post(t, owner.URL+"/s/ann/cancel", ref).Status)
	require.Equal(t, http.StatusOK, clitest.Send(t, http.MethodPut, owner.URL+"/s/ann/_control/v1/system", `{"status":"OK","data":{"n":2}}`, withTeamToken).Status)

	const lease = 3 * time.Second
	inDatabase(t, r.url, func(conn *pgx.Conn) error { // it has slept for as long as a lease is trusted
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := conn.Exec(ctx, `SELECT pg_sleep_until(greatest(until, $2) + interval '2 seconds') FROM replicas WHERE address = $1`, sleeper.URL, stopped.Add(lease))
		return err
	})
	require.NoError(t, sleeper.Cmd.Process.Signal(syscall.SIGCONT))
	for _, conn := range []*rawConn{fresh, kept} {
		late := conn.answer()
		require.Equal(t, http.StatusServiceUnavailable, late.Status, late.Body)
		require.Equal(t, "1", late.Header.Get("Retry-After"))
		require.Contains(t, late.Body, "it was not executed")
	}
	users = clitest.Post(t, owner.URL+"/s/ann/user", `{"phoneNumber":"447700900123"}`)
	require.Empty(t, clitest.Decode[taxi.EndUser](t, users.Body).ActiveBookings)
	set := clitest.Get(t, owner.URL+"/s/ann/_control/v1/system", withTeamToken)
	require.Contains(t, set.Body, `"n":2`)
	require.Eventually(t, func() bool {
		return clitest.Post(t, sleeper.URL+"/s/ann/config", "{}").Status == http.StatusOK
	}, time.Minute, 10*time.Millisecond, "it answers again")
}

// rawConn is a connection to a replica whose requests and answers a test sends and reads apart.
type rawConn struct {
	net.Conn

	t    *testing.T
	read *bufio.Reader
}

func dial(t *testing.T, p *process) *rawConn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.URL, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	return &rawConn{conn, t, bufio.NewReader(conn)}
}

// send sends a request to the world "ann", or to a call of no world.
func (c *rawConn) send(method, path, body string) {
	c.t.Helper()
	if method != http.MethodGet {
		path = "/s/ann" + path
	}
	_, err := fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		method, path, teamToken, len(body), body)
	require.NoError(c.t, err)
}

func (c *rawConn) answer() clitest.Answer {
	c.t.Helper()
	resp, err := http.ReadResponse(c.read, nil)
	require.NoError(c.t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(c.t, err)
	return clitest.Answer{Status: resp.StatusCode, Header: resp.Header, Body: string(text)}
}
