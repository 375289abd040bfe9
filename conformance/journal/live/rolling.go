package live

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// RollingFile is a file of whole lines that begins anew when it has grown too long; what was
// before is in a second file, whose name ends in ".1", and what was before that is gone.
type RollingFile struct {
	path string
	most int64
	size int64
	file *os.File // nil: it could not be opened when it began anew
}

// OpenRolling opens a file for lines to be added, readable by its owner only. The two
// files together have about 2 × most bytes. What a process that was killed left of a line is
// cut off.
func OpenRolling(path string, most int64) (*RollingFile, error) {
	f := &RollingFile{path: path, most: most}
	return f, f.open()
}

// RollingNames are the files that a path stands for: the one that is written, and the one before.
func RollingNames(path string) []string { return []string{path, path + ".1"} }

func (f *RollingFile) open() error {
	file, err := os.OpenFile(f.path, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	f.file = file
	if f.size, err = wholeLines(file, info.Size()); err == nil && f.size < info.Size() {
		err = file.Truncate(f.size)
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	return nil
}

// wholeLines returns how much of a file of so many bytes are whole lines.
func wholeLines(file io.ReaderAt, size int64) (int64, error) {
	part := make([]byte, 64<<10)
	for size > 0 {
		n := min(size, int64(len(part)))
		if _, err := file.ReadAt(part[:n], size-n); err != nil {
			return 0, err
		}
		if end := bytes.LastIndexByte(part[:n], '\n'); end >= 0 {
			return size - n + int64(end) + 1, nil
		}
		size -= n
	}
	return 0, nil
}

// Write implements [io.Writer]: one call for each line, which is in the file whole or not at all.
func (f *RollingFile) Write(line []byte) (int, error) {
	if f.size > 0 && f.size+int64(len(line)) > f.most {
		if err := f.beginAnew(); err != nil {
			return 0, err
		}
	}
	if f.file == nil {
		if err := f.open(); err != nil {
			return 0, err
		}
	}
	if n, err := f.file.Write(line); err != nil {
		return 0, errors.Join(err, f.cut(n))
	}
	f.size += int64(len(line))
	return len(line), nil
}

// cut takes away the bytes of a line that did not fit.
func (f *RollingFile) cut(n int) error {
	if n == 0 {
		return nil
	}
	if err := f.file.Truncate(f.size); err != nil {
		return errors.Join(err, f.Close()) // it is opened again, and cut then
	}
	return nil
}

// beginAnew puts the file aside.
func (f *RollingFile) beginAnew() error {
	if f.file != nil {
		if err := f.Close(); err != nil {
			return err
		}
	}
	if err := os.Rename(f.path, RollingNames(f.path)[1]); err != nil {
		return err
	}
	f.size = 0
	return nil
}

// Close closes the file.
func (f *RollingFile) Close() error {
	if f.file == nil {
		return nil
	}
	file := f.file
	f.file = nil
	return file.Close()
}
