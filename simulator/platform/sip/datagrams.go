package sip

import (
	"bytes"
	"net"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"github.com/emiago/sipgo"
	message "github.com/emiago/sipgo/sip"
)

// datagramsAtOnce is the number of datagrams in one run of sipgo's server; after it, their addresses are discarded.
const datagramsAtOnce = 1 << 16

// serveDatagrams serves a socket until it is closed. sipgo stores the address of each datagram until a run of its
// server ends, so that a flood of forged addresses would fill the memory. Therefore a run reads a limited number of
// datagrams, and then the next run starts on the same socket. A run ends only when the next one has read its number,
// so that responses can still be sent to the addresses that it has stored. began is called when the run starts to
// read, and used when it has read its last datagram.
func serveDatagrams(working *sync.WaitGroup, server *sipgo.Server, socket net.PacketConn, datagrams int, began, used func()) {
	_ = server.ServeUDP(&part{PacketConn: socket, left: datagrams, began: began, used: used, next: func() (over chan struct{}) {
		reads, over := make(chan struct{}), make(chan struct{})
		working.Go(func() {
			serveDatagrams(working, server, socket, datagrams, sync.OnceFunc(func() { close(reads) }), sync.OnceFunc(func() { close(over) }))
		})
		<-reads
		return over
	}})
}

// part is a socket for a number of datagrams. One goroutine reads from it.
type part struct {
	net.PacketConn

	left        int
	began, used func()
	next        func() (over chan struct{})
}

// ReadFrom implements [net.PacketConn].
func (p *part) ReadFrom(b []byte) (n int, from net.Addr, err error) {
	p.began()
	if p.left == 0 {
		p.used()
		<-p.next()
		return 0, nil, net.ErrClosed // sipgo takes it for the end
	}
	p.left--
	if n, from, err = p.PacketConn.ReadFrom(b); err != nil {
		p.used()
	}
	return n, from, err
}

var contentLength = regexp.MustCompile(`(?im)^(?:content-length|l)[ \t]*:[ \t]*([^\r\n]*?)[ \t]*\r?$`)

// refuseShort reports whether a message is shorter than its Content-Length says, or has an invalid Content-Length.
// sipgo would drop it; a request is answered with 400 (RFC 3261, 18.3).
func (s *Server) refuseShort(data []byte, from net.Addr) bool {
	head, body, _ := bytes.Cut(data, []byte("\r\n\r\n"))
	at := contentLength.FindSubmatchIndex(head)
	if at == nil {
		return false
	}
	said, err := strconv.Atoi(string(head[at[2]:at[3]]))
	if err == nil && said >= 0 && said <= len(body) {
		return false
	}
	mended := slices.Replace(bytes.Clone(data), at[2], at[3], []byte(strconv.Itoa(len(body)))...)
	parsed, err := message.ParseMessage(mended)
	if r, ok := parsed.(*message.Request); err == nil && ok && whole(r) && !r.IsAck() {
		r.SetSource(from.String())
		_, _ = s.udp.WriteTo([]byte(message.NewResponseFromRequest(r, message.StatusBadRequest, "Bad Request", nil).String()), from)
	}
	return true
}
