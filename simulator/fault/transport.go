package fault

import (
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/cabrank/cabrank/simulator/host"
)

// lasting returns the parameter "for" of a fault, a duration; usual is its default, 0: it has none.
func lasting(usual time.Duration, means string) Parameter {
	p := Parameter{Name: "for", Type: "duration", Least: host.Duration(time.Millisecond), Most: longestPause, Means: means}
	if usual != 0 {
		p.Default = host.Duration(usual)
	}
	return p
}

func number(name string, usual, least, most int, means string) Parameter {
	p := Parameter{Name: name, Type: "integer", Least: least, Most: most, Means: means}
	if usual != 0 {
		p.Default = usual
	}
	return p
}

// The parts of an exchange.
const (
	partRequest  = "request"
	partResponse = "response"
	partHeaders  = "headers"
	partBody     = "body"
	partEnd      = "end"
	partJourney  = "journey" // of the response: each journey in it
)

func transportFaults() []Fault {
	// lost is an exchange whose client receives no whole response, as a check of /status notices.
	lost := func(was, does string) Proof {
		return Proof{was: was, Does: does, NoticedBy: "STA-01", on: Status, Done: true}
	}
	late := func(was, does string) Proof {
		return Proof{was: was, Does: does, NoticedBy: "CFG-10", on: Config, Done: true}
	}
	return []Fault{
		{
			Name: "close", Group: Transport,
			Proof: Proof{NoticedBy: "STA-01", on: Status, Does: "the connection is closed without a response; the request is not processed"},
			Parameters: []Parameter{
				choice("part", "when: at the request, before the response, after its headers, within its body or at its end; the request is only processed in the last four cases",
					partRequest, partResponse, partHeaders, partBody, partEnd),
				{Name: "reset", Type: "boolean", Means: "the client sees a reset instead of an orderly close"},
				number("bytes", 0, 1, 1<<20, "with part=body: how many of the body come; left out: half of them").only("part="+partBody, ""),
			},
			Examples: []Example{
				{Do{Reset: true}, Proof{
					was: "refuse", NoticedBy: "STA-01", on: Status,
					Does: "the connection is reset when the request arrives, as if no server were listening; the request is not processed",
				}},
				{Do{Part: partResponse, Reset: true}, lost("reset-before-headers", "the request is processed, and the connection is reset instead of a response")},
				{Do{Part: partHeaders, Reset: true}, lost("reset-after-headers", "the connection is reset between the headers and the body of the response")},
				{Do{Part: partBody, Reset: true}, lost("reset-mid-body", "the connection is reset in the middle of the response body")},
				{Do{Part: partBody}, lost("truncate", "the response ends early, and the connection is closed")},
				{Do{Part: partEnd}, Proof{
					was: "close-keep-alive", Done: true, on: Status,
					Unnoticed: "HTTP lets a server close a connection at any time; only a request that is sent at that moment fails",
					Does:      "the response is correct and has no Connection: close, and the connection is closed afterwards",
				}},
			},
			act: closing,
		},
		{
			Name: "hang", Group: Transport,
			Proof:      Proof{NoticedBy: "STA-01", on: Status, Does: "there is no response, and the request is not processed"},
			Parameters: []Parameter{lasting(time.Minute, "how long the connection stays open; it is closed before that when the client goes")},
			act: func(e *exchange) {
				e.wait(time.Duration(e.what.do.For))
				e.drop(false)
			},
		},
		{
			Name: "delay", Group: Transport, Proof: late("", "the response is correct and late; the request is processed at once"),
			Parameters: []Parameter{
				lasting(5*time.Second, "how late it is"),
				choice("part", "what is late; a request whose client disconnects arrives at once", partResponse, partRequest),
			},
			Examples: []Example{{Do{Part: partRequest}, late("late-arrival", "the request arrives late; it is processed then, and the response is correct")}},
			act: func(e *exchange) {
				var a *answer
				if e.what.do.Part == partResponse {
					a = e.ask(e.body)
				}
				here := e.wait(time.Duration(e.what.do.For))
				if a == nil {
					a = e.ask(e.body)
				}
				if !here {
					e.drop(false)
					return
				}
				e.send(a)
			},
		},
		{
			Name: "dribble", Group: Transport, Proof: late("", "the response body is sent byte by byte"),
			Parameters: []Parameter{
				lasting(5*time.Second, "how long sending takes").only("", "rate"),
				choice("part", "what is sent slowly", partBody, partHeaders),
				number("rate", 0, 1, 1<<20, "with part=body: bytes of it a second, instead of for").only("part="+partBody, ""),
			},
			Examples: []Example{
				{Do{Part: partHeaders}, late("slow-headers", "the response headers are sent byte by byte")},
				{Do{Rate: 100}, Proof{was: "bandwidth", NoticedBy: "TIM-01", on: Status, Done: true, Does: "the response body is sent at a low bandwidth"}},
			},
			act: dribbling,
		},
		{
			Name: "wrong-length", Group: Transport, Proof: lost("", "Content-Length is not the length of the body, and the connection is closed afterwards"),
			Parameters: []Parameter{number("bytes", 10, -1000, 1000, "by how many Content-Length is too large, or negative too small")},
			act: func(e *exchange) {
				a := e.ask(e.body)
				length := max(0, len(a.body)+e.what.do.Bytes)
				e.raw(append(e.head(a, "Content-Length", strconv.Itoa(length)), a.body...), false)
			},
		},
		{
			Name: "garbage", Group: Transport, Proof: lost("", "the response is not HTTP"),
			Parameters: []Parameter{formOf("what is not HTTP", "response", "chunk")},
			Examples:   []Example{{Do{Form: "chunk"}, lost("bad-chunk", "the body is sent in chunks, and the length of a chunk is not a number")}},
			act: func(e *exchange) {
				a := e.ask(e.body)
				if e.what.do.Form == "chunk" {
					e.raw(append(append(e.head(a, "Transfer-Encoding", "chunked"), "ZZ\r\n"...), a.body...), false)
					return
				}
				e.raw([]byte("\x15\x03\x01\x00\x02\x02\x16 this is no HTTP \xff\xfe\x00\r\n\r\n"), false)
			},
		},
	}
}

