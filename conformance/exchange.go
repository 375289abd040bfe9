package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"time"
)

// Exchange is one recorded call: what was sent, what came back, how long it
// took. Rules judge exchanges whoever made them.
type Exchange struct {
	ID        int           `json:"id"`        // from 1, in the order the calls ended
	Operation Operation     `json:"operation"` // the path called
	Direction Direction     `json:"direction,omitempty"`
	Probe     ProbeName     `json:"probe,omitempty"` // the probe that made it; "": somebody else's traffic
	Intent    Intent        `json:"intent,omitempty"`
	Sound     bool          `json:"sound,omitempty"` // the suite vouches that a right server serves it
	Request   Request       `json:"request"`
	Response  *Response     `json:"response,omitempty"`  // nil: no answer came
	Err       string        `json:"error,omitempty"`     // why no answer came
	ErrKind   ErrorKind     `json:"errorKind,omitempty"` // what kind of failure that was; "": another, or not known
	Shown     Credentials   `json:"credentials,omitempty"`
	Started   time.Time     `json:"started"`
	Took      time.Duration `json:"tookNanos"`
	Resent    bool          `json:"resent,omitempty"` // a connection kept from an earlier call had gone: it was made once more, on a new one

	// MayRefuse says that after what came before a right server need not serve the
	// call. Rules find it out, and note it on copies of their own.
	MayRefuse bool `json:"-"`

	// Unsent says why the call was not made; nil: it was.
	Unsent *Reason `json:"-"`

	sent, reply value // the bodies as JSON, read once
	isRead      bool
}

// Direction says which side of a call the judge was on.
type Direction string

// The directions.
const (
	Made     Direction = ""         // the judge, or who was recorded in its place, called the server that is judged
	Received Direction = "received" // who is judged called, and the judge answered
)

// Request is the sent half of an exchange. Credentials are not recorded.
type Request struct {
	Method string      `json:"method"`
	URL    string      `json:"url"`
	Header http.Header `json:"header,omitempty"`
	Body   Body        `json:"body,omitempty"`
	Cut    int         `json:"cut,omitempty"` // bytes of the body that a run file leaves out
}

// Response is the received half of an exchange.
type Response struct {
	Status int         `json:"status"`
	Proto  string      `json:"proto,omitempty"`
	Header http.Header `json:"header,omitempty"`
	Body   Body        `json:"body,omitempty"`
	Cut    int         `json:"cut,omitempty"`    // bytes of the body that a run file leaves out
	Closed bool        `json:"closed,omitempty"` // the server closed the connection after it
	Echoes bool        `json:"echoes,omitempty"` // it repeats the caller's credentials
	TLS    *Security   `json:"tls,omitempty"`    // nil: plain HTTP
}

// Security is what a TLS connection was worth.
type Security struct {
	Version  string    `json:"version"`  // such as "TLS 1.3"
	Modern   bool      `json:"modern"`   // TLS 1.2 or later
	Verified bool      `json:"verified"` // chain and host name were checked and hold
	NotAfter time.Time `json:"notAfter"` // when the server's certificate expires
}

// Intent says what a probe was after with a call that is out of the ordinary.
// Judged traffic of other people has none.
type Intent string

// The intents that every suite knows; those of its own are a suite's business.
const (
	intentPlain     Intent = ""                // an ordinary call
	intentCleanUp   Intent = "clean-up"        // tidies up what a run has made
	intentPlainHTTP Intent = "plain-http"      // over http, to a host that is tested over https
	intentPartly    Intent = "partly-recorded" // nobody's intent: not all of the call is known
)

// RecordedPartly marks a call of which not all is known: it is not judged, nor
// what it may have changed.
func (x *Exchange) RecordedPartly() { x.Intent, x.Sound = intentPartly, false }

// hefty is the size in bytes from which a request is one of nothing but padding:
// it is not read, and no more than this is kept of it.
const hefty = 256 << 10

