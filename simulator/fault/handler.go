package fault

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Header is the response header with the id of the applied rule, and HeaderKind that with the
// kind of its fault. Magic numbers have ids that are in no list.
const (
	Header     = "X-Cabrank-Fault"
	HeaderKind = "X-Cabrank-Fault-Kind"
)

// mostBody is how much of a request's body is read, in bytes. Dispatch refuses longer
// ones.
const mostBody = 64 << 10

// shortBody is the size of the body buffer in an exchange; larger bodies are allocated.
const shortBody = 128

// Handler applies the rules of a set to the five operations of next. It passes all other
// requests to next.
func Handler(set *Set, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		op := Op(strings.TrimPrefix(r.URL.Path, "/"))
		if r.Method != http.MethodPost || !op.known() || set.rules.Load() == 0 && set.options.NoMagic {
			next.ServeHTTP(w, r)
			return
		}
		e := &exchange{set: set, w: w, r: r, next: next, asked: asked{op: op}}
		e.read()
		if e.chosen() {
			defer e.end()
			e.applyFault()
			return
		}
		e.pass()
	})
}

func (op Op) known() bool {
	switch op {
	case Config, User, Book, Cancel, Status:
		return true
	}
	return false
}

// asked has the facts about a request.
type asked struct {
	op     Op
	said   *said // nil: the body has not been decoded yet
	found  bool
	number taxi.E164
}

// said is the decoded part of a request's body. It is read-only.
type said struct {
	Phone     taxi.E164      `json:"phoneNumber"`
	UserID    taxi.UserID    `json:"userId"`
	JourneyID taxi.JourneyID `json:"journeyId"`
	Pickup    struct {
		Address string `json:"address"`
	} `json:"pickup"`
}

// nothing stands for an unreadable body.
var nothing = &said{}

// caller returns the caller's number, digits only: that of the user, or else the one in
// the request.
func (e *exchange) caller() taxi.E164 {
	a := &e.asked
	if !a.found {
		a.found = true
		said := e.said()
		if said.UserID != "" && e.set.options.PhoneOf != nil {
			a.number = e.set.options.PhoneOf(e.r.Context(), said.UserID).Digits()
		}
		if a.number == "" {
			a.number = said.Phone.Digits()
		}
	}
	return a.number
}

// exchange is one request, with the fault that applies to it.
type exchange struct {
	set  *Set
	w    http.ResponseWriter
	r    *http.Request
	next http.Handler

	asked asked
	body  []byte
	whole bool // the body was read completely
	what  *chosen
	short [shortBody]byte // buffer for a short body
	again wholeBody       // the body for dispatch, if no fault applies

	spared bool // the response contained nothing to change

	inner context.Context //nolint:containedctx // lives as long as the exchange, which is one function call
	over  context.CancelFunc
}

// read reads the request's body up to the limit. A body with a larger Content-Length is
// not read: its client may wait for permission to send it (Expect), and is refused first.
func (e *exchange) read() {
	if e.r.ContentLength <= mostBody {
		e.readBody()
	}
}

// said returns the decoded body; the first call decodes it.
func (e *exchange) said() *said {
	switch {
	case e.asked.said != nil:
	case !e.whole:
		e.asked.said = nothing
	default:
		e.asked.said = e.set.said.Of("", e.body, func(bool) *said {
			s := &said{}
			_ = json.Unmarshal(e.body, s, asItCame) // an unreadable body matches no rule about its content
			return s
		})
	}
	return e.asked.said
}

// readBody reads the body completely, unless it is too long.
func (e *exchange) readBody() {
	e.body = e.short[:0]
	if e.r.ContentLength >= shortBody { // with room for one more byte, to detect the end
		e.body = make([]byte, 0, e.r.ContentLength+1)
	}
	for len(e.body) <= mostBody {
		if len(e.body) == cap(e.body) {
			e.body = slices.Grow(e.body, bytes.MinRead)
		}
		n, err := e.r.Body.Read(e.body[len(e.body):min(cap(e.body), mostBody+1)])
		e.body = e.body[:len(e.body)+n]
		if err != nil {
			e.whole = errors.Is(err, io.EOF) && len(e.body) <= mostBody
			return
		}
	}
}

// asItCame accepts bodies that are not strictly valid: dispatch reports their errors.
var asItCame = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// wholeBody is a body in memory, for handlers that need it all.
type wholeBody struct {
	bytes.Reader
	text []byte
}

