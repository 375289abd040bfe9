package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"time"

	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// Exchange is one recorded call: the request, the response and the duration. Rules judge calls of probes
// and of other clients alike.
type Exchange struct {
	ID        int           `json:"id"`        // from 1, in the order the calls ended
	Operation Operation     `json:"operation"` // the path called
	Direction Direction     `json:"direction,omitempty"`
	Probe     ProbeName     `json:"probe,omitempty"` // the probe that made it; "": traffic of other clients
	Intent    Intent        `json:"intent,omitempty"`
	Sound     bool          `json:"sound,omitempty"` // the suite knows that a correct server accepts it
	Request   Request       `json:"request"`
	Response  *Response     `json:"response,omitempty"`  // nil: no answer came
	Err       string        `json:"error,omitempty"`     // why no answer came
	ErrKind   ErrorKind     `json:"errorKind,omitempty"` // the kind of that failure; "": another or unknown
	Shown     Credentials   `json:"credentials,omitempty"`
	Started   time.Time     `json:"started"`
	Took      time.Duration `json:"tookNanos"`
	Again     int           `json:"again,omitempty"`   // the id of the failed call that this one repeats
	Stalled   bool          `json:"stalled,omitempty"` // it took much longer than the time limit: the suite's own machine was paused
	Epoch     int           `json:"epoch,omitzero"`    // how often the run had changed the server by an aid before
	Resent    bool          `json:"resent,omitempty"`  // a reused connection was closed, so the call was sent again on a new one

	// MayRefuse says that, after the earlier calls, a correct server may refuse this
	// one. Rules set it on their own copies.
	MayRefuse bool `json:"-"`

	// Walled is when the call began in real time, if Started is in the virtual time of a simulation; zero:
	// Started is real time.
	Walled time.Time `json:"-"`

	// Unsent says why the call was not made; nil: it was.
	Unsent *Reason `json:"-"`

	sent, reply jsonvalue.Value // the bodies as JSON, read once
	isRead      bool
}

// Direction says which side of a call the judge was on.
type Direction string

// The directions.
const (
	Made     Direction = ""         // the judge, or a recorded client in its place, called the judged server
	Received Direction = "received" // the judged client called, and the judge answered
)

// Request is the sent half of an exchange. Credentials are not recorded.
type Request struct {
	Method string      `json:"method"`
	URL    string      `json:"url"`
	Header http.Header `json:"header,omitempty"`
	Body   Body        `json:"body,omitempty"`
	Cut    int         `json:"cut,omitempty"`    // bytes of the body that were not stored
	SHA256 string      `json:"sha256,omitempty"` // of the whole body, in hexadecimal, if only its beginning was stored
}

// Response is the received half of an exchange.
type Response struct {
	Status int         `json:"status"`
	Proto  string      `json:"proto,omitempty"`
	Header http.Header `json:"header,omitempty"`
	Body   Body        `json:"body,omitempty"`
	Cut    int         `json:"cut,omitempty"`    // bytes of the body that were not stored
	SHA256 string      `json:"sha256,omitempty"` // of the body as far as it was read, in hexadecimal, if only its beginning was stored
	Closed bool        `json:"closed,omitempty"` // the server closed the connection after it
	Echoes bool        `json:"echoes,omitempty"` // it repeats the caller's credentials
	TLS    *Security   `json:"tls,omitempty"`    // nil: plain HTTP
}

// Security describes a TLS connection.
type Security struct {
	Version  string    `json:"version"`  // such as "TLS 1.3"
	Modern   bool      `json:"modern"`   // TLS 1.2 or later
	Verified bool      `json:"verified"` // chain and host name were checked and are valid
	NotAfter time.Time `json:"notAfter"` // when the server's certificate expires
}

// Intent is the purpose of an unusual call of a probe. Traffic of other clients
// has none.
type Intent string

// The intents that all suites share. A suite may define others.
const (
	IntentPlain     Intent = ""                // an ordinary call
	IntentCleanUp   Intent = "clean-up"        // cancels what a run has made
	IntentPlainHTTP Intent = "plain-http"      // over http, to a host that is tested over https
	IntentPartly    Intent = "partly-recorded" // not a probe's intent: the recording of the call is incomplete
)

// RecordedPartly marks a call whose recording is incomplete. Neither the call nor
// what it may have changed is judged.
func (x *Exchange) RecordedPartly() { x.Intent, x.Sound = IntentPartly, false }

// Hefty is the size in bytes from which a request is treated as padding: it is not
// parsed, and only its first Hefty bytes are stored.
const Hefty = 256 << 10

// Read parses both bodies; a second call does nothing.
func (x *Exchange) Read() { x.ReadBy(jsonvalue.Parse) }

