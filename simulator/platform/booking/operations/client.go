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

// Limits of a call.
const (
	Within     = 3 * time.Second // for one call, with its answer
	maxReply   = 1 << 20         // bytes
	maxHeaders = 64 << 10        // bytes
	idleFor    = 90 * time.Second
	idleConns  = 64
	longest    = 24 * time.Hour // that a Retry-After is kept to
)

// Options says how to reach a third party. Now is required.
type Options struct {
	Auth taxi.Auth   // nil: none
	TLS  *tls.Config // nil: the roots of the system
	Now  func() time.Time

	Private bool // it may be on a private network; else it is on this machine or public
}

// Client calls one third party. It is safe for concurrent use.
type Client struct {
	base     string
	opts     Options
	http     *http.Client
	customer string // whom the calls are for
	tell     func(Call)
	rests    *lru.Cache[rest, time.Time]
}

// rest is a call that the third party asked not to be made again before a time. A
// booking that is refused while it is closed keeps nobody from cancelling, and one
// customer who has called too often keeps no other from a taxi.
type rest struct{ path, customer, about string }

// mostRests is how many of them are remembered.
const mostRests = 1000

// New returns a client for a third party's base address. The operations are paths
// below it, so it has neither a query nor a fragment, and no password, which would
// end up in logs.
func New(base string, opts Options) (*Client, error) {
	if err := CheckURL(base); err != nil {
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

// CheckURL says what is wrong with a third party's base address. The error does
// not repeat it.
func CheckURL(base string) error {
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

// For returns the client as it calls for one customer.
func (c *Client) For(customer string) *Client {
	one := *c
	one.customer = customer
	return &one
}

// Close lets go of idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// call posts a body and reads the object that is answered. Where again is set the
// call is made once more if its outcome is not known.
func (c *Client) call(ctx context.Context, path string, body any, again bool) (object, error) {
	text, err := encode(body)
	if err != nil {
		return nil, &Failure{Path: path, Err: err}
	}
	this := rest{path, c.customer, string(text)}
	if b, ok := body.(bookBody); ok { // the rest of it is new each second: the time of a taxi for now
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

// encode spells a body; characters stay as they are, so that an id does too.
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

// read makes an object, or a failure, of an answer.
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
		f.Err = errors.New("the answer is no JSON object")
		return nil, f
	}
	return o, nil
}

// retryAfter reads the header of that name: seconds or a date.
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(header, 10, 32); err == nil {
		return min(time.Duration(seconds)*time.Second, longest)
	}
	if at, err := http.ParseTime(header); err == nil {
		return min(max(0, at.Sub(now)), longest)
	}
	return 0
}

// withoutURL keeps the address out of errors.
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

// Failure is a call that was not answered as hoped.
type Failure struct {
	Path    string
	Status  int           // of HTTP; 0: there was no answer
	Outcome Outcome       // what is known of it
	After   time.Duration // not to be called again before that; 0: nothing was said
	Err     error         // in words, without addresses and secrets
}

// Outcome is what a failed call may have done.
type Outcome int

// What a failed call may have done.
const (
	NotDone Outcome = iota // it was refused: nothing has happened
	Unknown                // no answer, or none that makes sense: it may have been done
)

// Error says what happened in one line.
func (f *Failure) Error() string {
	if f.Status == 0 {
		return fmt.Sprintf("%s: %v", f.Path, f.Err)
	}
	return fmt.Sprintf("%s: %d: %v", f.Path, f.Status, f.Err)
}

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// outcomeOf says what a call may have done that was answered with a status.
// 408 and 5xx may come from a proxy that has passed the call on.
func outcomeOf(status int) Outcome {
	if status == http.StatusRequestTimeout || status >= http.StatusInternalServerError {
		return Unknown
	}
	return NotDone
}

// ErrPrivate refuses an address of a private network, and says how one is allowed.
var ErrPrivate = errors.New("is neither on this machine nor public; 'cabrank platform --third-party' may name one on a private network, and --allow-private-hooks allows all there")

// guard is [outbound.Reach] with an error of ours.
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

// CheckReach is [CheckURL], and refuses addresses in digits that no call may go to.
func CheckReach(base string, private bool) error {
	if err := CheckURL(base); err != nil {
		return err
	}
	u, err := url.Parse(base)
	if err != nil {
		return err
	}
	at, err := netip.ParseAddr(u.Hostname())
	if err != nil {
		return nil // where a name leads is looked at when it is dialled
	}
	return guard(private)("tcp", netip.AddrPortFrom(at, 0).String(), nil)
}
