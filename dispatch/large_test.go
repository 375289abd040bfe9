package dispatch_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// longRequest is a booking whose texts are as long as they may be: visible ASCII in each field.
func (h *house) longRequest(text string) taxi.BookRequest {
	r := h.request()
	r.Name = strings.Repeat(text, 256)
	r.Pickup.Address = strings.Repeat(text, 1000)
	long := *r.Pickup
	r.Dropoffs = nil
	for range 10 {
		r.Dropoffs = append(r.Dropoffs, long)
	}
	return r
}

// postPlain books in a body without escapes, which would make it too long.
func (h *house) postPlain(r taxi.BookRequest) (reply, []byte) {
	h.t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	require.NoError(h.t, e.Encode(r))
	return h.post(taxi.PathBook, b.String())
}

// TestTheTextsOfAJourneyAreBounded books with long texts: each may be as long as it may be by
// itself, and in other scripts they are counted in bytes.
func TestTheTextsOfAJourneyAreBounded(t *testing.T) {
	h := newHouse(t)
	resp, _ := h.postPlain(h.longRequest("<"))
	require.Equal(t, http.StatusOK, resp.StatusCode)
	r := h.longRequest("長")
	resp, body := h.postPlain(r)
	p := problem(t, resp, body)
	require.Equal(t, taxi.CodeValidationFailed, p.Code)
	require.Equal(t, "/dropoffs/4/address", p.Errors[0].Pointer)
	require.Contains(t, p.Errors[0].Detail, "16384 bytes")
	r.Dropoffs = r.Dropoffs[:4]
	h.book(r)

	resp, body = h.post(taxi.PathUser, `{"phoneNumber":"442079460001"}`)
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Less(t, len(body), 40_000, "texts are as long in answers")
	require.Contains(t, string(body), strings.Repeat("<", 1000))
}

// TestAnswersThatNobodyReadsAreBounded has clients ask for a user with a hundred long bookings, and
// read no more than the first line.
func TestAnswersThatNobodyReadsAreBounded(t *testing.T) {
	h := newHouse(t)
	pipes := make(pipeListener)
	server := dispatch.Server(h.service.Handler(time.Now, dispatch.HTTPOptions{}))
	go func() { _ = server.Serve(pipes) }()
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	for i := range 100 {
		r := h.longRequest("<")
		r.PickupTime = taxi.At(h.now.Add(time.Duration(i) * time.Minute))
		resp, _ := h.postPlain(r)
		require.Equal(t, http.StatusOK, resp.StatusCode)
	}
	var held []net.Conn
	refused := 0
	for range 60 {
		conn, good, p := pipes.ask(t, taxi.PathUser)
		held = append(held, conn)
		if !good {
			refused++
			require.Equal(t, taxi.CodeServerBusy, p.Code)
			require.Equal(t, 2*time.Second, p.RetryAfter)
		}
	}
	require.Equal(t, 60-28, refused, "28 answers of 1.2 MB are under way")
	_, good, _ := pipes.ask(t, taxi.PathConfig)
	require.True(t, good, "what is short is answered")

	for _, conn := range held {
		require.NoError(t, conn.Close())
	}
	require.Eventually(t, func() bool { _, good, _ = pipes.ask(t, taxi.PathUser); return good }, time.Minute, time.Millisecond, "once the server has noticed")
}

// pipeListener accepts connections without buffers: what nobody reads is not written.
type pipeListener chan net.Conn

func (l pipeListener) Accept() (net.Conn, error) {
	conn, open := <-l
	if !open {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (l pipeListener) Close() error {
	close(l)
	return nil
}

func (pipeListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// ask makes a request over a connection of its own, and reads no more of a good answer than its
// headers.
func (l pipeListener) ask(t *testing.T, path string) (conn net.Conn, good bool, refused taxi.Problem) {
	t.Helper()
	conn, server := net.Pipe()
	l <- server
	t.Cleanup(func() { _ = conn.Close() })
	const body = `{"phoneNumber":"442079460001"}`
	_, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, len(body), body)
	require.NoError(t, err)
	answer := textproto.NewReader(bufio.NewReader(conn))
	line, err := answer.ReadLine()
	require.NoError(t, err)
	header, err := answer.ReadMIMEHeader()
	require.NoError(t, err)
	if line == "HTTP/1.1 200 OK" {
		return conn, true, refused
	}
	require.NoError(t, json.NewDecoder(answer.R).Decode(&refused))
	refused.RetryAfter, err = time.ParseDuration(header.Get("Retry-After") + "s")
	require.NoError(t, err)
	return conn, false, refused
}
