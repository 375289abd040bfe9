package control

import (
	"bufio"
	"net"
	"net/http"
	"strconv"
	"strings"
)

// noAnswer stands for the status of an answer that had none: a fault closed the connection
// or wrote what is no HTTP, or the caller broke it off.
const noAnswer = "none"

// countedAnswer notes the status of an answer.
type countedAnswer struct {
	http.ResponseWriter
	status int          // 0: none was sent
	taken  *countedConn // by whoever writes the answer himself; nil: nobody has
}

// WriteHeader implements [http.ResponseWriter].
func (a *countedAnswer) WriteHeader(status int) {
	if a.status < http.StatusOK { // what came before was not final
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
func (a *countedAnswer) Flush() { _ = http.NewResponseController(a.ResponseWriter).Flush() } // an error means that the caller has gone

// Hijack implements [http.Hijacker]: the status is read from what goes over the connection.
func (a *countedAnswer) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffer, err := http.NewResponseController(a.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	a.taken = &countedConn{Conn: conn}
	buffer.Writer.Reset(a.taken)
	return a.taken, buffer, nil
}

// code is the status, once the handler has returned.
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

// countedConn keeps the beginning of what is written to a connection. Whoever has it writes
// before his handler returns, and from one goroutine.
type countedConn struct {
	net.Conn
	began []byte
}

// statusLine is the beginning of an answer up to its status.
const statusLine = "HTTP/1.1 200"

// Write implements [io.Writer].
func (c *countedConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.began = append(c.began, b[:min(n, len(statusLine)-len(c.began))]...)
	return n, err
}

// NetConn is the connection itself, for those who want it reset rather than closed.
func (c *countedConn) NetConn() net.Conn { return c.Conn }

// status is what the answer began with; 0: nothing, or no HTTP.
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
