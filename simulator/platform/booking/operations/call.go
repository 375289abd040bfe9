package operations

import (
	"bytes"
	"encoding/json"
	"net/http"
	"time"
)

// Call is a call that a third party was made, with or without an answer.
type Call struct {
	Path   string        // such as /book
	At     time.Time     // it was sent
	Took   time.Duration // until the answer had been read, or was given up
	Status int           // of HTTP; 0: there was no answer
	Error  string        // why the answer was not taken; "": it was

	// What a dispatch system that judges its traffic says in the headers of its answer,
	// as 'cabrank serve' does: where its journal has the call, how the request was judged,
	// and what went wrong on purpose. Others say nothing.
	Request, Verdict, Fault string
}

// The headers with these.
const (
	requestHeader = "X-Cabrank-Request"
	verdictHeader = "X-Cabrank-Verdict"
	faultHeader   = "X-Cabrank-Fault"
)

// longestHeader bounds what is kept of one of them, in bytes.
const longestHeader = 64

// Telling returns the client as it tells of each call once it is over. tell must not
// wait.
func (c *Client) Telling(tell func(Call)) *Client {
	one := *c
	one.tell = tell
	return &one
}

// made describes a call that was sent at a time.
func (c *Client) made(path string, at time.Time, resp *http.Response, f *Failure) Call {
	call := Call{Path: path, At: at, Took: c.opts.Now().Sub(at)}
	if f != nil {
		call.Error = f.Err.Error()
	}
	if resp != nil {
		call.Status = resp.StatusCode
		call.Request, call.Verdict, call.Fault = header(resp, requestHeader), header(resp, verdictHeader), header(resp, faultHeader)
	}
	return call
}

// header is what a header says, unless it says more than any of ours does.
func header(resp *http.Response, name string) string {
	if value := resp.Header.Get(name); len(value) <= longestHeader {
		return value
	}
	return ""
}

// ID is the id of a user or a journey: its JSON text exactly as it was received,
// quotes and escapes included, since nothing about it is ours to change. The zero
// value is no id.
type ID string

// StringID is the id with this value.
func StringID(value string) ID {
	if value == "" {
		return ""
	}
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return ID(text)
}

// Text returns the id for people: a string's value, a number's digits.
func (id ID) Text() string {
	var s string
	if json.Unmarshal([]byte(id), &s) == nil {
		return s
	}
	return string(id)
}

// Is reports whether both are the same id, however it was escaped.
func (id ID) Is(other ID) bool {
	return id != "" && other != "" && id[0] == other[0] && id.Text() == other.Text()
}

// MarshalJSON writes the id as it was received; no id is null.
func (id ID) MarshalJSON() ([]byte, error) {
	if id == "" {
		return []byte("null"), nil
	}
	return []byte(id), nil
}

// id returns a member that names something: a string that is not empty, or a
// number, which the interface does not allow and some systems send.
func (o object) id(name string) ID {
	if !o.has(name) {
		return ""
	}
	raw := bytes.TrimSpace(o[name])
	switch first := raw[0]; {
	case first == '"' && len(raw) > len(`""`):
	case first == '-', '0' <= first && first <= '9':
	default:
		return ""
	}
	return ID(raw)
}
