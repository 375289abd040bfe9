package fault

import (
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/cabrank/cabrank/simulator/host"
)

// lasting returns the parameter For of a fault.
func lasting(usual time.Duration, means string) Parameter {
	return Parameter{Name: "for", Type: "duration", Default: host.Duration(usual), Least: host.Duration(time.Millisecond), Most: longestPause, Means: means}
}

func number(name string, usual, least, most int, means string) Parameter {
	p := Parameter{Name: name, Type: "integer", Least: least, Most: most, Means: means}
	if usual != 0 {
		p.Default = usual
	}
	return p
}

func transportFaults() []Fault {
	return []Fault{
		{
			Name: "refuse", Group: Transport, NoticedBy: "STA-01", on: Status,
			Does: "the connection is reset when the request arrives, as if no server were listening; the request is not processed",
			act:  func(e *exchange) { e.drop(true) },
		},
		{
			Name: "close", Group: Transport, NoticedBy: "STA-01", on: Status,
			Does: "the connection is closed without a response; the request is not processed",
			act:  func(e *exchange) { e.drop(false) },
		},
		{
			Name: "reset-before-headers", Group: Transport, NoticedBy: "STA-01", on: Status, Done: true,
			Does: "the request is processed, and the connection is reset instead of a response",
			act: func(e *exchange) {
				e.ask(e.body)
				e.drop(true)
			},
		},
		{
			Name: "reset-after-headers", Group: Transport, NoticedBy: "STA-01", on: Status, Done: true,
			Does: "the connection is reset between the headers and the body of the response",
			act:  func(e *exchange) { e.part(0, true) },
		},
		{
			Name: "reset-mid-body", Group: Transport, NoticedBy: "STA-01", on: Status, Done: true,
			Does: "the connection is reset in the middle of the response body",
			act:  func(e *exchange) { e.part(-1, true) },
		},
		{
			Name: "hang", Group: Transport, NoticedBy: "STA-01", on: Status,
			Parameters: []Parameter{lasting(time.Minute, "how long the connection stays open; it is closed before that when the client goes")},
			Does:       "there is no response, and the request is not processed",
			act: func(e *exchange) {
				e.wait(time.Duration(e.what.do.For))
				e.drop(false)
			},
		},
		{
			Name: "delay", Group: Transport, NoticedBy: "CFG-10", on: Config, Done: true,
			Parameters: []Parameter{lasting(5*time.Second, "how late the response is")},
			Does:       "the response is correct and late; the request is processed at once",
			act: func(e *exchange) {
				a := e.ask(e.body)
				if !e.wait(time.Duration(e.what.do.For)) {
					e.drop(false)
					return
				}
				e.send(a)
			},
		},
		{
			Name: "late-arrival", Group: Transport, NoticedBy: "CFG-10", on: Config, Done: true,
			Parameters: []Parameter{lasting(5*time.Second, "how long the request takes to arrive; if the client disconnects, it arrives at once")},
			Does:       "the request arrives late; it is processed then, and the response is correct",
			act: func(e *exchange) {
				here := e.wait(time.Duration(e.what.do.For))
				a := e.ask(e.body)
				if !here {
					e.drop(false)
					return
				}
				e.send(a)
			},
		},
		{
			Name: "slow-headers", Group: Transport, NoticedBy: "CFG-10", on: Config, Done: true,
			Parameters: []Parameter{lasting(5*time.Second, "how long sending the headers takes")},
			Does:       "the response headers are sent byte by byte",
			act: func(e *exchange) {
				a := e.ask(e.body)
				head := e.head(a, "Content-Length", strconv.Itoa(len(a.body)), "Connection", "close")
				conn := e.take()
				if e.drip(conn, head, time.Duration(e.what.do.For)) {
					e.write(conn, a.body)
				}
				shut(conn, false)
			},
		},
		{
			Name: "dribble", Group: Transport, NoticedBy: "CFG-10", on: Config, Done: true,
			Parameters: []Parameter{lasting(5*time.Second, "how long sending the body takes")},
			Does:       "the response body is sent byte by byte",
			act: func(e *exchange) {
				a, conn := e.begin()
				e.drip(conn, a.body, time.Duration(e.what.do.For))
				shut(conn, false)
			},
		},
		{
			Name: "bandwidth", Group: Transport, NoticedBy: "TIM-01", on: Status, Done: true,
			Parameters: []Parameter{number("rate", 100, 1, 1<<20, "bytes of the body a second")},
			Does:       "the response body is sent at a low bandwidth",
			act: func(e *exchange) {
				a, conn := e.begin()
				e.drip(conn, a.body, time.Duration(len(a.body))*time.Second/time.Duration(e.what.do.Rate))
				shut(conn, false)
			},
		},
		{
			Name: "truncate", Group: Transport, NoticedBy: "STA-01", on: Status, Done: true,
			Parameters: []Parameter{number("bytes", 0, 1, 1<<20, "how many of the body come; left out: half of them")},
			Does:       "the response ends early, and the connection is closed",
			act: func(e *exchange) {
				n := e.what.do.Bytes
				if n == 0 {
					n = -1
				}
				e.part(n, false)
			},
		},
		{
			Name: "wrong-length", Group: Transport, NoticedBy: "STA-01", on: Status, Done: true,
			Parameters: []Parameter{number("bytes", 10, -1000, 1000, "by how many Content-Length is too large, or negative too small")},
			Does:       "Content-Length is not the length of the body, and the connection is closed afterwards",
			act: func(e *exchange) {
				a := e.ask(e.body)
				length := max(0, len(a.body)+e.what.do.Bytes)
				e.raw(append(e.head(a, "Content-Length", strconv.Itoa(length)), a.body...))
			},
		},
		{
			Name: "garbage", Group: Transport, NoticedBy: "STA-01", on: Status, Done: true,
			Does: "the response is not HTTP",
			act: func(e *exchange) {
				e.ask(e.body)
				e.raw([]byte("\x15\x03\x01\x00\x02\x02\x16 this is no HTTP \xff\xfe\x00\r\n\r\n"))
			},
		},
		{
			Name: "bad-chunk", Group: Transport, NoticedBy: "STA-01", on: Status, Done: true,
			Does: "the body is sent in chunks, and the length of a chunk is not a number",
			act: func(e *exchange) {
				a := e.ask(e.body)
				e.raw(append(append(e.head(a, "Transfer-Encoding", "chunked"), "ZZ\r\n"...), a.body...))
			},
		},
		{
			Name: "close-keep-alive", Group: Transport, Done: true, on: Status,
			Unnoticed: "HTTP lets a server close a connection at any time; only a request that is sent at that moment fails",
			Does:      "the response is correct and has no Connection: close, and the connection is closed afterwards",
			act: func(e *exchange) {
				a := e.ask(e.body)
				e.raw(append(e.head(a, "Content-Length", strconv.Itoa(len(a.body))), a.body...))
			},
		},
	}
}