// Whole returns the body; it is read-only.
func (b *wholeBody) Whole() []byte { return b.text }

// Close implements [io.Closer].
func (*wholeBody) Close() error { return nil }

// setText sets the text of the body.
func (b *wholeBody) setText(text []byte) *wholeBody {
	b.text = text
	b.Reset(text)
	return b
}

// rest returns the request's body unchanged.
func (e *exchange) rest() io.ReadCloser {
	if e.whole {
		return new(wholeBody).setText(e.body)
	}
	return struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(e.body), e.r.Body), e.r.Body}
}

// pass passes the request to dispatch unchanged.
func (e *exchange) pass() {
	if e.whole {
		came := e.r.Body
		e.r.Body = e.again.setText(e.body)
		defer func() { e.r.Body = came }()
		e.next.ServeHTTP(e.w, e.r)
		return
	}
	// A copy: the server needs the original body to end the connection properly.
	again := *e.r
	again.Body = e.rest()
	e.next.ServeHTTP(e.w, &again)
}

// chosen selects the fault that applies to the request, and reports whether there is one.
func (e *exchange) chosen() bool {
	e.what = e.set.choose(e, false)
	if e.what == nil && !e.set.options.NoMagic {
		e.what = e.magic()
	}
	if e.what == nil {
		e.what = e.set.choose(e, true)
	}
	return e.what != nil
}

// applyFault applies the fault.
func (e *exchange) applyFault() {
	defer func() { e.set.tell(e.what.ended) }() // after the fault has happened
	e.sign(e.w.Header())
	f := catalogue().byName[e.what.do.Kind]
	if f != nil && e.what.do.Once && e.comesAgain() {
		e.sendUnchanged(e.ask(e.body))
		return
	}
	defer func() { // also if the request is aborted by a panic
		if !e.spared {
			e.set.tell([]Event{{e.set.options.Now(), Hit, e.what.id, f.Name, e.asked.op}})
		}
	}()
	f.act(e)
}

// sign sets the headers of a response that name the rule and the kind of its fault.
func (e *exchange) sign(h http.Header) {
	h.Set(Header, e.what.id)
	h.Set(HeaderKind, e.what.do.Kind)
}

// wait waits in real time; it returns false if the client disconnected.
func (e *exchange) wait(d time.Duration) bool { return e.set.options.Pause(e.r.Context(), d) }

// answer is a response of dispatch, or one in its place.
type answer struct {
	header http.Header
	status int
	body   []byte

	// fill is the number of additional bytes sent within the body, after its first ahead
	// bytes. They are generated while sending, since many clients may request megabytes
	// at once.
	fill, ahead int
}

// ok reports whether the status is 2xx.
func (a *answer) ok() bool { return a.status >= 200 && a.status < 300 }

// Header is part of [http.ResponseWriter].
func (a *answer) Header() http.Header { return a.header }

// WriteHeader is part of [http.ResponseWriter].
func (a *answer) WriteHeader(status int) { a.status = status }

// Write is part of [http.ResponseWriter].
func (a *answer) Write(b []byte) (int, error) {
	a.body = append(a.body, b...)
	return len(b), nil
}

// lasting returns a context that lives until the exchange is over, even if the client has
// disconnected.
func (e *exchange) lasting() context.Context {
	if e.inner == nil {
		e.inner, e.over = context.WithCancel(context.WithoutCancel(e.r.Context()))
	}
	return e.inner
}

// end cancels the context of [exchange.lasting], if there is one.
func (e *exchange) end() {
	if e.over != nil {
		e.over()
	}
}

// ask sends a request with a body to dispatch. It completes even if the client has
// disconnected.
func (e *exchange) ask(body []byte) *answer {
	inner := e.r.WithContext(e.lasting())
	if e.whole {
		inner.Body, inner.ContentLength = new(wholeBody).setText(body), int64(len(body))
	} else {
		inner.Body = e.rest()
	}
	a := &answer{header: http.Header{}, status: http.StatusOK}
	e.next.ServeHTTP(a, inner)
	e.reportBooking(a)
	return a
}

