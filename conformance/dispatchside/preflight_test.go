package dispatchside_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// spurt sends raw bytes in place of an answer.
func spurt(bytes string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, bytes)
	}
}

// TestPreflightSaysWhatToDo checks that the preflight ends at the step that fails and says what to do about
// it, on servers that cannot be tested.
func TestPreflightSaysWhatToDo(t *testing.T) {
	t.Parallel()
	answers := func(status int, kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Header().Set("WWW-Authenticate", "Bearer realm=taxi")
			w.Header().Set("Location", "https://elsewhere.example/")
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	atOnce := func(ctx context.Context, _ time.Duration) bool { return ctx.Err() == nil }
	for _, row := range []struct {
		handler    http.HandlerFunc
		auth       taxi.Auth
		step, cure string
	}{
		{answers(503, "text/plain", "down"), nil, "HTTP", "look at the server's log"},
		{answers(429, "text/plain", "no"), nil, "HTTP", "remove the rate limit"},
		{func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, nil, "HTTP", "closed in place of an answer"},
		{spurt("SSH-2.0-OpenSSH_9.6\r\n"), nil, "HTTP", "does not speak HTTP"},
		{answers(401, "text/plain", "no"), nil, "auth", "it asks for Bearer"},
		{answers(403, "text/plain", "no"), taxi.Bearer("x"), "auth", "refuses those given"},
		{answers(404, "text/plain", "no"), nil, "path", "check the path"},
		{answers(307, "text/plain", "no"), nil, "path", "https://elsewhere.example/"},
		{answers(200, "text/html", "<!doctype html>"), nil, "JSON", "web site"},
		{answers(200, "text/plain", "fine"), nil, "JSON", "one JSON object"},
	} {
		var steps []conformance.Step
		_, err := run(t, row.handler, dispatchside.Target{Seed: 1, Auth: row.auth, Pause: atOnce, Preflight: func(s conformance.Step) { steps = append(steps, s) }})
		var unreachable *conformance.Unreachable
		require.ErrorAs(t, err, &unreachable)
		last := steps[len(steps)-1]
		require.Equal(t, unreachable.Steps, steps)
		require.Equal(t, row.step, last.Name)
		require.False(t, last.OK)
		require.Contains(t, last.Cure, row.cure)
	}
	var steps []conformance.Step
	early := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", now().Add(-time.Hour).UTC().Format(http.TimeFormat))
		dispatchsidetest.NewVendor(dispatchsidetest.None).ServeHTTP(w, r)
	})
	report := check(t, early, dispatchside.Target{Seed: 1, Now: now, Only: []string{"CFG-01"}, Preflight: func(s conformance.Step) { steps = append(steps, s) }})
	require.Equal(t, report.Preflight, steps)
	var names []string
	for _, s := range steps {
		names = append(names, s.Name)
		require.True(t, s.OK)
		require.Equal(t, s.Name == "clock", s.Cure != "", "%+v", s)
	}
	require.Equal(t, []string{"DNS", "TCP", "HTTP", "auth", "path", "JSON", "clock", "/config", "plan"}, names)
}

// TestHostNameIsResolvedOnce checks that a host name is resolved once, by the dialler, so that the guard decides
// about the address that is dialled, and that the address of a forbidden server is not disclosed.
func TestHostNameIsResolvedOnce(t *testing.T) {
	var asked atomic.Int64
	usual := net.DefaultResolver
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		asked.Add(1)
		ours, theirs := net.Pipe()
		go answerName(theirs, 10, 99, 98, 97)
		return ours, nil
	}}
	t.Cleanup(func() { net.DefaultResolver = usual })
	var steps []conformance.Step
	_, err := dispatchside.Run(t.Context(), dispatchside.Target{
		URL: "http://inside.example.", AllowHost: true, Guard: outbound.ThisMachine(), Now: time.Now, Seed: 1,
		Preflight: func(s conformance.Step) { steps = append(steps, s) },
	})
	require.Error(t, err)
	require.Len(t, steps, 2)
	require.True(t, steps[0].OK, "%+v", steps)
	require.Equal(t, "TCP", steps[1].Name)
	require.Contains(t, steps[1].Cure, "cabrank check")
	require.NotContains(t, fmt.Sprint(steps, err), "10.99.98.97") // part of it may be a duration
	require.EqualValues(t, 2, asked.Load(), "its addresses of both kinds, once")
}

// answerName answers one DNS query over TCP: the name has one IPv4 address.
func answerName(conn net.Conn, ip ...byte) {
	defer conn.Close()
	var size [2]byte
	if _, err := io.ReadFull(conn, size[:]); err != nil {
		return
	}
	query := make([]byte, binary.BigEndian.Uint16(size[:]))
	if _, err := io.ReadFull(conn, query); err != nil {
		return
	}
	const header = 12
	end := header
	for query[end] != 0 {
		end += int(query[end]) + 1
	}
	end += 5 // the root, the type and the class
	answer := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, query[header:end]...)
	if query[end-3] == 1 { // it asks for an address of IPv4
		answer[7] = 1
		answer = append(answer, 0xc0, header, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4)
		answer = append(answer, ip...)
	}
	_, _ = conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...))
}
