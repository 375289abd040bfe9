package live

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// bounded stores the beginning of what is written to it.
type bounded struct {
	kept []byte
	size int // bytes written in total
	most int
}

func (b *bounded) take(p []byte) {
	b.size += len(p)
	if room := b.most - len(b.kept); room > 0 {
		b.kept = append(b.kept, p[:min(len(p), room)]...)
	}
}

// liveBody copies what a handler reads of a request. It is locked, since a handler may
// still read in another goroutine after it has answered.
type liveBody struct {
	io.ReadCloser
	mu     sync.Mutex
	kept   []byte
	size   int64
	length int64 // announced length; -1: none
	most   int
	ended  bool
}

// Read implements [io.Reader]. At the end it says so without asking the body: whoever forwards it may look for the end once more when the
// answer has begun, and the server has closed the body by then. A proxy would take that for a failed request, and break the answer off.
func (b *liveBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	whole := b.whole()
	b.mu.Unlock()
	if whole {
		return 0, io.EOF
	}
	n, err := b.ReadCloser.Read(p)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.size == 0 && n > cap(b.kept) {
		b.kept = make([]byte, 0, min(int64(b.most), max(b.length, int64(n))))
	}
	b.size += int64(n)
	if room := b.most - len(b.kept); room > 0 {
		b.kept = append(b.kept, p[:min(n, room)]...)
	}
	b.ended = b.ended || errors.Is(err, io.EOF)
	return n, err
}

// whole reports whether the handler has read all of it.
func (b *liveBody) whole() bool {
	return b.ended || b.length >= 0 && b.size >= b.length
}

// liveWriter copies the answer and adds the journal's headers.
type liveWriter struct {
	http.ResponseWriter
	journal  *Journal
	call     *Call
	sent     liveBody
	answer   bounded
	status   int
	fault    string
	kind     string
	prepared bool // the headers are added
	wrote    bool
	flushed  int  // bytes of the answer that its handler has flushed
	broken   bool // a write to the caller failed

	unanswered error // why the server to which the request was forwarded gave no answer
	hijacked   *liveConn
	short      [shortBody]byte // buffer for a short body
}

// shortBody is the size of the buffer for short bodies in the writer.
const shortBody = 128

// addHeaders adds the journal's headers before the first byte of an answer. A request that
// the handler has not read to its end, or that takes too long to judge, has no verdict
// yet.
func (w *liveWriter) addHeaders() {
	if w.prepared {
		return
	}
	w.prepared = true
	w.journal.begin(w.call)
	if w.journal.target != "" {
		return // the answer of another server stays as it is
	}
	l, h := w.journal, w.Header()
	w.noteFault()
	w.call.Token = h.Get(RequestHeader)
	if w.call.Token == "" {
		w.call.Token = l.newToken()
		h[RequestHeader] = []string{w.call.Token}
	}
	if w.sent.mu.Lock(); w.sent.size <= longestEarly && (w.sent.whole() || w.call.X.Operation == "") { // of no operation, so the body does not matter
		w.call.X.Request.Body, w.call.X.Request.Cut = w.sent.kept, int(w.sent.size)-len(w.sent.kept)
		early := l.early.of(&w.call.X)
		w.call.early, w.call.knew = early.findings, true
		h[VerdictHeader] = early.header
	}
	w.sent.mu.Unlock()
}

// WriteHeader implements [http.ResponseWriter].
func (w *liveWriter) WriteHeader(status int) {
	if status < http.StatusOK { // an interim answer
		w.ResponseWriter.WriteHeader(status)
		return
	}
	if !w.wrote {
		w.status, w.wrote = status, true
	}
	w.addHeaders()
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (w *liveWriter) Write(p []byte) (int, error) {
	w.wrote = true
	w.addHeaders()
	n, err := w.ResponseWriter.Write(p)
	if w.answer.size == 0 && n <= min(longestAlike, w.answer.most) {
		w.answer.kept, w.answer.size = w.journal.alike.of(p[:n]), n
	} else {
		w.answer.take(p[:n])
	}
	w.broken = w.broken || err != nil && !errors.Is(err, http.ErrBodyNotAllowed) && !errors.Is(err, http.ErrContentLength)
	return n, err
}

// FlushError implements flushing for [http.ResponseController].
func (w *liveWriter) FlushError() error {
	w.wrote = true
	w.addHeaders()
	err := http.NewResponseController(w.ResponseWriter).Flush()
	if err == nil {
		w.flushed = w.answer.size
	}
	return err
}

// delivered reports whether an answer of announced length was sent completely before the
// handler returned, so that the caller has all of it.
func (w *liveWriter) delivered() bool {
	announced, err := strconv.Atoi(w.Header().Get("Content-Length"))
	return err == nil && announced == w.answer.size && w.flushed == w.answer.size
}

// Flush implements [http.Flusher].
func (w *liveWriter) Flush() { _ = w.FlushError() } // the next write reports the error

// Made is called by a handler that drops an answer, with the id of the object that the call
// made and the name of its member. Only the first call has an effect.
func (w *liveWriter) Made(name, id string) {
	if w.call.madeID == "" {
		w.call.madeName, w.call.madeID = name, jsonvalue.Clip(id, longestText)
	}
}

// noteFault notes the fault that the headers name so far.
func (w *liveWriter) noteFault() {
	if h := w.Header(); h.Get(FaultHeader) != "" {
		w.fault, w.kind = h.Get(FaultHeader), h.Get(KindHeader)
	}
}

// Unwrap gives [http.ResponseController] access to the server's writer.
func (w *liveWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Hijack implements [http.Hijacker]: the data on the connection from then on is stored
// unchanged.
func (w *liveWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffer, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	w.journal.begin(w.call)
	w.noteFault()
	w.hijacked = &liveConn{Conn: conn, raw: bounded{most: w.journal.opts.MostBody}}
	buffer.Writer.Reset(w.hijacked)
	return w.hijacked, buffer, nil
}

// liveConn copies the data written to a connection.
type liveConn struct {
	net.Conn
	mu  sync.Mutex
	raw bounded
}

// Write implements [io.Writer].
func (c *liveConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raw.take(p[:n])
	return n, err
}

// NetConn returns the underlying connection, for callers that reset it instead of closing it.
func (c *liveConn) NetConn() net.Conn { return c.Conn }

// record fills in the answer that was written, if it is HTTP.
func (c *liveConn) record(x *conformance.Exchange) {
	c.mu.Lock()
	raw, size := bytes.Clone(c.raw.kept), c.raw.size
	c.mu.Unlock()
	x.Err, x.ErrKind = "the connection was closed in place of an answer", conformance.ErrClosed
	if size == 0 {
		return
	}
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(raw)), nil)
	if err != nil {
		x.Err, x.ErrKind = "the answer was not HTTP: "+err.Error(), conformance.ErrNotHTTP
		return
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	x.Err, x.ErrKind = "", ""
	if err != nil {
		x.Err, x.ErrKind = "the answer broke off: "+err.Error(), conformance.ErrReset
	}
	x.Response = &conformance.Response{Status: resp.StatusCode, Proto: resp.Proto, Header: resp.Header, Body: body, Cut: size - len(raw), Closed: resp.Close}
}
