//go:build unix

package host

import (
	"errors"
	"os"
	"syscall"
)

// OpenAlone opens a file for appending, unless another process has opened it in this way.
// The system releases it when the process ends, in whatever way. Devices and pipes are
// not exclusive.
func OpenAlone(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.Mode().IsRegular() {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = errInUse
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}
