package sqlitedb

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// fileLock keeps a second process away from a database, which SQLite itself
// would let write in turns: a program that keeps records in memory too would
// never see those writes. The lock is a file opened without sharing; the system
// lets go of it however the process ends.
type fileLock struct{ handle syscall.Handle }

func lockFile(path string) (*fileLock, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	const sharingViolation = syscall.Errno(32)
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharingViolation) {
		err = errInUse
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return &fileLock{h}, nil
}

func (l *fileLock) release() error { return syscall.CloseHandle(l.handle) }

// names returns the number of names of a file, which the system does not tell with its size: 1.
func names(os.FileInfo) int { return 1 }
