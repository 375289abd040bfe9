package cli

import (
	"errors"
	"io/fs"
	"os"
)

// Replace writes a file whole, so that nobody sees half of it. flag is what named
// the file, for the error, which is one of usage.
func Replace(flag, path string, text []byte, mode fs.FileMode) error {
	draft := path + ".tmp"
	if err := os.WriteFile(draft, text, mode); err != nil {
		return UsageError("%s: %w", flag, err)
	}
	if err := os.Rename(draft, path); err != nil {
		return UsageError("%s: %w", flag, err)
	}
	return nil
}

// Announce writes a server's address to the file of --url-file, for scripts. An
// empty path is none.
func Announce(path, url string) error {
	if path == "" {
		return nil
	}
	return Replace("--url-file", path, []byte(url+"\n"), 0o644)
}

// Withdraw removes the address that an earlier server, or this one, announced:
// scripts must not call a server that is gone.
func Withdraw(path string) error {
	if path == "" {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return UsageError("--url-file: %w", err)
	}
	return nil
}
