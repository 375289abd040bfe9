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
	Again     int           `json:"again,omitempty"`   // the call that this one makes once more, as it had failed
	Stalled   bool          `json:"stalled,omitempty"` // it took much longer than a call may: the suite's own machine stood still
	Resent    bool          `json:"resent,omitempty"`  // a connection kept from an earlier call had gone: it was made once more, on a new one

	// MayRefuse says that after what came before a right server need not serve the
	// call. Rules find it out, and note it on copies of their own.
	MayRefuse bool `json:"-"`

	// Walled is when the call began by the wall, where Started is by the clock of a world
	// that keeps its own; zero: Started is by the wall.
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
	Made     Direction = ""         // the judge, or who was recorded in its place, called the server that is judged
	Received Direction = "received" // who is judged called, and the judge answered
)

// Request is the sent half of an exchange. Credentials are not recorded.
type Request struct {
	Method string      `json:"method"`
	URL    string      `json:"url"`
	Header http.Header `json:"header,omitempty"`
	Body   Body        `json:"body,omitempty"`
	Cut    int         `json:"cut,omitempty"`    // bytes of the body that are not kept
	SHA256 string      `json:"sha256,omitempty"` // of the whole body, in hexadecimal, where the run kept no more than its beginning
}

// Response is the received half of an exchange.
type Response struct {
	Status int         `json:"status"`
	Proto  string      `json:"proto,omitempty"`
	Header http.Header `json:"header,omitempty"`
	Body   Body        `json:"body,omitempty"`
	Cut    int         `json:"cut,omitempty"`    // bytes of the body that are not kept
	SHA256 string      `json:"sha256,omitempty"` // of what was read of the body, in hexadecimal, where the run kept no more than its beginning
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
	IntentPlain     Intent = ""                // an ordinary call
	IntentCleanUp   Intent = "clean-up"        // tidies up what a run has made
	IntentPlainHTTP Intent = "plain-http"      // over http, to a host that is tested over https
	IntentPartly    Intent = "partly-recorded" // nobody's intent: not all of the call is known
)

// RecordedPartly marks a call of which not all is known: it is not judged, nor
// what it may have changed.
func (x *Exchange) RecordedPartly() { x.Intent, x.Sound = IntentPartly, false }

// Hefty is the size in bytes from which a request is one of nothing but padding:
// it is not read, and no more than this is kept of it.
const Hefty = 256 << 10

// Read parses both bodies; a second call does nothing.
func (x *Exchange) Read() { x.ReadBy(jsonvalue.Parse) }

// ReadBy parses both bodies with a parser that may remember what it has seen.
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

// readBody parses a body. Of one that is too long, or not there to its end, it reads no
// more than the ids.
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

// Sent returns the body that was sent as JSON; of what is no JSON, and of a call that
// has not been read, a value that is not there.
func (x *Exchange) Sent() jsonvalue.Value { return x.sent }

// Reply returns the body of the answer, as [Exchange.Sent] does that of the request.
func (x *Exchange) Reply() jsonvalue.Value { return x.reply }

// WhyNoObject says why a reply is not the JSON object that it should be.
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

// Replied returns the body of the answer.
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

// Succeeded reports a 2xx answer.
func (x *Exchange) Succeeded() bool { return x.Code()/100 == 2 }

// ToOtherPort reports a call that was made to another port than the server's own. The
// answer says nothing about the server but that something answers there.
func (x *Exchange) ToOtherPort() bool { return x.Intent == IntentPlainHTTP }

// RefusedCleanly reports a 4xx answer.
func (x *Exchange) RefusedCleanly() bool { return x.Code()/100 == 4 }

// NotMade reports a call that was not made.
func (x *Exchange) NotMade() bool { return x.Request.URL == "" }

// Ended returns when the answer was there.
func (x *Exchange) Ended() time.Time { return x.Started.Add(x.Took) }

// Credentials says how a call showed who made it. What it showed is recorded
// nowhere.
type Credentials string

// The ways of showing credentials.
const (
	CredsNone     Credentials = ""           // none are used
	CredsGiven    Credentials = "given"      // as the target's Auth adds them
	CredsMissing  Credentials = "missing"    // left out on purpose
	CredsWrong    Credentials = "wrong"      // changed on purpose
	CredsNear     Credentials = "near"       // changed in one character at the end
	CredsOtherCap Credentials = "other-case" // the scheme's name in other capitals
)

// Wall returns when the call began by the wall: how often somebody calls is measured by
// it, also where a world's clock stands still or runs fast.
func (x *Exchange) Wall() time.Time {
	if x.Walled.IsZero() {
		return x.Started
	}
	return x.Walled
}

// MaxBody bounds what is kept of a reply, in bytes.
const MaxBody = 1 << 20

// IsHTML reports an answer meant for a browser.
func IsHTML(x *Exchange) bool {
	if x.Response == nil {
		return false
	}
	media, _, _ := mime.ParseMediaType(x.Response.Header.Get("Content-Type"))
	return media == "text/html" && !x.Reply().Present() && len(bytes.TrimSpace(x.Response.Body)) > 0
}
