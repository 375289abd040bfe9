// Package client calls the control API of a cabrank server. With it, a test program moves
// the clock of a world, reads its journeys, injects faults and reads the recorded
// requests.
//
//	c, err := client.New("http://127.0.0.1:8080", client.Options{})
//	box, err := c.NewSandbox(ctx, control.SandboxOrder{Name: "ann", Clock: &control.ClockOrder{Mode: control.Manual}})
//	ann := c.Sandbox(box.Name) // the same calls, in a world of its own
//	_, err = ann.Advance(ctx, control.Advance{By: host.Duration(15 * time.Minute)})
//
// The types of requests and responses are those of packages control, fault and live,
// which the server uses, too. A refusal is a [*Problem]. For the five operations, package
// taxi has a client.
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
	"strconv"
	"strings"

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

// Client calls the control API of one world. Its methods may be called from any
// goroutine. The time limit of a call is that of ctx: moving a clock takes up to five
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

// Problem is what a server refuses (RFC 9457). The journal says more than others.
type Problem = query.Problem

// do sends a request: path is relative to [control.Prefix], in is sent as JSON unless it
// is nil, and the response is decoded into out unless that is nil. The error is a
// [*Problem], [ErrStranger] or one of the connection.
func (c *Client) do(ctx context.Context, method, path string, in, out any) error {
	resp, err := c.send(ctx, method, path, in)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := wholeOf(resp)
	if err != nil || out == nil {
		return err
	}
	return decode(text, out)
}

// send sends a request as do does, and returns a successful response, whose body the
// caller must read and close.
func (c *Client) send(ctx context.Context, method, path string, in any) (*http.Response, error) {
	if bare, _, _ := strings.Cut(path, "?"); strings.Contains(bare+"/", "//") && bare != "/" {
		return nil, errors.New("an id or a name is empty") // the server would take the path for that of the list
	}
	var sent bytes.Buffer
	if in != nil {
		if err := json.NewEncoder(&sent).Encode(in); err != nil {
			return nil, err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+control.Prefix+path, &sent)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if c.options.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.options.Token)
	}
	resp, err := c.options.HTTP.Do(req)
	if err != nil || resp.StatusCode < http.StatusMultipleChoices {
		return resp, err
	}
	defer resp.Body.Close()
	return nil, refusalOf(resp)
}

// refusalOf returns the error of a refused request.
func refusalOf(resp *http.Response) error {
	text, err := wholeOf(resp)
	if err != nil {
		return err
	}
	if media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); media != taxi.ProblemContentType {
		return ErrStranger
	}
	p := &Problem{}
	if err := decode(text, p); err != nil {
		return err
	}
	return p
}

// wholeOf reads a response up to the size limit.
func wholeOf(resp *http.Response) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(resp.Body, mostAnswer+1))
	if err == nil && len(text) > mostAnswer {
		err = fmt.Errorf("the answer is longer than %d bytes", mostAnswer)
	}
	return text, err
}

// decode decodes a response. A recorded body may contain a duplicate name.
func decode(text []byte, out any) error {
	if jsonv2.Unmarshal(text, out, jsontext.AllowDuplicateNames(true), jsonv2.MatchCaseInsensitiveNames(true)) != nil {
		return ErrStranger
	}
	return nil
}

// get reads the resource at a path.
func (c *Client) get(ctx context.Context, out any, segments ...string) error {
	return c.do(ctx, http.MethodGet, at(segments...), nil, out)
}

func (c *Client) post(ctx context.Context, in, out any, segments ...string) error {
	return c.do(ctx, http.MethodPost, at(segments...), in, out)
}

func (c *Client) put(ctx context.Context, in, out any, segments ...string) error {
	return c.do(ctx, http.MethodPut, at(segments...), in, out)
}

func (c *Client) del(ctx context.Context, segments ...string) error {
	return c.do(ctx, http.MethodDelete, at(segments...), nil, nil)
}

// text reads a response without decoding it.
func (c *Client) text(ctx context.Context, path string) ([]byte, error) {
	resp, err := c.send(ctx, http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return wholeOf(resp)
}

// at joins the segments of a path.
func at(segments ...string) string {
	var path strings.Builder
	for _, segment := range segments {
		path.WriteString("/" + url.PathEscape(segment))
	}
	return path.String()
}

// page returns the parameters of a list; empty ones are left out.
func page(path string, limit int, parameters map[string]string) string {
	values := url.Values{}
	for name, value := range parameters {
		if value != "" {
			values.Set(name, value)
		}
	}
	if limit != 0 {
		values.Set("limit", strconv.Itoa(limit))
	}
	return path + "?" + values.Encode()
}

// nothing is the body of a request without content.
type nothing struct{}
