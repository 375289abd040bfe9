package metrics

import (
	"bufio"
	"net"
	"net/http"
	"strconv"
	"strings"
)

// noAnswer is the label for a missing status: a fault closed the connection or wrote
// something that is not HTTP, or the client disconnected.
const noAnswer = "none"

// countedAnswer records the status of a response.
type countedAnswer struct {
	http.ResponseWriter
	status int          // 0: nothing was sent
	taken  *countedConn // after Hijack; nil: not hijacked
}

// WriteHeader implements [http.ResponseWriter].
func (a *countedAnswer) WriteHeader(status int) {
	if a.status < http.StatusOK { // an earlier status was not final
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (a *countedAnswer) Write(b []byte) (int, error) {
	if a.status < http.StatusOK {
		a.status = http.StatusOK
	}
	return a.ResponseWriter.Write(b)
}

// Unwrap is for [http.ResponseController].
func (a *countedAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// Flush implements [http.Flusher].
func (a *countedAnswer) Flush() { _ = http.NewResponseController(a.ResponseWriter).Flush() } // the client may have disconnected

// Hijack implements [http.Hijacker]: the status is then read from the bytes written to
// the connection.
func (a *countedAnswer) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffer, err := http.NewResponseController(a.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	a.taken = &countedConn{Conn: conn}
	buffer.Writer.Reset(a.taken)
	return a.taken, buffer, nil
}

// code returns the status, once the handler has returned.
func (a *countedAnswer) code() string {
	status := a.status
	if a.taken != nil {
		status = a.taken.status()
	}
	if status < http.StatusOK || status > 599 {
		return noAnswer
	}
	return strconv.Itoa(status)
}

// countedConn stores the first bytes written to a connection. A handler writes before it
// returns, and from one goroutine.
type countedConn struct {
	net.Conn
	began []byte
}

// statusLine is an example of a response's beginning, up to its status.
const statusLine = "HTTP/1.1 200"

// Write implements [io.Writer].
func (c *countedConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.began = append(c.began, b[:min(n, len(statusLine)-len(c.began))]...)
	return n, err
}

// NetConn returns the underlying connection, for code that resets it instead of closing
// it.
func (c *countedConn) NetConn() net.Conn { return c.Conn }

// status returns the status at the beginning of the response; 0: none, or not HTTP.
func (c *countedConn) status() int {
	_, digits, _ := strings.Cut(string(c.began), " ")
	if !strings.HasPrefix(string(c.began), "HTTP/1.") || len(c.began) < len(statusLine) {
		return 0
	}
	status, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return status
}
