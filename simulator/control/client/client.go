// Package client calls the control API of a cabrank that is served: a tester's program
// moves the clock of a world, looks at its journeys, has answers go wrong and asks what was
// called.
//
//	c, err := client.New("http://127.0.0.1:8080", client.Options{})
//	box, err := c.NewSandbox(ctx, control.SandboxOrder{Name: "ann", Clock: &control.ClockOrder{Mode: control.Manual}})
//	ann := c.Sandbox(box.Name) // the same calls, in a world of its own
//	_, err = ann.Advance(ctx, control.Advance{By: host.Duration(15 * time.Minute)})
//
// Orders and answers are those of packages control, fault and live, which the server itself
// reads and writes. What a server refuses is a [*Problem]. The five operations are not here:
// package taxi has a client for them.
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

// mostAnswer bounds an answer, in bytes: a journal tells of 32 MiB of bodies at once.
const mostAnswer = 64 << 20

// ErrStranger is the error when whoever answers is no cabrank, or an old one: it has
// nothing that can be read at the address of a call.
var ErrStranger = errors.New("it has no control API at " + control.Prefix)

// Options is what a [Client] may be given.
type Options struct {
	Token string       // what the server asks for; "": nothing
	HTTP  *http.Client // makes the calls; nil: a client that follows no redirects
}

// Client makes the calls of one world. Its methods may be called from any goroutine. How
// long a call may take is for ctx to say: moving a clock takes up to five minutes.
type Client struct {
	base    string
	options Options
}

// inSandbox is the end of the address of a sandbox.
var inSandbox = regexp.MustCompile(`/s/[a-z0-9-]+$`)

// New returns a client of the world at a base address: of a server, which means its main
// world, or of one of its sandboxes. The error says that base is not an address of HTTP.
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

// Main is the client of the main world of the same server.
func (c *Client) Main() *Client {
	return &Client{inSandbox.ReplaceAllString(c.base, ""), c.options}
}

// Sandbox is the client of a sandbox of the same server, by its name.
func (c *Client) Sandbox(name string) *Client {
	return &Client{c.Main().base + "/s/" + url.PathEscape(name), c.options}
}

// URL is the base address of the world, which a platform is given as its third party.
func (c *Client) URL() string { return c.base }

// Problem is what a server refuses (RFC 9457). The journal says more than others.
type Problem = query.Problem

// do makes a call: path is below [control.Prefix], in is sent as JSON unless it is nil, out
// takes the answer unless it is nil. The error is a [*Problem], [ErrStranger] or one of the connection.
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

// send makes a call as do does, and returns an answer that is no refusal, whose
// body is the caller's to read and close.
func (c *Client) send(ctx context.Context, method, path string, in any) (*http.Response, error) {
	if bare, _, _ := strings.Cut(path, "?"); strings.Contains(bare+"/", "//") && bare != "/" {
		return nil, errors.New("an id or a name is empty") // the server would take the call for one of the list
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

// refusalOf reads why a call was refused.
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

// wholeOf reads an answer, which is bounded.
func wholeOf(resp *http.Response) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(resp.Body, mostAnswer+1))
	if err == nil && len(text) > mostAnswer {
		err = fmt.Errorf("the answer is longer than %d bytes", mostAnswer)
	}
	return text, err
}

// decode reads an answer. A journal tells bodies as they were sent, with a name twice, too.
func decode(text []byte, out any) error {
	if jsonv2.Unmarshal(text, out, jsontext.AllowDuplicateNames(true), jsonv2.MatchCaseInsensitiveNames(true)) != nil {
		return ErrStranger
	}
	return nil
}

// get reads what is at a path.
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

// text reads an answer that is no JSON, or is to stay as it was told.
func (c *Client) text(ctx context.Context, path string) ([]byte, error) {
	resp, err := c.send(ctx, http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return wholeOf(resp)
}

// at is the path of a call, from its segments.
func at(segments ...string) string {
	var path strings.Builder
	for _, segment := range segments {
		path.WriteString("/" + url.PathEscape(segment))
	}
	return path.String()
}

// page are the parameters of a list; those that say nothing are left out.
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

// nothing is the order of a call that takes none.
type nothing struct{}
