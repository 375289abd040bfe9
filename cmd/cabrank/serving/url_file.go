package serving

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// removeURLFile removes the address that an earlier server, or this one, wrote:
// scripts must not call a server that is gone.
func (f *systemFlags) removeURLFile() error {
	if f.urlFile == "" {
		return nil
	}
	if err := os.Remove(f.urlFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cli.Exit(cli.ExitUsage, fmt.Errorf("--url-file: %w", err))
	}
	return nil
}

// writeURLFile writes the address for scripts; they never see half of it.
func (f *systemFlags) writeURLFile(url string) error {
	if f.urlFile == "" {
		return nil
	}
	draft := f.urlFile + ".tmp"
	if err := os.WriteFile(draft, []byte(url+"\n"), 0o644); err != nil {
		return cli.Exit(cli.ExitUsage, fmt.Errorf("--url-file: %w", err))
	}
	return os.Rename(draft, f.urlFile)
}
