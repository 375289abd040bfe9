package serving

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/control/tokens"
)

// settingFiles store the settings of a server beside its database, each in a file of its
// own: FILE.tokens.
type settingFiles struct {
	db string
	mu sync.Mutex // held while a file is changed
}

// settingsOf returns the settings of a server; nil: in memory, as its database is
// temporary.
func settingsOf(db string) tokens.Settings {
	if db == "" {
		return nil
	}
	return &settingFiles{db: db}
}

// Setting implements [tokens.Settings].
func (s *settingFiles) Setting(_ context.Context, key string) (string, error) {
	text, err := os.ReadFile(s.db + "." + key)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}

// ChangeSetting implements [tokens.Settings]. No other server changes the file, as none
// can open the database.
func (s *settingFiles) ChangeSetting(ctx context.Context, key string, change func(string) (string, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, err := s.Setting(ctx, key)
	if err == nil {
		text, err = change(text)
	}
	if err != nil {
		return err
	}
	return cli.Replace("--db", s.db+"."+key, []byte(text), 0o600)
}

// askFor makes a token for a server that has none, if its settings contain tokens of
// persons: control asks for one then, and the console's checks need it, too.
func (c *openControl) askFor(ctx context.Context, settings tokens.Settings) error {
	if settings == nil || c.url == "" || c.token != "" {
		return nil
	}
	has, err := tokens.Exist(ctx, settings)
	if err != nil {
		return cli.Exit(cli.ExitUsage, fmt.Errorf("--db: %w; without its file of tokens, everybody on this machine may make all control calls", err))
	}
	if has {
		c.token, c.made = rand.Text(), true
	}
	return nil
}