// ReadBy parses both bodies with the given parser, which may cache values; a second call does nothing.
func (x *Exchange) ReadBy(parser func([]byte) jsonvalue.Value) {
	if x.isRead {
		return
	}
	x.isRead = true
	switch {
	case x.foreignRequest():
		x.sent = readBody(x.Request.Body, x.Request.Cut, parser)
	case len(x.Request.Body) < Hefty:
		x.sent = parser(x.Request.Body)
	}
	switch {
	case x.foreignAnswer():
		x.reply = readBody(x.Response.Body, x.Response.Cut, parser)
	case x.Response != nil:
		x.reply = parser(x.Response.Body)
	}
}

// readBody parses a body. Of one that is too long or incomplete, it reads only what [jsonvalue.Outline]
// finds, such as ids.
func readBody(b Body, cut int, parser func([]byte) jsonvalue.Value) jsonvalue.Value {
	if cut > 0 || tooLong(b) {
		return jsonvalue.Outline(b)
	}
	return parser(b)
}

// Reread parses both bodies again, after they have been changed.
func (x *Exchange) Reread() {
	x.sent, x.reply, x.isRead = jsonvalue.Value{}, jsonvalue.Value{}, false
	x.Read()
}

// Sent returns the request body as JSON. If the body is not JSON, or has not been
// parsed, the value is absent.
func (x *Exchange) Sent() jsonvalue.Value { return x.sent }

// Reply returns the response body as JSON, like [Exchange.Sent].
func (x *Exchange) Reply() jsonvalue.Value { return x.reply }

// WhyNoObject returns why a reply is not a JSON object.
func (x *Exchange) WhyNoObject() string {
	var o map[string]json.RawMessage
	switch err := json.Unmarshal(bytes.TrimPrefix(x.Replied(), jsonvalue.UTF8BOM), &o); {
	case len(bytes.TrimSpace(x.Replied())) == 0:
		return "the reply is empty"
	case x.Endless():
		return fmt.Sprintf("the reply is longer than %d bytes, and was not read to its end", MaxBody)
	case err != nil && !x.Reply().Present():
		return "the reply is not JSON: " + err.Error() + around(err, x.Replied())
	}
	return "the reply is " + Article(x.Reply().Kind()) + ", not a JSON object"
}

// around quotes the text around the position of a JSON syntax error; "": err is another kind of error.
func around(err error, body []byte) string {
	const reach = 20 // bytes
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return ""
	}
	at := min(int(syntax.Offset), len(body))
	return fmt.Sprintf(", near %q", body[max(0, at-reach):min(len(body), at+reach)])
}

// Replied returns the body of the answer; nil: no answer came.
func (x *Exchange) Replied() Body {
	if x.Response == nil {
		return nil
	}
	return x.Response.Body
}

// Code returns the HTTP status, 0 when no answer came.
func (x *Exchange) Code() int {
	if x.Response == nil {
		return 0
	}
	return x.Response.Status
}

// Failed reports whether a call got no answer or a 5xx.
func (x *Exchange) Failed() bool {
	return x.Response == nil || x.Code() >= http.StatusInternalServerError
}

// Succeeded reports whether a call was answered 2xx.
func (x *Exchange) Succeeded() bool { return x.Code()/100 == 2 }

// ToOtherPort reports whether a call went to a port other than the server's own. Its answer shows only that
// something answers there.
func (x *Exchange) ToOtherPort() bool { return x.Intent == IntentPlainHTTP }

// RefusedCleanly reports whether a call was answered 4xx.
func (x *Exchange) RefusedCleanly() bool { return x.Code()/100 == 4 }

// NotMade reports whether an exchange has no request, since its call was never made.
func (x *Exchange) NotMade() bool { return x.Request.URL == "" }

// Ended returns when the call ended, with its answer or without one.
func (x *Exchange) Ended() time.Time { return x.Started.Add(x.Took) }

// Credentials says how a call authenticated. The credentials themselves are never
// recorded.
type Credentials string

// The kinds of credentials.
const (
	CredsNone     Credentials = ""           // none
	CredsGiven    Credentials = "given"      // as the target's Auth adds them
	CredsMissing  Credentials = "missing"    // left out on purpose
	CredsWrong    Credentials = "wrong"      // changed on purpose
	CredsNear     Credentials = "near"       // the last character changed
	CredsOtherCap Credentials = "other-case" // the scheme's name in other letter case
)

// Wall returns when the call began in real time. Call rates are measured by it, since the clock of a
// simulation may stand still or run fast.
func (x *Exchange) Wall() time.Time {
	if x.Walled.IsZero() {
		return x.Started
	}
	return x.Walled
}

// MaxBody is the length in bytes of the longest reply that is read to its end.
const MaxBody = 1 << 20

// IsHTML reports whether an answer is a web page: its media type is text/html, and its body is neither
// empty nor JSON.
func IsHTML(x *Exchange) bool {
	if x.Response == nil {
		return false
	}
	media, _, _ := mime.ParseMediaType(x.Response.Header.Get("Content-Type"))
	return media == "text/html" && !x.Reply().Present() && len(bytes.TrimSpace(x.Response.Body)) > 0
}
