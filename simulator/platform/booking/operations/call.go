package operations

import (
	"bytes"
	"encoding/json"
	"net/http"
	"time"
)

// Call is a request to a third party, with or without a response.
type Call struct {
	Path   string        // such as /book
	At     time.Time     // when it was sent
	Took   time.Duration // until the response was read, or the request was given up
	Status int           // HTTP status; 0: no response
	Error  string        // why the response was not accepted; "": it was

	// Headers of a dispatch system that tests its traffic, such as 'cabrank serve': the
	// id in its journal, the verdict on the request, and an injected fault. Others do not
	// send them.
	Request, Verdict, Fault string
}

// The names of these headers.
const (
	requestHeader = "X-Cabrank-Request"
	verdictHeader = "X-Cabrank-Verdict"
	faultHeader   = "X-Cabrank-Fault"
)

// longestHeader limits the length of each, in bytes.
const longestHeader = 64

// Telling returns a client that calls tell with each request when it is complete. tell
// must not block.
func (c *Client) Telling(tell func(Call)) *Client {
	one := *c
	one.tell = tell
	return &one
}

// made describes a request that was sent at a time.
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

// header returns the value of a header, unless it is too long.
func header(resp *http.Response, name string) string {
	if value := resp.Header.Get(name); len(value) <= longestHeader {
		return value
	}
	return ""
}

// ID is the id of a user or a journey: its JSON text exactly as received, including
// quotes and escapes, since it must be returned unchanged. The zero value is no id.
type ID string

// StringID returns the id with this value.
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

// Text returns the id for people: the value of a string, or the digits of a number.
func (id ID) Text() string {
	var s string
	if json.Unmarshal([]byte(id), &s) == nil {
		return s
	}
	return string(id)
}

// Is reports whether both are the same id, whatever their escapes.
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

// id returns a member that is an id: a string that is not empty, or a number, which the
// interface does not allow but some systems send.
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
