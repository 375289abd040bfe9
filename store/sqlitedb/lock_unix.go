//go:build unix

package sqlitedb

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// fileLock keeps a second process away from a database, which SQLite itself
// would let write in turns: a program that keeps records in memory too would
// never see those writes. It is a file of its own because closing any descriptor
// of the database file would take SQLite's own locks away. The system lets go of
// it however the process ends.
type fileLock struct{ file *os.File }

func lockFile(path string) (*fileLock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = errInUse
		}
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
	}
	return &fileLock{f}, nil
}

func (l *fileLock) release() error { return l.file.Close() }

// names returns the number of names (hard links) of a file.
func names(about os.FileInfo) int {
	if s, ok := about.Sys().(*syscall.Stat_t); ok {
		return int(s.Nlink)
	}
	return 1
}