// begin gets the response of dispatch, takes over the connection and sends the headers.
func (e *exchange) begin() (*answer, net.Conn) {
	a := e.ask(e.body)
	head := e.head(a, "Content-Length", strconv.Itoa(len(a.body)), "Connection", "close")
	conn := e.take()
	e.write(conn, head)
	return a, conn
}

// part sends a part of the body of a response whose headers announce all of it; -1: half.
func (e *exchange) part(bytes int, reset bool) {
	a, conn := e.begin()
	if bytes < 0 {
		bytes = len(a.body) / 2
	}
	e.write(conn, a.body[:min(bytes, len(a.body))])
	shut(conn, reset)
}

// raw sends bytes unchanged, and closes the connection.
func (e *exchange) raw(b []byte) {
	conn := e.take()
	e.write(conn, b)
	shut(conn, false)
}

// mostDrips limits the number of pieces of a slow response.
const mostDrips = 400

// drip sends bytes over a duration, and reports whether all were sent.
func (e *exchange) drip(conn net.Conn, b []byte, over time.Duration) bool {
	pieces := max(1, min(len(b), mostDrips))
	over = min(over, time.Duration(longestPause))
	for i := range pieces {
		if !e.wait(over/time.Duration(pieces)) || !e.write(conn, b[i*len(b)/pieces:(i+1)*len(b)/pieces]) {
			return false
		}
	}
	return true
}

func statusLine(status int) string { return strconv.Itoa(status) + " " + http.StatusText(status) }
