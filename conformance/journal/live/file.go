package live

import (
	"errors"
	"fmt"
	"os"
)

// file writes a call to the file, if there is one. After the first failure nothing more
// is written, and Close tells.
func (l *Journal) file(k *kept) {
	if l.opts.File == nil {
		return
	}
	l.mu.Lock()
	failed := l.fileErr != nil
	d := k.document(false)
	l.mu.Unlock()
	if failed {
		return
	}
	text, err := write(d)
	if err == nil {
		_, err = l.opts.File.Write(append(text, '\n'))
	}
	if err != nil {
		l.mu.Lock()
		l.fileErr = fmt.Errorf("journal file: %w", err)
		l.mu.Unlock()
	}
}

// RollingFile is a file that begins anew when it has grown too long; what was before is
// in a second file, whose name ends in ".1", and what was before that is gone.
type RollingFile struct {
	path string
	most int64
	size int64
	file *os.File
}

// OpenRolling opens a file for lines to be added, readable by its owner only. The two
// files together have about 2 × most bytes.
func OpenRolling(path string, most int64) (*RollingFile, error) {
	f := &RollingFile{path: path, most: most}
	return f, f.open()
}

func (f *RollingFile) open() error {
	file, err := os.OpenFile(f.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	f.file, f.size = file, info.Size()
	return nil
}

// Write implements [io.Writer]: one call for each line, which stays whole.
func (f *RollingFile) Write(line []byte) (int, error) {
	if f.size > 0 && f.size+int64(len(line)) > f.most {
		if err := f.file.Close(); err != nil {
			return 0, err
		}
		if err := os.Rename(f.path, f.path+".1"); err != nil {
			return 0, err
		}
		if err := f.open(); err != nil {
			return 0, err
		}
	}
	n, err := f.file.Write(line)
	f.size += int64(n)
	return n, err
}

// Close closes the file.
func (f *RollingFile) Close() error { return f.file.Close() }
