package operations

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Limits of a request.
const (
	Within     = 3 * time.Second // for one request and its response
	maxReply   = 1 << 20         // bytes
	maxHeaders = 64 << 10        // bytes
	idleFor    = 90 * time.Second
	idleConns  = 64
	longest    = 24 * time.Hour // the maximum Retry-After
)

// Options configures a client. Now is required.
type Options struct {
	Auth taxi.Auth   // nil: none
	TLS  *tls.Config // nil: the roots of the system
	Now  func() time.Time

	Private bool // the third party may be on a private network; otherwise it must be on this machine or public
}

// Client sends requests to one third party. It is safe for concurrent use.
type Client struct {
	base     string
	opts     Options
	http     *http.Client
	customer string // the customer of the requests
	tell     func(Call)
	rests    *lru.Cache[rest, time.Time]
}

// rest is a request that must not be repeated before a time, because of a Retry-After. It
// is specific: if bookings are refused while the office is closed, cancelling is still
// possible, and one customer with too many requests does not affect others.
type rest struct{ path, customer, about string }

// mostRests limits how many of them are stored.
const mostRests = 1000

// New returns a client for a third party's base address. The operations are paths below
// it, so it must have no query and no fragment, and no password, which would appear in
// logs.
func New(base string, opts Options) (*Client, error) {
	if err := checkURL(base); err != nil {
		return nil, err
	}
	t := outbound.Transport(outbound.Options{MostHeaders: maxHeaders, DialWithin: Within, TLS: opts.TLS, Guard: guard(opts.Private)})
	t.MaxIdleConnsPerHost, t.IdleConnTimeout, t.DisableCompression = idleConns, idleFor, true
	rests, err := lru.New[rest, time.Time](mostRests)
	if err != nil {
		return nil, err
	}
	return &Client{
		base: strings.TrimRight(base, "/"), opts: opts, rests: rests, tell: func(Call) {},
		http: outbound.Over(t, 0),
	}, nil
}

// checkURL returns an error if a third party's base address is not valid. The error does
// not contain the address.
func checkURL(base string) error {
	u, err := url.Parse(base)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return errors.New("want http://host/path or https://host/path")
	case u.User != nil:
		return errors.New("holds credentials; give them apart from the address")
	case u.RawQuery != "", u.ForceQuery, u.Fragment != "":
		return errors.New("has a query or a fragment; the operations are paths below it")
	}
	return nil
}

// For returns a client for the requests of one customer.
func (c *Client) For(customer string) *Client {
	one := *c
	one.customer = customer
	return &one
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// call posts a body and parses the object in the response. With again, the request is
// repeated once if its outcome is unknown.
func (c *Client) call(ctx context.Context, path string, body any, again bool) (object, error) {
	text, err := encode(body)
	if err != nil {
		return nil, &Failure{Path: path, Err: err}
	}
	this := rest{path, c.customer, string(text)}
	if b, ok := body.(bookBody); ok { // the rest changes every second: the pickup time for "now"
		this.about = string(b.Phone) + " " + string(b.Journey)
	}
	o, failure := c.once(ctx, this, text)
	if again && failure != nil && failure.Outcome == Unknown && failure.After == 0 && ctx.Err() == nil {
		o, failure = c.once(ctx, this, text)
	}
	if failure != nil {
		return nil, failure
	}
	return o, nil
}

// encode encodes a body; characters are not escaped, so that ids stay unchanged.
func encode(body any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(body)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

func (c *Client) once(ctx context.Context, this rest, body []byte) (object, *Failure) {
	now, path := c.opts.Now(), this.path
	if until, ok := c.rests.Get(this); ok && until.After(now) {
		return nil, &Failure{Path: path, After: until.Sub(now), Err: errors.New("it asked not to be called yet")}
	}
	ctx, cancel := context.WithTimeout(ctx, Within)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, &Failure{Path: path, Err: errors.New("no request can be made")}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "cabrank-platform")
	if c.opts.Auth != nil {
		c.opts.Auth(req)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		f := &Failure{Path: path, Outcome: Unknown, Err: withoutURL(err)}
		c.tell(c.made(path, now, nil, f))
		return nil, f
	}
	defer resp.Body.Close()
	read, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	o, f := c.read(path, resp, read, err, now)
	c.tell(c.made(path, now, resp, f))
	if f != nil && f.After > 0 {
		c.rests.Add(this, now.Add(f.After))
	}
	return o, f
}

// read returns the object in a response, or a failure.
func (c *Client) read(path string, resp *http.Response, body []byte, err error, now time.Time) (object, *Failure) {
	f := &Failure{Path: path, Status: resp.StatusCode, Outcome: outcomeOf(resp.StatusCode)}
	if resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusServiceUnavailable {
		f.After = retryAfter(resp.Header.Get("Retry-After"), now)
	}
	if resp.StatusCode/100 != 2 {
		f.Err = errors.New(http.StatusText(resp.StatusCode))
		return nil, f
	}
	f.Outcome = Unknown
	switch {
	case err != nil:
		f.Err = fmt.Errorf("the answer broke off: %w", withoutURL(err))
		return nil, f
	case len(body) > maxReply:
		f.Err = fmt.Errorf("the answer is longer than %d bytes", maxReply)
		return nil, f
	}
	o, ok := readObject(body)
	if !ok {
		f.Err = errors.New("the answer is not a JSON object")
		return nil, f
	}
	return o, nil
}

// retryAfter parses that header: seconds or a date.
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(header, 10, 32); err == nil {
		return min(time.Duration(seconds)*time.Second, longest)
	}
	if at, err := http.ParseTime(header); err == nil {
		return min(max(0, at.Sub(now)), longest)
	}
	return 0
}

