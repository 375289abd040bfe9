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

// Header names, in an answer, the rule by which it went wrong.
const Header = "X-Cabrank-Fault"

// mostBody is how much of a request's body is looked at, in bytes. Dispatch refuses
// longer ones.
const mostBody = 64 << 10

// shortBody is from how many bytes on a body has memory of its own.
const shortBody = 128

// Handler has go wrong with the five operations of next what the rules of a set say,
// and leaves all else to it.
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
			e.happen()
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

// asked is what a request says of itself.
type asked struct {
	op     Op
	said   *said // nil: nobody has asked for it yet
	found  bool
	number taxi.E164
}

// said is what is read of a request's body. It does not change.
type said struct {
	Phone     taxi.E164      `json:"phoneNumber"`
	UserID    taxi.UserID    `json:"userId"`
	JourneyID taxi.JourneyID `json:"journeyId"`
	Pickup    struct {
		Address string `json:"address"`
	} `json:"pickup"`
	Data struct {
		Simulate struct {
			Behaviour string `json:"behaviour"`
		} `json:"simulate"`
	} `json:"data"`
}

// nothing is what an unreadable body says.
var nothing = &said{}

// caller is the number of whoever calls, digits only: the user's, and where that is not
// known the one in the request.
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

// exchange is one request, and what goes wrong with it.
type exchange struct {
	set  *Set
	w    http.ResponseWriter
	r    *http.Request
	next http.Handler

	asked asked
	body  []byte
	whole bool // the body was read to its end
	what  *chosen
	short [shortBody]byte // where a short body is read
	again wholeBody       // for dispatch, where nothing goes wrong

	spared bool // there was nothing to break

	inner context.Context //nolint:containedctx // lasts as long as the exchange, which is one function call
	over  context.CancelFunc
}

// read reads the request, as far as it is looked at. A body that says to be longer is not
// begun: its client may wait to be told to send it (Expect), and is refused before.
func (e *exchange) read() {
	if e.r.ContentLength <= mostBody {
		e.readBody()
	}
}

// said decodes the body, the first time that a rule or a magic number depends on it.
func (e *exchange) said() *said {
	switch {
	case e.asked.said != nil:
	case !e.whole:
		e.asked.said = nothing
	default:
		e.asked.said = e.set.said.Of("", e.body, func(bool) *said {
			s := &said{}
			_ = json.Unmarshal(e.body, s, asItCame) // what cannot be read matches no rule that asks for it
			return s
		})
	}
	return e.asked.said
}

// readBody reads the body to its end, if it is not too long for that.
func (e *exchange) readBody() {
	e.body = e.short[:0]
	if e.r.ContentLength >= shortBody { // there is room for one byte more, so that the end is seen
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

// asItCame reads what others would refuse: dispatch says what is wrong with it.
var asItCame = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// wholeBody is a body that is in memory, for whoever looks at all of it.
type wholeBody struct {
	bytes.Reader
	text []byte
}

// Whole is all of the body. Nobody changes it.
func (b *wholeBody) Whole() []byte { return b.text }

// Close implements [io.Closer].
func (*wholeBody) Close() error { return nil }

// hold puts a text into a body that is to be read.
func (b *wholeBody) hold(text []byte) *wholeBody {
	b.text = text
	b.Reset(text)
	return b
}

// rest is the request's body as it came.
func (e *exchange) rest() io.ReadCloser {
	if e.whole {
		return new(wholeBody).hold(e.body)
	}
	return struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(e.body), e.r.Body), e.r.Body}
}

// pass leaves the request to dispatch as it came.
func (e *exchange) pass() {
	if e.whole {
		came := e.r.Body
		e.r.Body = e.again.hold(e.body)
		defer func() { e.r.Body = came }()
		e.next.ServeHTTP(e.w, e.r)
		return
	}
	// A copy: the server looks at the body of its own to end the connection well.
	again := *e.r
	again.Body = e.rest()
	e.next.ServeHTTP(e.w, &again)
}

// chosen finds what goes wrong with the request, if anything.
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

// happen has it go wrong.
func (e *exchange) happen() {
	defer func() { e.set.tell(e.what.ended) }() // behind what it ended with
	e.w.Header().Set(Header, e.what.id)
	f := catalogue().byName[e.what.do.Kind]
	if f != nil && e.what.do.Once && e.comesAgain() {
		e.unbroken(e.ask(e.body))
		return
	}
	defer func() { // also if the request is broken off by a panic
		if !e.spared {
			e.set.tell([]Event{{e.set.options.Now(), Hit, e.what.id, f.Name, e.asked.op}})
		}
	}()
	f.act(e)
}

