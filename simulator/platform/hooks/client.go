package hooks

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"code.dny.dev/ssrf"

	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/simulator/platform/api"
)

// Limits of a hook's response, and timeouts.
const (
	maxReply   = 64 << 10 // bytes of a body
	maxHeaders = 64 << 10
	dialWithin = 5 * time.Second
	idleFor    = 90 * time.Second
	idleConns  = 64 // idle connections per host
	userAgent  = "cabrank-platform"
)

// Client sends requests to hooks. It follows no redirects and uses no proxy. Unless
// private addresses are allowed, it connects only to public ones; that is checked when it
// dials, so that a host name cannot be changed to a private address afterwards. Some
// addresses, such as cloud metadata services, are never dialled.
type Client struct {
	FetchWithin time.Duration // timeout for a file, see [Client.Fetch]

	http *http.Client
	now  func() time.Time
}

// NewClient returns a client. Local addresses, such as this machine's own, are only
// dialled if allowPrivate is set.
func NewClient(now func() time.Time, allowPrivate bool) *Client {
	o := outbound.Options{MostHeaders: maxHeaders, DialWithin: dialWithin, Guard: ssrf.New(ssrf.WithAnyPort()).Safe}
	if allowPrivate {
		o.Guard = outbound.Reach(true)
	}
	t := outbound.Transport(o)
	t.MaxIdleConnsPerHost, t.IdleConnTimeout, t.DisableCompression = idleConns, idleFor, true
	return &Client{FetchWithin: FetchWithin, now: now, http: outbound.Over(t, 0)}
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Answer is the response of a hook.
type Answer struct {
	Status      int
	ContentType string
	Body        []byte
	RetryAfter  time.Duration // 0: no such header
}

// errTooLong means that a hook's response exceeds the limit.
var errTooLong = fmt.Errorf("the answer is longer than %d bytes", maxReply)

// post sends a body to an address, signed if the hook has a secret. The hook's
// credentials are only sent if trusted.
func (c *Client) post(ctx context.Context, address string, h api.Hook, trusted bool, id string, body []byte) (Answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return Answer{}, err
	}
	at := c.now()
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", userAgent)
	req.Header.Set(HeaderID, id)
	req.Header.Set(HeaderTimestamp, strconv.FormatInt(at.Unix(), 10))
	if trusted {
		authorize(req, h)
		if h.Secret != "" {
			req.Header.Set(HeaderSignature, Sign(h.Secret, id, at, body))
		}
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return Answer{}, withoutURL(err)
	}
	defer resp.Body.Close()
	read, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	if err == nil && len(read) > maxReply {
		err = errTooLong
	}
	return Answer{
		Status: resp.StatusCode, ContentType: resp.Header.Get("Content-Type"), Body: read,
		RetryAfter: retryAfter(resp.Header.Get("Retry-After"), at),
	}, err
}

// authorize adds a hook's credentials, as its authType says.
func authorize(req *http.Request, h api.Hook) {
	switch h.AuthType {
	case api.AuthKeySecret:
		req.Header.Set(h.APISecretName, h.APISecretValue)
		req.Header.Set(h.APIKeyName, h.APIKeyValue)
	case api.AuthKey:
		req.Header.Set(h.APIKeyName, h.APIKeyValue)
	case api.AuthBasic:
		req.SetBasicAuth(h.APIKeyValue, h.APISecretValue)
	}
}

// withoutURL removes addresses from error texts, since they may contain secrets of a
// third party, and says how an address that was not dialled can be allowed.
func withoutURL(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err
	}
	if errors.Is(err, ssrf.ErrProhibitedIP) {
		return fmt.Errorf("%w; --allow-private-hooks allows addresses on this machine and on private networks", err)
	}
	return err
}

// longestRetryAfter limits the Retry-After of a hook.
const longestRetryAfter = 24 * time.Hour

// retryAfter parses that header: seconds or a date.
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(header); err == nil && seconds > 0 {
		return min(time.Duration(min(seconds, 1<<20))*time.Second, longestRetryAfter)
	}
	if at, err := http.ParseTime(header); err == nil {
		return min(max(0, at.Sub(now)), longestRetryAfter)
	}
	return 0
}

// The headers of a signed request, by Standard Webhooks
// (standard-webhooks/standard-webhooks).
const (
	HeaderID        = "Webhook-Id"
	HeaderTimestamp = "Webhook-Timestamp"
	HeaderSignature = "Webhook-Signature"
)

// Sign returns the Webhook-Signature of a body. The secret is "whsec_" and the key in
// base64; another secret gives no signature.
func Sign(secret, id string, at time.Time, body []byte) string {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		return ""
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// FetchWithin is the default timeout for a file, from the first packet to the last, see
// [Client.FetchWithin].
const FetchWithin = 5 * time.Second

// ErrFetch means that a file could not be fetched.
var ErrFetch = errors.New("the file was not fetched")

// Fetch downloads a file of at most most bytes from an http or https address, for the
// verb play. It has the same restrictions as a request to a hook: no redirects, and no
// private addresses unless they are allowed. It sends no credentials except those in the
// address.
func (c *Client) Fetch(ctx context.Context, address string, most int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.FetchWithin)
	defer cancel()
	to, err := url.Parse(address)
	if err != nil || to.Scheme != "http" && to.Scheme != "https" {
		return nil, fmt.Errorf("%w: it has no http or https address", ErrFetch)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: it has no http or https address", ErrFetch)
	}
	req.Header.Set("Accept", "audio/*")
	req.Header.Set("User-Agent", userAgent)
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFetch, withoutURL(err))
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%w: its server answered %d", ErrFetch, resp.StatusCode)
	}
	file, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFetch, err)
	}
	if int64(len(file)) > most {
		return nil, fmt.Errorf("%w: it is longer than %d bytes", ErrFetch, most)
	}
	return file, nil
}
