package host

import (
	"errors"
	"io"
	"os"
	"sync"
)

// errInUse means that another process writes to a file.
var errInUse = errors.New("another cabrank writes to it; choose another file, or stop that one")

// RecordingFile is the file of a recording, opened exclusively. It keeps its content
// until [RecordingFile.Empty].
type RecordingFile struct {
	file   *os.File
	failed func(error)
	once   sync.Once
}

var _ io.WriteCloser = (*RecordingFile)(nil)

// OpenRecording opens or creates the file of a recording. Only its owner may read it,
// since it contains names and phone numbers. It fails if another process is recording to
// the file. failed receives the first write error, since the world continues without its
// recording; it may be nil.
func OpenRecording(path string, failed func(error)) (*RecordingFile, error) {
	file, err := OpenAlone(path)
	if err != nil {
		return nil, err
	}
	return &RecordingFile{file: file, failed: failed}, nil
}

// Empty removes the content before a new run. It does nothing for devices and pipes.
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

// Close closes the file.
func (f *RecordingFile) Close() error { return f.file.Close() }