// withoutURL removes the address from an error.
func withoutURL(err error) error {
	for _, refused := range []error{ErrPrivate, outbound.ErrNever} {
		if errors.Is(err, refused) {
			return fmt.Errorf("the address of the third party %w", refused)
		}
	}
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return failed.Err
	}
	return err
}

// Failure is the error of a request.
type Failure struct {
	Path    string
	Status  int           // HTTP status; 0: no response
	Outcome Outcome       // what is known of it
	After   time.Duration // do not repeat it before this duration; 0: no such limit
	Err     error         // without addresses and secrets
}

// Outcome is what a failed request may have done.
type Outcome int

// The outcomes.
const (
	NotDone Outcome = iota // refused: nothing was done
	Unknown                // no valid response: it may have been done
)

// Error returns the failure in one line.
func (f *Failure) Error() string {
	if f.Status == 0 {
		return fmt.Sprintf("%s: %v", f.Path, f.Err)
	}
	return fmt.Sprintf("%s: %d: %v", f.Path, f.Status, f.Err)
}

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// outcomeOf returns the outcome of a request with an error status. 408 and 5xx may come
// from a proxy that has forwarded the request.
func outcomeOf(status int) Outcome {
	if status == http.StatusRequestTimeout || status >= http.StatusInternalServerError {
		return Unknown
	}
	return NotDone
}

// ErrPrivate refuses an address of a private network, and says how to allow it.
var ErrPrivate = errors.New("is neither on this machine nor public; 'cabrank platform --third-party' may name one on a private network, and --allow-private-hooks allows all there")

// guard returns the guard of [outbound.Reach]; its error for a private address is ErrPrivate.
func guard(private bool) outbound.Guard {
	reach := outbound.Reach(private)
	return func(network, address string, conn syscall.RawConn) error {
		err := reach(network, address, conn)
		if errors.Is(err, outbound.ErrPrivate) {
			return ErrPrivate
		}
		return err
	}
}

// CheckReach is checkURL, and also refuses numeric addresses to which no request may
// go.
func CheckReach(base string, private bool) error {
	if err := checkURL(base); err != nil {
		return err
	}
	u, err := url.Parse(base)
	if err != nil {
		return err
	}
	at, err := netip.ParseAddr(u.Hostname())
	if err != nil {
		return nil // host names are checked when they are dialled
	}
	return guard(private)("tcp", netip.AddrPortFrom(at, 0).String(), nil)
}
