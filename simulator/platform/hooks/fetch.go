package hooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// FetchWithin is how long a file has to come, from the first packet to the last,
// unless [Client.FetchWithin] says otherwise.
const FetchWithin = 5 * time.Second

// ErrFetch means that a file is not to be had.
var ErrFetch = errors.New("the file was not fetched")

// Fetch gets a file of at most so many bytes from an http or https address, which
// the verb play names. It is guarded as a request to a hook is: no redirects, and
// no private addresses unless they are allowed. No credentials go along but those
// that the address holds.
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
