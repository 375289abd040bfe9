package conformance

import (
	"net/http"
	"time"
)

// Exchange is one recorded call: what was sent, what came back, how long it
// took. Rules judge exchanges whoever made them.
type Exchange struct {
	ID        int           `json:"id"`              // from 1, in the order the calls ended
	Operation Operation     `json:"operation"`       // the path called
	Probe     string        `json:"probe,omitempty"` // the story it belongs to; "": somebody else's traffic
	Intent    Intent        `json:"intent,omitempty"`
	Sound     bool          `json:"sound,omitempty"` // the suite vouches that a right server serves it
	Request   Request       `json:"request"`
	Response  *Response     `json:"response,omitempty"` // nil: no answer came
	Err       string        `json:"error,omitempty"`    // why no answer came
	Started   time.Time     `json:"started"`
	Took      time.Duration `json:"tookNanos"`

	sent, reply value // the bodies as JSON, read once
	isRead      bool
}

// Request is the sent half of an exchange. Credentials are not recorded.
type Request struct {
	Method string      `json:"method"`
	URL    string      `json:"url"`
	Header http.Header `json:"header,omitempty"`
	Body   []byte      `json:"body,omitempty"`
}

// Response is the received half of an exchange.
type Response struct {
	Status int         `json:"status"`
	Proto  string      `json:"proto,omitempty"`
	Header http.Header `json:"header,omitempty"`
	Body   []byte      `json:"body,omitempty"`
	Closed bool        `json:"closed,omitempty"` // the server closed the connection after it
}

// Intent says what a probe was after with a call that is out of the ordinary.
// Judged traffic of other people has none.
type Intent string

// The intents that rules know.
const (
	intentPlain       Intent = ""
	intentUnknown     Intent = "unknown-journey"  // an id that names no journey
	intentForeign     Intent = "foreign-user"     // the right journey, somebody else's userId
	intentInexact     Intent = "inexact-id"       // a journey's id with other capitals or spaces
	intentNewcomer    Intent = "unknown-phone"    // /user for a number never seen
	intentPhoneForm   Intent = "phone-form"       // /user with a number written differently
	intentPhoneLength Intent = "phone-length"     // /user with a very short or long number
	intentUserData    Intent = "user-data"        // /user with unusual data
	intentDisabled    Intent = "disabled-user"    // /user or /book for a user who is DISABLED
	intentBlacklisted Intent = "blacklisted-user" // the same for one who is BLACKLISTED
	intentCategory    Intent = "unknown-category" // /book with a vehicleCategory nobody has
	intentExtra       Intent = "unknown-fields"
	intentCharset     Intent = "charset"
	intentSlashes     Intent = "slashes"
	intentMethod      Intent = "method"
	intentAccept      Intent = "accept"
	intentFraming     Intent = "framing"
	intentKeepAlive   Intent = "keep-alive"
	intentGzip        Intent = "gzip"
	intentScripts     Intent = "scripts"
	intentNulls       Intent = "nulls"
	intentRepeat      Intent = "repeat" // the same call over and over, in quiet
	intentMoved       Intent = "moved"  // looks at a journey that a hook has moved
	intentCleanUp     Intent = "clean-up"
)

// read parses both bodies; a second call does nothing.
func (x *Exchange) read() {
	if x.isRead {
		return
	}
	x.isRead = true
	x.sent = parse(x.Request.Body)
	if x.Response != nil {
		x.reply = parse(x.Response.Body)
	}
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

// served reports a 2xx answer that says what the operation is for: the least
// with which a caller can go on.
func (x *Exchange) served() bool {
	if !x.succeeded() {
		return false
	}
	switch x.Operation {
	case OpConfig:
		return x.reply.at("status").hasText()
	case OpUser:
		return x.reply.at("userId").scalar() != ""
	default:
		return x.reply.at("journeyId").scalar() != "" && x.reply.at("status").hasText()
	}
}

// refusedCleanly reports a 4xx answer.
func (x *Exchange) refusedCleanly() bool { return x.code()/100 == 4 }

// isEdit reports a /book call that names a journey.
func (x *Exchange) isEdit() bool {
	return x.Operation == OpBook && x.sent.at("journeyId").scalar() != ""
}

// ended returns when the answer was there.
func (x *Exchange) ended() time.Time { return x.Started.Add(x.Took) }

// journeys returns every journey object in the reply with where it stands.
func (x *Exchange) journeys() []value {
	if !x.succeeded() {
		return nil
	}
	switch x.Operation {
	case OpBook, OpCancel, OpStatus:
		if x.reply.isObject() {
			return []value{x.reply}
		}
	case OpUser:
		return x.reply.at("activeBookings").items()
	}
	return nil
}
