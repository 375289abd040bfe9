// Package client calls the control API of a cabrank server. With it, a test program moves
// the clock of a world, reads its journeys, injects faults and reads the recorded
// requests.
//
//	c, err := client.New("http://127.0.0.1:8080", client.Options{})
//	box, err := client.Do(ctx, c, control.MakeSandbox, control.SandboxOrder{Name: "ann", Clock: &control.ClockOrder{Mode: control.Manual}})
//	ann := c.Sandbox(box.Name) // the same calls, in a world of its own
//	_, err = client.Do(ctx, ann, control.AdvanceClock, control.Advance{By: host.Duration(15 * time.Minute)})
//
// The calls are values of packages control and, for the journal, of this one. The types of
// requests and responses are those of packages control, fault and live, which the server
// uses, too. A refusal is a [*Problem]. For the five operations, package taxi has a client.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/conformance/journal/live/query"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control"
)

// mostAnswer limits the size of a response, in bytes: a journal may return 32 MiB of
// bodies at once.
const mostAnswer = 64 << 20

// ErrStranger means that the server is not cabrank, or an old version: it has no control
// API at the expected path.
var ErrStranger = errors.New("it has no control API at " + control.Prefix)

// Options configures a [Client].
type Options struct {
	Token string       // the control token; "": none
	HTTP  *http.Client // sends the requests; nil: a client that follows no redirects
}

// Client calls the control API of one world. It may be used by any goroutine. The time limit of a call is that of ctx: moving a clock takes up to five
// minutes.
type Client struct {
	base    string
	options Options
}

// inSandbox matches the end of a sandbox's address.
var inSandbox = regexp.MustCompile(`/s/[a-z0-9-]+$`)

// New returns a client of the world at a base address: that of a server, for its main
// world, or that of a sandbox. It fails if base is not an HTTP URL.
func New(base string, o Options) (*Client, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%q is not a base address such as http://127.0.0.1:8080", base)
	}
	if o.HTTP == nil {
		o.HTTP = outbound.New(outbound.Options{Proxied: true})
	}
	return &Client{strings.TrimRight(base, "/"), o}, nil
}

// Main returns the client of the main world of the same server.
func (c *Client) Main() *Client {
	return &Client{inSandbox.ReplaceAllString(c.base, ""), c.options}
}

// Sandbox returns the client of a sandbox of the same server.
func (c *Client) Sandbox(name string) *Client {
	return &Client{c.Main().base + "/s/" + url.PathEscape(name), c.options}
}

// URL returns the base address of the world, which is the third-party address for a
// platform.
func (c *Client) URL() string { return c.base }

// Problem is the error with which a server refuses a request (RFC 9457). The journal's have more members than others.
type Problem = query.Problem

// Do makes a call: in is the body, or the parameters of the query, and ids are the
// segments of the path in braces, in order. An [io.ReadCloser] is to be read and closed. The
// error is a [*Problem], [ErrStranger] or one of the connection.
func Do[In, Out any](ctx context.Context, c *Client, call control.Call[In, Out], in In, ids ...string) (Out, error) {
	return Send(ctx, c, call, in, ids...)
}

// Send is [Do] with a body of another type that has the same JSON, such as a map.
func Send[In, Out any](ctx context.Context, c *Client, call control.Call[In, Out], in any, ids ...string) (out Out, err error) {
	if opened, is := any(&out).(*io.ReadCloser); is {
		*opened, err = c.Open(ctx, call, in, ids...)
		return out, err
	}
	text, err := c.Text(ctx, call, in, ids...)
	if err != nil {
		return out, err
	}
	switch out := any(&out).(type) {
	case *control.None:
	case *[]byte:
		*out = text
	default:
		err = Decode(text, out)
	}
	return out, err
}

// Route is a [control.Call] of any types.
type Route interface {
	Method() string
	Path() string
	OfServer() bool
}

// Text makes a call as [Send] does, and returns the response as it is.
func (c *Client) Text(ctx context.Context, call Route, in any, ids ...string) ([]byte, error) {
	body, err := c.Open(ctx, call, in, ids...)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return wholeOf(body)
}

// Open makes a call as [Send] does, and returns the response to be read and closed, such as
// an event stream. A replica of a team that says that it has not made the call is asked again, as it asks for.
func (c *Client) Open(ctx context.Context, call Route, in any, ids ...string) (io.ReadCloser, error) {
	const tries = 10
	for n := 1; ; n++ {
		body, err := c.open(ctx, call, in, ids...)
		if p, refused := errors.AsType[*Problem](err); !refused || p.Code != moving || !p.Retryable || n == tries {
			return body, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(time.Second):
		}
	}
}

// moving is the error code of a request that was not executed since its world is moving to another replica.
const moving taxi.Code = "world-moving"

func (c *Client) open(ctx context.Context, call Route, in any, ids ...string) (io.ReadCloser, error) {
	if call.OfServer() {
		c = c.Main()
	}
	path, err := pathOf(call.Path(), ids)
	if err != nil {
		return nil, err
	}
	if values, is := in.(url.Values); is {
		if in = nil; len(values) > 0 {
			path += "?" + values.Encode()
		}
		if call.Method() == http.MethodPost || call.Method() == http.MethodPut {
			in = control.None{}
		}
	}
	var sent bytes.Buffer
	if in != nil {
		if err := json.NewEncoder(&sent).Encode(in); err != nil {
			return nil, err
		}
	}
	req, err := http.NewRequestWithContext(ctx, call.Method(), c.base+control.Prefix+path, &sent)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if c.options.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.options.Token)
	}
	resp, err := c.options.HTTP.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode < http.StatusMultipleChoices {
		return resp.Body, nil
	}
	defer resp.Body.Close()
	return nil, refusalOf(resp)
}

// segment matches a segment of a path that an id replaces.
var segment = regexp.MustCompile(`\{[^}]*\}`)

// pathOf returns the path of a call. An empty id is an error: the server would take the path
// for that of the list.
func pathOf(path string, ids []string) (string, error) {
	if n := len(segment.FindAllString(path, -1)); n != len(ids) {
		return "", fmt.Errorf("%s has %d ids, got %d", path, n, len(ids))
	}
	if slices.Contains(ids, "") {
		return "", errors.New("an id or a name is empty")
	}
	return segment.ReplaceAllStringFunc(path, func(string) string {
		id := ids[0]
		ids = ids[1:]
		return url.PathEscape(id)
	}), nil
}

// refusalOf returns the error of a refused request.
func refusalOf(resp *http.Response) error {
	text, err := wholeOf(resp.Body)
	if err != nil {
		return err
	}
	if media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); media != taxi.ProblemContentType {
		return ErrStranger
	}
	p := &Problem{}
	if err := Decode(text, p); err != nil {
		return err
	}
	return p
}

// wholeOf reads a response up to the size limit.
func wholeOf(body io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(body, mostAnswer+1))
	if err == nil && len(text) > mostAnswer {
		err = fmt.Errorf("the answer is longer than %d bytes", mostAnswer)
	}
	return text, err
}

// Decode decodes a response, or returns [ErrStranger]. A recorded body may contain a duplicate name.
func Decode(text []byte, out any) error {
	if jsonv2.Unmarshal(text, out, jsontext.AllowDuplicateNames(true), jsonv2.MatchCaseInsensitiveNames(true)) != nil {
		return ErrStranger
	}
	return nil
}
