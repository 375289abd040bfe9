//go:build unix

package calls

import (
	"io/fs"
	"syscall"
)

// onDisk returns the disk space of a file: less than its size if parts of it were
// skipped.
func onDisk(f fs.FileInfo) int64 {
	if stat, ok := f.Sys().(*syscall.Stat_t); ok {
		return min(f.Size(), stat.Blocks*512)
	}
	return f.Size()
}
