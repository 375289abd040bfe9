package live

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/journal"
)

// Call is one stored call. Once it is stored, the journal's mu guards the fields other
// than X.
type Call struct {
	X        conformance.Exchange // Started in virtual time, Walled in real time; bodies as sent
	answer   conformance.Response // of X, if the handler answered
	Token    string               // the id in the answer's header; "": none
	Fault    string               // the fault that was injected; "": none
	Kind     string               // what kind of fault it is
	Partly   bool                 // the request is only partly known
	madeName string               // name of the member for madeID
	madeID   string               // id of the object that it made, from the fault that lost the answer; "": not known
	Weight   int                  // bytes of memory

	begunAt time.Time // when its answer started; zero: it has not, or the call has ended
	place   int       // index in Journal.begun

	early []conformance.CallFinding // findings on the request, known before the answer
	knew  bool                      // early is set

	isJudged bool
	Findings []conformance.CallFinding
	Sent     Verdict // on the request
	Answered Verdict // on the answer
	Phone    string
	untold   string            // madeID, if no answer had it
	IDs      map[string]string // ids in the call, by member name
}

// entryBytes estimates the memory of a call without its texts and headers.
const entryBytes = 1 << 10

// weigh sets the memory size of a call.
func (k *Call) weigh() {
	k.Weight = entryBytes + len(k.X.Request.URL) + len(k.X.Request.Body) + headerBytes(k.X.Request.Header) + unpackedBytes(k.X.Request.Header, k.X.Request.Body)
	if r := k.X.Response; r != nil {
		k.Weight += len(r.Body) + headerBytes(r.Header) + unpackedBytes(r.Header, r.Body)
	}
}

// unpackedBytes is the memory of a decompressed body while it is judged.
func unpackedBytes(h http.Header, body conformance.Body) int {
	encoding := h.Get("Content-Encoding")
	if encoding == "" {
		return 0
	}
	plain, _ := journal.Decode(body, encoding, mostPlain)
	return len(plain)
}

func headerBytes(h http.Header) int {
	const field = 64
	n := 0
	for name, values := range h {
		for _, v := range values {
			n += len(name) + len(v) + field
		}
	}
	return n
}

// ServeHTTP implements [http.Handler]. Reads (GET and HEAD) of paths that are no operation
// are not recorded.
func (l *Journal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	op, known := l.ops[r.URL.Path]
	if !known {
		op, known = l.matched(r)
	}
	if !known && (r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions) {
		l.next.ServeHTTP(w, r)
		return
	}
	own := &liveWriter{
		ResponseWriter: w, journal: l, status: http.StatusOK,
		sent:   liveBody{ReadCloser: r.Body, most: l.opts.MostBody, length: r.ContentLength},
		answer: bounded{most: l.opts.MostBody}, call: &Call{},
	}
	own.sent.kept = own.short[:0]
	k := own.call // separate: it outlives the writer
	k.X.Operation, k.X.Started, k.X.Walled = op, l.opts.World(), l.opts.Now()
	k.X.Request.Method, k.X.Request.URL, k.X.Request.Header = r.Method, l.addressOf(r), r.Header
	r.Body = &own.sent
	finished := false
	defer func() { // also if the handler panics to close the connection
		k.X.Took = l.opts.Now().Sub(k.X.Walled)
		own.finish(r, finished)
		k.weigh()
		l.keep(k)
	}()
	l.next.ServeHTTP(own, r)
	finished = true
}

// matched finds the operation of a request whose path differs in form. The journal is at
// the base address, so a path below another base, or with a trailing slash, is of no
// operation.
func (l *Journal) matched(r *http.Request) (conformance.Operation, bool) {
	op, base, ok := l.opts.Request.Match(r.Method, &url.URL{Path: r.URL.Path})
	if !ok || base != "" || strings.HasSuffix(r.URL.Path, "/") {
		return "", false
	}
	return op, true
}

// addressOf returns the URL of a request as sent by the caller, as far as known, or that of the
// server to which it is forwarded.
func (l *Journal) addressOf(r *http.Request) string {
	const longest = 2 << 10
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	asked := r.RequestURI // includes the prefix stripped from the path
	if !strings.HasPrefix(asked, "/") {
		asked = r.URL.RequestURI()
	}
	if len(asked) > longest {
		asked = strings.Clone(asked[:longest]) // a copy, so that the rest can be freed
	}
	if l.target != "" {
		return l.target + asked
	}
	return scheme + r.Host + asked
}

// finish completes the call after the handler has returned or panicked.
func (w *liveWriter) finish(r *http.Request, finished bool) {
	k := w.call
	x := &k.X
	w.sent.mu.Lock() // the body may still be read
	x.Request.Body, x.Request.Cut = w.journal.alike.of(w.sent.kept), int(w.sent.size)-len(w.sent.kept)
	k.Partly = !w.sent.whole()
	w.sent.mu.Unlock()
	x.Request.Header = conformance.BoundHeader(x.Request.Header)
	w.noteFault()
	k.Fault, k.Kind = w.fault, w.kind
	if k.Token == "" { // no answer
		k.Token = cmp.Or(w.Header().Get(RequestHeader), w.journal.newToken())
	}
	gone := r.Context().Err() != nil && !w.delivered() || w.broken
	switch {
	case w.hijacked != nil:
		w.hijacked.record(x)
	case w.unanswered != nil:
		x.Err = w.unanswered.Error()
	case !w.wrote && (gone || !finished):
		x.Err = "the connection was closed in place of an answer"
		x.ErrKind = conformance.ErrClosed
	default:
		a := &k.answer
		a.Status, a.Proto, a.Header = w.status, r.Proto, conformance.BoundHeader(w.Header())
		a.Body, a.Cut = w.answer.kept, w.answer.size-len(w.answer.kept)
		x.Response = a
		if !finished {
			x.Err, x.ErrKind = "the answer broke off", conformance.ErrReset
		}
	}
	if gone && w.hijacked == nil {
		x.Err, x.ErrKind = "the caller hung up before the end of the answer", conformance.ErrHungUp
	}
}
