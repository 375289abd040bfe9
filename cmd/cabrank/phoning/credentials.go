package phoning

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/platform"
)

// credentials are what the platform has been told of passwords and client ids, and
// the file that they are kept in.
type credentials struct {
	path string // "": no file

	mu    sync.Mutex
	known platform.Credentials
}

// open seeds a new database, sets what was never set, and writes the file. What an
// earlier file says and still fits is kept.
func (c *credentials) open(ctx context.Context, p *platform.Platform, url string) error {
	earlier, err := c.read()
	if err != nil {
		return err
	}
	if err := c.try(); err != nil { // before anything is set that nobody could read
		return err
	}
	if err := p.Seed(ctx); err != nil {
		return err
	}
	known, err := p.Credentials(ctx, earlier)
	if err != nil {
		return err
	}
	known.BaseURL, known.VoiceBaseURL = url, url
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = known
	return c.write()
}

func (c *credentials) read() (earlier platform.Credentials, err error) {
	if c.path == "" {
		return earlier, nil
	}
	text, err := os.ReadFile(c.path)
	if errors.Is(err, fs.ErrNotExist) {
		return earlier, nil
	}
	if err != nil {
		return earlier, cli.UsageError("--credentials-file: %w", err)
	}
	if err := json.Unmarshal(text, &earlier); err != nil {
		return earlier, cli.UsageError("--credentials-file: %s is there and is no credentials file: %w", c.path, err)
	}
	return earlier, nil
}

// try finds out whether the file can be written, and leaves it as it is.
func (c *credentials) try() error {
	if c.path == "" {
		return nil
	}
	draft := c.path + ".tmp"
	if err := os.WriteFile(draft, nil, 0o600); err != nil {
		return cli.UsageError("--credentials-file: %w", err)
	}
	return os.Remove(draft)
}

// made takes in what the control API has made or renewed.
func (c *credentials) made(more platform.Credentials) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known.Merge(more)
	return c.write()
}

// now returns a copy of what is known.
func (c *credentials) now() platform.Credentials {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.known
	known.Users, known.Accounts = slices.Clone(known.Users), slices.Clone(known.Accounts)
	return known
}

// write writes the file; the lock is held.
func (c *credentials) write() error {
	if c.path == "" {
		return nil
	}
	text, err := json.MarshalIndent(c.known, "", "  ")
	if err != nil {
		return err
	}
	return cli.Replace("--credentials-file", c.path, append(text, '\n'), 0o600)
}