// reportBooking reports the journey of a booking to a journal around the handler, if there is
// one, since the client may never receive it.
func (e *exchange) reportBooking(a *answer) {
	if e.asked.op != Book || !a.ok() {
		return
	}
	var made struct {
		JourneyID string `json:"journeyId"`
	}
	if json.Unmarshal(a.body, &made, asItCame) != nil || made.JourneyID == "" {
		return
	}
	for w := e.w; ; {
		if journal, is := w.(interface{ Made(name, id string) }); is {
			journal.Made("journeyId", made.JourneyID)
			return
		}
		outer, is := w.(interface{ Unwrap() http.ResponseWriter })
		if !is {
			return
		}
		w = outer.Unwrap()
	}
}

// send sends a response, with a correct Content-Length.
func (e *exchange) send(a *answer) {
	h := e.w.Header()
	maps.Copy(h, a.header)
	h.Del("Content-Length") // it is computed again
	empty := a.status == http.StatusNoContent || a.status == http.StatusNotModified
	if !empty {
		h.Set("Content-Length", strconv.Itoa(len(a.body)+a.fill))
	}
	late := http.NewResponseController(e.w)
	defer patiently(late.SetWriteDeadline)()
	e.w.WriteHeader(a.status)
	if !empty {
		a.writeTo(e.w)
	}
	_ = late.Flush() // the same
}

// padding is the text that fills a body, piece by piece.
var padding = bytes.Repeat([]byte("x"), 32<<10)

// writeTo sends the body. Errors are ignored: the client has disconnected.
func (a *answer) writeTo(w io.Writer) {
	_, err := w.Write(a.body[:a.ahead])
	for left := a.fill; left > 0 && err == nil; {
		var n int
		n, err = w.Write(padding[:min(left, len(padding))])
		left -= n
	}
	if err == nil {
		_, _ = w.Write(a.body[a.ahead:])
	}
}

// sendUnchanged sends a response unchanged if it contains nothing for the fault to change, and takes back the hit.
func (e *exchange) sendUnchanged(a *answer) {
	e.w.Header().Del(Header)
	e.w.Header().Del(HeaderKind)
	e.spared = true
	e.set.undoHit(e.what)
	e.send(a)
}

// patience is the time limit for the client to read each part.
const patience = 30 * time.Second

// patiently sets a write deadline from now, and done removes it. The deadline uses the
// machine's clock, not the world's.
func patiently(setDeadline func(time.Time) error) (done func()) {
	_ = setDeadline(time.Time{}) // a connection without deadlines ignores it
	timer := time.AfterFunc(patience, func() { _ = setDeadline(time.Unix(1, 0)) })
	return func() { timer.Stop() }
}

// head returns the status line and headers of a response, with more as further names and
// values, for a connection taken over from the server.
func (e *exchange) head(a *answer, more ...string) []byte {
	var buf bytes.Buffer
	buf.WriteString("HTTP/1.1 " + statusLine(a.status) + "\r\n")
	h := a.header.Clone()
	e.sign(h)
	h.Set("Date", e.set.options.Wall().UTC().Format(http.TimeFormat))
	h.Del("Content-Length")
	for i := 0; i+1 < len(more); i += 2 {
		h.Set(more[i], more[i+1])
	}
	_ = h.Write(&buf) // writing to a buffer never fails
	buf.WriteString("\r\n")
	return buf.Bytes()
}

// hijack takes over the connection from the server. If that is impossible, it aborts the
// request.
func (e *exchange) hijack() net.Conn {
	conn, _, err := http.NewResponseController(e.w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	_ = conn.SetReadDeadline(time.Time{}) // the connection is not read any more
	return conn
}

// write writes to a connection that was taken over, and reports whether that succeeded.
func (e *exchange) write(conn net.Conn, b []byte) bool {
	defer patiently(conn.SetWriteDeadline)()
	_, err := conn.Write(b)
	return err == nil
}

// drop closes the connection; with reset, the client sees a reset instead of an orderly
// close.
func (e *exchange) drop(reset bool) { shut(e.hijack(), reset) }

// shut closes a connection, or resets it.
func shut(conn net.Conn, reset bool) {
	if reset {
		for { // unwrap TLS, which would send a close_notify, and the journal's connection
			outer, ok := conn.(interface{ NetConn() net.Conn })
			if !ok {
				break
			}
			conn = outer.NetConn()
		}
		if tcp, ok := conn.(interface{ SetLinger(sec int) error }); ok {
			_ = tcp.SetLinger(0) // otherwise the client sees an orderly close
		}
	}
	_ = conn.Close()
}
