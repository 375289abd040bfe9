package phoning

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/platform"
)

// credentials are what the platform has been told of passwords and client ids, and
// the file that they are kept in.
type credentials struct {
	path string // "": no file
	log  *slog.Logger

	mu    sync.Mutex // held while a change is under way
	known platform.Credentials
}

// open seeds a new database, sets what was never set, and writes the file. What an
// earlier file says and still fits is kept.
func (c *credentials) open(ctx context.Context, p *platform.Platform, url string) error {
	earlier, err := c.read()
	if err != nil {
		return err
	}
	_, err = p.Open(ctx, earlier, func(known platform.Credentials) (func(bool), error) {
		known.BaseURL, known.VoiceBaseURL = url, url
		c.mu.Lock()
		return c.change(known)
	})
	return err
}

// stage takes in what the control API makes or renews.
func (c *credentials) stage(more platform.Credentials) (settle func(kept bool), err error) {
	c.mu.Lock()
	next := c.copied()
	next.Merge(more)
	return c.change(next)
}

// draft is the file that has the credentials while the database is about to take them. After
// a kill either it fits the database or the file itself does.
func (c *credentials) draft() string {
	return filepath.Join(filepath.Dir(c.path), "."+filepath.Base(c.path)+".draft")
}

// change drafts credentials, which settle has take the place of those before, or throws away.
// The lock is held until then.
func (c *credentials) change(next platform.Credentials) (settle func(kept bool), err error) {
	if c.path != "" {
		text, err := json.MarshalIndent(next, "", "  ")
		if err == nil {
			err = cli.Replace("--credentials-file", c.draft(), append(text, '\n'), 0o600)
		}
		if err != nil {
			c.mu.Unlock()
			return nil, err
		}
	}
	return func(kept bool) {
		defer c.mu.Unlock()
		if kept {
			c.known = next
		}
		if err := c.settle(kept); err != nil {
			c.log.Error("the credentials file is left as it was; the next start mends it", "draft", c.draft(), "error", err)
		}
	}, nil
}

func (c *credentials) settle(kept bool) error {
	switch {
	case c.path == "":
		return nil
	case !kept:
		return os.Remove(c.draft())
	}
	return cli.Rename(c.draft(), c.path)
}

// read returns what the file says, and the draft that a kill has left.
func (c *credentials) read() (earlier platform.Credentials, err error) {
	if c.path == "" {
		return earlier, nil
	}
	for _, path := range []string{c.path, c.draft()} {
		text, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return earlier, cli.UsageError("--credentials-file: %w", err)
		}
		var one platform.Credentials
		if err := json.Unmarshal(text, &one); err != nil {
			return earlier, cli.UsageError("--credentials-file: %s exists and is not a credentials file: %w", path, err)
		}
		earlier.Users, earlier.Accounts = append(earlier.Users, one.Users...), append(earlier.Accounts, one.Accounts...)
	}
	return earlier, nil
}

// now returns a copy of what is known.
func (c *credentials) now() platform.Credentials {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.copied()
}

// copied is now while the lock is held.
func (c *credentials) copied() platform.Credentials {
	known := c.known
	known.Users, known.Accounts = slices.Clone(known.Users), slices.Clone(known.Accounts)
	return known
}
