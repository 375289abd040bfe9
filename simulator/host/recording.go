package host

import (
	"errors"
	"io"
	"os"
	"sync"
)

// errInUse means that another process writes to a file.
var errInUse = errors.New("another cabrank writes to it; choose another file, or stop that one")

// RecordingFile is a file that a recording is written to. It belongs to whoever
// opened it alone, and keeps what it holds until [RecordingFile.Empty].
type RecordingFile struct {
	file   *os.File
	failed func(error)
	once   sync.Once
}

var _ io.WriteCloser = (*RecordingFile)(nil)

// OpenRecording opens a file for a recording, or makes it. It holds names and
// numbers, so nobody else may read it. A file that another process records to is
// refused. The first failure to write is given to failed, since a world that
// cannot write its recording goes on without; nil: it is not.
func OpenRecording(path string, failed func(error)) (*RecordingFile, error) {
	file, err := OpenAlone(path)
	if err != nil {
		return nil, err
	}
	return &RecordingFile{file: file, failed: failed}, nil
}

// Empty makes room for a new run. Devices and pipes hold nothing.
func (f *RecordingFile) Empty() error {
	info, err := f.file.Stat()
	if err == nil && info.Mode().IsRegular() {
		err = f.file.Truncate(0)
	}
	return err
}

// Write implements [io.Writer].
func (f *RecordingFile) Write(line []byte) (int, error) {
	n, err := f.file.Write(line)
	if err != nil && f.failed != nil {
		f.once.Do(func() { f.failed(err) })
	}
	return n, err
}

// Close lets go of the file.
func (f *RecordingFile) Close() error { return f.file.Close() }