// read parses both bodies; a second call does nothing.
func (x *Exchange) read() { x.readBy(parse) }

// readBy parses both bodies with a parser that may remember what it has seen.
func (x *Exchange) readBy(parser func([]byte) value) {
	if x.isRead {
		return
	}
	x.isRead = true
	if len(x.Request.Body) < hefty {
		x.sent = parser(x.Request.Body)
	}
	if x.Response != nil {
		x.reply = parser(x.Response.Body)
	}
}

// reread parses both bodies again, after they have been changed.
func (x *Exchange) reread() {
	x.sent, x.reply, x.isRead = value{}, value{}, false
	x.read()
}

// Sent returns the body that was sent as JSON; of what is no JSON, and of a call that
// has not been read, a value that is not there.
func (x *Exchange) Sent() value { return x.sent }

// Reply returns the body of the answer, as [Exchange.Sent] does that of the request.
func (x *Exchange) Reply() value { return x.reply }

// whyNoObject says why a reply is not the JSON object that it should be.
func (x *Exchange) whyNoObject() string {
	var o map[string]json.RawMessage
	switch err := json.Unmarshal(bytes.TrimPrefix(x.replied(), utf8BOM), &o); {
	case len(bytes.TrimSpace(x.replied())) == 0:
		return "the reply is empty"
	case len(x.replied()) > maxBody:
		return fmt.Sprintf("the reply is longer than %d bytes, and was not read to its end", maxBody)
	case err != nil && !x.Reply().present():
		return "the reply is not JSON: " + err.Error() + around(err, x.replied())
	}
	return "the reply is " + article(x.Reply().kind()) + ", not a JSON object"
}

// around quotes what stands around the place where JSON ends to be JSON.
func around(err error, body []byte) string {
	const reach = 20 // bytes
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return ""
	}
	at := min(int(syntax.Offset), len(body))
	return fmt.Sprintf(", near %q", body[max(0, at-reach):min(len(body), at+reach)])
}

// replied returns the body of the answer.
func (x *Exchange) replied() Body {
	if x.Response == nil {
		return nil
	}
	return x.Response.Body
}

// code returns the HTTP status, 0 when no answer came.
func (x *Exchange) code() int {
	if x.Response == nil {
		return 0
	}
	return x.Response.Status
}

// succeeded reports a 2xx answer.
func (x *Exchange) succeeded() bool { return x.code()/100 == 2 }

// toOtherPort reports a call that was made to another port than the server's own. The
// answer says nothing about the server but that something answers there.
func (x *Exchange) toOtherPort() bool { return x.Intent == intentPlainHTTP }

// refusedCleanly reports a 4xx answer.
func (x *Exchange) refusedCleanly() bool { return x.code()/100 == 4 }

// notMade reports a call that was not made.
func (x *Exchange) notMade() bool { return x.Request.URL == "" }

// ended returns when the answer was there.
func (x *Exchange) ended() time.Time { return x.Started.Add(x.Took) }

// Credentials says how a call showed who made it. What it showed is recorded
// nowhere.
type Credentials string

// The ways of showing credentials.
const (
	credsNone     Credentials = ""           // none are used
	credsGiven    Credentials = "given"      // as the target's Auth adds them
	credsMissing  Credentials = "missing"    // left out on purpose
	credsWrong    Credentials = "wrong"      // changed on purpose
	credsOtherCap Credentials = "other-case" // the scheme's name in other capitals
)

// maxBody bounds what is kept of a reply, in bytes.
const maxBody = 1 << 20

// isHTML reports an answer meant for a browser.
func isHTML(x *Exchange) bool {
	if x.Response == nil {
		return false
	}
	media, _, _ := mime.ParseMediaType(x.Response.Header.Get("Content-Type"))
	return media == "text/html" && !x.Reply().present() && len(bytes.TrimSpace(x.Response.Body)) > 0
}
