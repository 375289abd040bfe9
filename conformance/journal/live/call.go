package live

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/journal"
)

// Call is one call as it is kept. What is beside the call is guarded by the journal's mu
// once it is kept.
type Call struct {
	X        conformance.Exchange // Started by the clock of what is called, Walled by the wall; bodies as sent
	answer   conformance.Response // of x, where the handler gave one
	Token    string               // by which the answer named it; "": it did not
	Fault    string               // that was made to happen to it; "": none
	Partly   bool                 // not all of what was sent is known
	madeName string               // of the member that tells madeID
	madeID   string               // of what it made, as whoever lost the answer tells; "": that is not known
	Weight   int                  // bytes of memory

	begunAt time.Time // when its answer began; zero: it has not, or the call has ended
	place   int       // among those that have begun

	early []conformance.CallFinding // about what was sent, by itself, known before the answer
	knew  bool                      // early is known

	isJudged bool
	Findings []conformance.CallFinding
	Sent     Verdict // on what was sent
	Answered Verdict // on the answer
	Phone    string
	untold   string            // madeID, where no answer told it
	IDs      map[string]string // of what it is about, by the name of the member
}

// entryBytes is about what a call takes beside its texts and headers.
const entryBytes = 1 << 10

// weigh counts the memory of a call.
func (k *Call) weigh() {
	k.Weight = entryBytes + len(k.X.Request.URL) + len(k.X.Request.Body) + headerBytes(k.X.Request.Header) + unpackedBytes(k.X.Request.Header, k.X.Request.Body)
	if r := k.X.Response; r != nil {
		k.Weight += len(r.Body) + headerBytes(r.Header) + unpackedBytes(r.Header, r.Body)
	}
}

// unpackedBytes is what a compressed body takes while it is judged.
func unpackedBytes(h http.Header, body conformance.Body) int {
	encoding := h.Get("Content-Encoding")
	if encoding == "" {
		return 0
	}
	plain, _ := journal.DecodeUpTo(body, encoding, mostPlain)
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

// ServeHTTP implements [http.Handler]. Reading what is no operation is nobody's call:
// such requests pass unheard.
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
	k := own.call // kept alone: it outlives the writer
	k.X.Operation, k.X.Started, k.X.Walled = op, l.opts.World(), l.opts.Now()
	k.X.Request.Method, k.X.Request.URL, k.X.Request.Header = r.Method, addressOf(r), r.Header
	r.Body = &own.sent
	finished := false
	defer func() { // also when the handler panics, which is how it hangs up
		k.X.Took = l.opts.Now().Sub(k.X.Walled)
		own.finish(r, finished)
		k.weigh()
		l.keep(k)
	}()
	l.next.ServeHTTP(own, r)
	finished = true
}

// matched finds the operation of a request whose path is not written as one. The journal
// stands at the base address, so that a path below another base, or with a slash behind it,
// is of none.
func (l *Journal) matched(r *http.Request) (conformance.Operation, bool) {
	op, base, ok := l.opts.Request.Match(r.Method, &url.URL{Path: r.URL.Path})
	if !ok || base != "" || strings.HasSuffix(r.URL.Path, "/") {
		return "", false
	}
	return op, true
}

// addressOf is the address of a request as its caller wrote it, as far as that is known.
func addressOf(r *http.Request) string {
	const longest = 2 << 10
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	asked := r.RequestURI // also what was stripped from the path
	if !strings.HasPrefix(asked, "/") {
		asked = r.URL.RequestURI()
	}
	if len(asked) > longest {
		asked = strings.Clone(asked[:longest]) // a copy lets go of the rest
	}
	return scheme + r.Host + asked
}

// finish fills in what is known when the handler has returned, or has given up.
func (w *liveWriter) finish(r *http.Request, finished bool) {
	k := w.call
	x := &k.X
	w.sent.mu.Lock() // somebody may still read
	x.Request.Body, x.Request.Cut = w.journal.alike.of(w.sent.kept), int(w.sent.size)-len(w.sent.kept)
	k.Partly = !w.sent.whole()
	w.sent.mu.Unlock()
	x.Request.Header = conformance.BoundHeader(x.Request.Header)
	k.Fault = w.Header().Get(FaultHeader)
	if k.Fault == "" {
		k.Fault = w.fault
	}
	if k.Token == "" { // nothing was answered
		k.Token = cmp.Or(w.Header().Get(RequestHeader), w.journal.newToken())
	}
	gone := r.Context().Err() != nil && !w.delivered() || w.broken
	switch {
	case w.hijacked != nil:
		w.hijacked.tell(x)
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

// newToken names a call to which its handler gave no name.
func (l *Journal) newToken() string { return "j" + strconv.FormatUint(l.tokens.Add(1), 10) }
