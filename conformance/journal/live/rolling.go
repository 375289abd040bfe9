package live

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// RollingFile is a file of whole lines that is rotated when it grows too long. The previous
// file is kept with the suffix ".1"; older ones are deleted.
type RollingFile struct {
	path string
	most int64
	size int64
	file *os.File // nil: it could not be opened after a rotation
}

// OpenRolling opens a file for appending lines, readable only by its owner. The two files
// together have about 2 × most bytes. A partial line of a killed process is cut
// off.
func OpenRolling(path string, most int64) (*RollingFile, error) {
	f := &RollingFile{path: path, most: most}
	return f, f.open()
}

// RollingNames returns the names of the two files of a path: the current one and the previous one.
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

// wholeLines returns how many bytes of a file are whole lines.
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

// Write implements [io.Writer]. Each call writes one line, all or nothing.
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

// cut removes the bytes of a partly written line.
func (f *RollingFile) cut(n int) error {
	if n == 0 {
		return nil
	}
	if err := f.file.Truncate(f.size); err != nil {
		return errors.Join(err, f.Close()) // the next write opens and cuts it
	}
	return nil
}

// beginAnew rotates the file.
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
