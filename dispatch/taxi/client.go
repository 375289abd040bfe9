package taxi

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// ClientOptions configures a [Client]. The zero value has no credentials and a timeout of
// ten seconds.
type ClientOptions struct {
	Auth      Auth              // adds the credentials; nil: none
	TLS       *tls.Config       // client certificate (mTLS) or private roots
	Timeout   time.Duration     // for one call including its answer; 0: 10 s
	Transport http.RoundTripper // replaces the client's own transport; TLS is then ignored
	UserAgent string            // "": "cabrank"
}

// Client calls a third party's five operations. It is a [Dispatcher], safe for
// concurrent use. It never follows a redirect, which could send the credentials
// elsewhere. It never repeats a call: your code decides whether a booking may be
// sent twice.
type Client struct {
	base string
	opts ClientOptions
	http *http.Client
}

var _ Dispatcher = (*Client)(nil)

// maxHeaders is how many bytes of a reply's headers are read.
const maxHeaders = 64 << 10

// maxReply is the largest reply that is read, in bytes.
const maxReply = 4 << 20

// NewClient returns a client for a third party's base address, such as
// https://dispatch.example/taxi; the operations are paths below it.
func NewClient(base string, opts ClientOptions) (*Client, error) {
	u, err := url.Parse(base)
	switch { // the errors do not quote the address, which may hold a password
	case err != nil:
		return nil, errors.New("third-party address: not a URL; want http://host/path or https://host/path")
	case u.User != nil:
		return nil, fmt.Errorf("third-party address for %s: put credentials in the options, not in the address", u.Host)
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return nil, errors.New("third-party address: want http://host/path or https://host/path")
	case u.RawQuery != "", u.ForceQuery, u.Fragment != "":
		return nil, fmt.Errorf("third-party address for %s: the operations are paths below it, so it takes no query or fragment", u.Host)
	}
	if opts.Timeout == 0 {
		opts.Timeout = 10 * time.Second
	}
	if opts.UserAgent == "" {
		opts.UserAgent = "cabrank"
	}
	transport := opts.Transport
	if transport == nil {
		own := http.DefaultTransport.(*http.Transport).Clone()
		own.TLSClientConfig = opts.TLS
		own.MaxIdleConnsPerHost, own.MaxResponseHeaderBytes = 64, maxHeaders
		transport = own
	}
	return &Client{
		base: strings.TrimRight(base, "/"),
		opts: opts,
		http: &http.Client{
			Transport:     transport,
			Timeout:       opts.Timeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// Config calls /config.
func (c *Client) Config(ctx context.Context, r ConfigRequest) (ConfigResponse, error) {
	return call[ConfigResponse](ctx, c, PathConfig, r)
}

// User calls /user.
func (c *Client) User(ctx context.Context, r UserRequest) (EndUser, error) {
	return call[EndUser](ctx, c, PathUser, r)
}

// Book calls /book. With [WithIdempotencyKey] in ctx the call may be repeated
// safely against a server that honours the header.
func (c *Client) Book(ctx context.Context, r BookRequest) (Journey, error) {
	return call[Journey](ctx, c, PathBook, r)
}

// Cancel calls /cancel.
func (c *Client) Cancel(ctx context.Context, r JourneyRef) (Journey, error) {
	return call[Journey](ctx, c, PathCancel, r)
}

// Status calls /status.
func (c *Client) Status(ctx context.Context, r JourneyRef) (Journey, error) {
	return call[Journey](ctx, c, PathStatus, r)
}

type idempotencyKey struct{}

// IdempotencyHeader names the header that makes a repeated booking one booking.
const IdempotencyHeader = "Idempotency-Key"

// WithIdempotencyKey makes calls under ctx carry the Idempotency-Key header.
func WithIdempotencyKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, idempotencyKey{}, key)
}

// call posts in to a path below the base address and decodes the answer.
func call[Out answer](ctx context.Context, c *Client, path string, in any) (out Out, err error) {
	body, err := json.Marshal(in)
	if err != nil {
		return out, fmt.Errorf("%s: %w", path, err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, bytes.NewReader(body))
	if err != nil {
		return out, fmt.Errorf("%s: %w", path, err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, "+ProblemContentType)
	req.Header.Set("User-Agent", c.opts.UserAgent)
	if key, ok := ctx.Value(idempotencyKey{}).(string); ok {
		req.Header.Set(IdempotencyHeader, key)
	}
	if c.opts.Auth != nil {
		c.opts.Auth(req)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return out, fmt.Errorf("%s: %w", path, err)
	}
	defer resp.Body.Close()
	reply, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	switch {
	case err != nil:
		return out, fmt.Errorf("%s: reading the answer: %w", path, err)
	case len(reply) > maxReply:
		return out, fmt.Errorf("%s: the answer is larger than %d bytes", path, maxReply)
	case resp.StatusCode/100 != 2:
		return out, readProblem(resp, reply)
	}
	if err := json.Unmarshal(reply, &out); err != nil {
		return out, fmt.Errorf("%s: the answer is not what the interface describes: %w", path, err)
	}
	if field := out.missing(); field != "" {
		return out, fmt.Errorf("%s: the answer is not what the interface describes: it has no %s", path, field)
	}
	return out, nil
}

// answer is the answer of an operation. missing returns the name of a required field that is
// absent, or "".
type answer interface{ missing() string }

func (c ConfigResponse) missing() string { return firstEmpty("status", string(c.Status)) }
func (u EndUser) missing() string        { return firstEmpty("userId", string(u.UserID), "name", u.Name) }
func (j Journey) missing() string {
	return firstEmpty("journeyId", string(j.JourneyID), "status", string(j.Status))
}

// firstEmpty takes names and values in turn, and returns the first name whose value is empty;
// "": there is none.
func firstEmpty(pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			return pairs[i]
		}
	}
	return ""
}

// readProblem converts an answer with a status other than 2xx to a [Problem].
func readProblem(resp *http.Response, body []byte) *Problem {
	p := &Problem{}
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if media != ProblemContentType || json.Unmarshal(body, p) != nil {
		p = &Problem{Title: http.StatusText(resp.StatusCode), Detail: clip(string(body))}
	}
	p.Status = resp.StatusCode
	p.RetryAfter = retryAfter(resp.Header)
	return p
}

// retryAfter returns the delay in a Retry-After header, 0 if there is none. A date counts from
// the answer's own Date, so that the two clocks need not agree.
func retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if s, err := strconv.ParseUint(text, 10, 32); err == nil { // 136 years will do
		return time.Duration(s) * time.Second
	}
	until, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	sent, err := http.ParseTime(h.Get("Date"))
	if err != nil || until.Before(sent) {
		return 0
	}
	return until.Sub(sent)
}