// wait lets time of the wall go by; false: the client has gone.
func (e *exchange) wait(d time.Duration) bool { return e.set.options.Pause(e.r.Context(), d) }

// answer is what dispatch says, or what is said in its place.
type answer struct {
	header http.Header
	status int
	body   []byte

	// fill is how many further bytes are sent within the body, behind its first ahead. They
	// are made as they go: as many clients as like may ask for megabytes at once.
	fill, ahead int
}

// ok reports an answer that serves the request.
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

// lasting is the context of the request until the exchange is over, also when the client has gone.
func (e *exchange) lasting() context.Context {
	if e.inner == nil {
		e.inner, e.over = context.WithCancel(context.WithoutCancel(e.r.Context()))
	}
	return e.inner
}

// end ends the context of what dispatch was asked.
func (e *exchange) end() {
	if e.over != nil {
		e.over()
	}
}

// ask has dispatch do what a body asks for. It is done also when the client has gone.
func (e *exchange) ask(body []byte) *answer {
	inner := e.r.WithContext(e.lasting())
	if e.whole {
		inner.Body, inner.ContentLength = new(wholeBody).hold(body), int64(len(body))
	} else {
		inner.Body = e.rest()
	}
	a := &answer{header: http.Header{}, status: http.StatusOK}
	e.next.ServeHTTP(a, inner)
	e.tellMade(a)
	return a
}

// tellMade tells a journal around the handler, if there is one, which journey a booking has
// made: the client may never hear of it.
func (e *exchange) tellMade(a *answer) {
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

// send answers the client, with the length that the body has.
func (e *exchange) send(a *answer) {
	h := e.w.Header()
	maps.Copy(h, a.header)
	h.Del("Content-Length") // it is counted again
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
	_ = late.Flush() // likewise
}

// padding is what a body is filled with, a piece at a time.
var padding = bytes.Repeat([]byte("x"), 32<<10)

// writeTo sends the body. An error means that the client has gone.
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

// unbroken sends an answer with which nothing went wrong.
func (e *exchange) unbroken(a *answer) {
	e.w.Header().Del(Header)
	e.spared = true
	e.set.missed(e.what)
	e.send(a)
}

// patience is how long a client may take to read what is sent to it at once.
const patience = 30 * time.Second

// patiently gives a client time to read what comes, however long ago it asked, and ends
// that time when done is called. Timers know no clock that a world could have moved.
func patiently(setDeadline func(time.Time) error) (done func()) {
	_ = setDeadline(time.Time{}) // where none can be set there is none
	timer := time.AfterFunc(patience, func() { _ = setDeadline(time.Unix(1, 0)) })
	return func() { timer.Stop() }
}

// head is the status line and the headers of an answer, for a connection that the
// server no longer minds.
func (e *exchange) head(a *answer, more ...string) []byte {
	var buf bytes.Buffer
	buf.WriteString("HTTP/1.1 " + statusLine(a.status) + "\r\n")
	h := a.header.Clone()
	h.Set(Header, e.what.id)
	if e.set.options.Bare {
		maps.DeleteFunc(h, func(name string, _ []string) bool { return strings.HasPrefix(name, "X-Cabrank-") })
	}
	h.Set("Date", e.set.options.Wall().UTC().Format(http.TimeFormat))
	h.Del("Content-Length")
	for i := 0; i+1 < len(more); i += 2 {
		h.Set(more[i], more[i+1])
	}
	_ = h.Write(&buf) // a buffer takes everything
	buf.WriteString("\r\n")
	return buf.Bytes()
}

// take takes the connection from the server. Where that cannot be done the request is
// broken off.
func (e *exchange) take() net.Conn {
	conn, _, err := http.NewResponseController(e.w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	_ = conn.SetReadDeadline(time.Time{}) // nothing more is read
	return conn
}

// write sends bytes on a connection that was taken, and reports whether they went.
func (e *exchange) write(conn net.Conn, b []byte) bool {
	defer patiently(conn.SetWriteDeadline)()
	_, err := conn.Write(b)
	return err == nil
}

// drop closes the connection without another word; reset: so that the client hears of
// a reset rather than of an end.
func (e *exchange) drop(reset bool) { shut(e.take(), reset) }

// shut closes a connection.
func shut(conn net.Conn, reset bool) {
	if reset {
		for { // TLS would say goodbye, and a journal stands before the connection, too
			outer, ok := conn.(interface{ NetConn() net.Conn })
			if !ok {
				break
			}
			conn = outer.NetConn()
		}
		if tcp, ok := conn.(interface{ SetLinger(sec int) error }); ok {
			_ = tcp.SetLinger(0) // where it cannot be set the client hears of an end
		}
	}
	_ = conn.Close()
}