// closing ends the connection at a part of the exchange.
func closing(e *exchange) {
	switch d := e.what.do; d.Part {
	case partRequest:
		e.drop(d.Reset)
	case partResponse:
		e.ask(e.body)
		e.drop(d.Reset)
	case partHeaders:
		e.part(0, d.Reset)
	case partBody:
		n := d.Bytes
		if n == 0 {
			n = -1
		}
		e.part(n, d.Reset)
	default:
		a := e.ask(e.body)
		e.raw(append(e.head(a, "Content-Length", strconv.Itoa(len(a.body))), a.body...), d.Reset)
	}
}

// dribbling sends a part of the response slowly.
func dribbling(e *exchange) {
	over := time.Duration(e.what.do.For)
	if e.what.do.Part == partHeaders {
		a := e.ask(e.body)
		head := e.head(a, "Content-Length", strconv.Itoa(len(a.body)), "Connection", "close")
		conn := e.hijack()
		if e.drip(conn, head, over) {
			e.write(conn, a.body)
		}
		shut(conn, false)
		return
	}
	a, conn := e.begin()
	if rate := e.what.do.Rate; rate > 0 {
		over = time.Duration(len(a.body)) * time.Second / time.Duration(rate)
	}
	e.drip(conn, a.body, over)
	shut(conn, false)
}

// begin gets the response of dispatch, takes over the connection and sends the headers.
func (e *exchange) begin() (*answer, net.Conn) {
	a := e.ask(e.body)
	head := e.head(a, "Content-Length", strconv.Itoa(len(a.body)), "Connection", "close")
	conn := e.hijack()
	e.write(conn, head)
	return a, conn
}

// part sends the headers of the whole response but only the first bytes of its body (-1: half), and ends the connection.
func (e *exchange) part(bytes int, reset bool) {
	a, conn := e.begin()
	if bytes < 0 {
		bytes = len(a.body) / 2
	}
	e.write(conn, a.body[:min(bytes, len(a.body))])
	shut(conn, reset)
}

// raw sends bytes unchanged, and closes or resets the connection.
func (e *exchange) raw(b []byte, reset bool) {
	conn := e.hijack()
	e.write(conn, b)
	shut(conn, reset)
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
