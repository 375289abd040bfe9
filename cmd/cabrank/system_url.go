package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// withdraw removes the address that an earlier server, or this one, announced:
// scripts must not call a server that is gone.
func (f *systemFlags) withdraw() error {
	if f.urlFile == "" {
		return nil
	}
	if err := os.Remove(f.urlFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &exitError{exitUsage, fmt.Errorf("--url-file: %w", err)}
	}
	return nil
}

// announce writes the address for scripts; they never see half of it.
func (f *systemFlags) announce(url string) error {
	if f.urlFile == "" {
		return nil
	}
	draft := f.urlFile + ".tmp"
	if err := os.WriteFile(draft, []byte(url+"\n"), 0o644); err != nil {
		return &exitError{exitUsage, fmt.Errorf("--url-file: %w", err)}
	}
	return os.Rename(draft, f.urlFile)
}
