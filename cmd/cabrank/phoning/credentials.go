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

// credentials are the passwords and client ids that are known in clear text, and the file
// that stores them.
type credentials struct {
	path string // "": no file
	log  *slog.Logger

	mu    sync.Mutex // held during a change
	known platform.Credentials
}

// open seeds a new database, sets missing credentials, and writes the file. Credentials
// of an existing file that are still valid stay in it.
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

// stage writes a draft that includes credentials which the control API is about to create or renew. settle must be
// called when the database has been changed, or not.
func (c *credentials) stage(more platform.Credentials) (settle func(kept bool), err error) {
	c.mu.Lock()
	next := c.copyLocked()
	next.Merge(more)
	return c.change(next)
}

// draft returns the path of the file with the new credentials while the database is being changed. After a crash,
// either the draft or the file matches the database.
func (c *credentials) draft() string {
	return filepath.Join(filepath.Dir(c.path), "."+filepath.Base(c.path)+".draft")
}

// change writes a draft of the credentials. settle(true) makes the draft the file, and
// settle(false) removes it. The lock is held until then.
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

// read returns the content of the file, and of a draft that a crash has left.
func (c *credentials) read() (earlier platform.Credentials, err error) {
	if c.path == "" {
		return earlier, nil
	}
	for _, path := range []string{c.path, c.draft()} {
		text, err := cli.ReadText(path)
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

// now returns a copy of the known credentials.
func (c *credentials) now() platform.Credentials {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.copyLocked()
}

// copyLocked returns a copy of the known credentials. The lock is held.
func (c *credentials) copyLocked() platform.Credentials {
	known := c.known
	known.Users, known.Accounts = slices.Clone(known.Users), slices.Clone(known.Accounts)
	return known
}
