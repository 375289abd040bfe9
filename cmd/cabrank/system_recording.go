package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// errInUse means that another process writes to a file.
var errInUse = errors.New("another cabrank writes to it; choose another file, or stop that one")

// recordingFile is a file that a run is written to. It belongs to whoever opened it
// alone, and keeps what it holds until [recordingFile.empty].
type recordingFile struct {
	flag, path string
	file       *os.File // nil: nothing is written
	errors     io.Writer
	once       sync.Once
}

// openRecording opens a file for a recording, if one is named. It holds names and
// numbers, so nobody else may read it.
func openRecording(flag, path string, out outside) (*recordingFile, error) {
	j := &recordingFile{flag: flag, path: path, errors: out.stderr}
	if path == "" {
		return j, nil
	}
	var err error
	if j.file, err = openAlone(path); err != nil {
		return nil, &exitError{exitUsage, fmt.Errorf("%s %s: %w", flag, path, err)}
	}
	return j, nil
}

// writer is what a world writes to; nil if no file is named.
func (j *recordingFile) writer() io.Writer {
	if j.file == nil {
		return nil
	}
	return j
}

// empty makes room for a new run. Devices and pipes hold nothing.
func (j *recordingFile) empty() error {
	if j.file == nil {
		return nil
	}
	info, err := j.file.Stat()
	if err == nil && info.Mode().IsRegular() {
		err = j.file.Truncate(0)
	}
	if err != nil {
		return &exitError{exitUsage, fmt.Errorf("%s %s: %w", j.flag, j.path, err)}
	}
	return nil
}

// Write implements [io.Writer]. The first failure is told, since a world that
// cannot write its recording goes on without.
func (j *recordingFile) Write(line []byte) (int, error) {
	n, err := j.file.Write(line)
	if err != nil {
		j.once.Do(func() {
			fmt.Fprintf(j.errors, "cabrank: %s: the recording ends here: %v\n", j.flag, err)
		})
	}
	return n, err
}

func (j *recordingFile) close() error {
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}

// openRecording opens the recording of a system, and leaves what it holds as it is.
func (f *systemFlags) openRecording(cmd *cobra.Command, s *system, opts *simulator.Options, out outside) (*recordingFile, error) {
	j, err := openRecording("--record", f.recording, out)
	if err != nil {
		return nil, err
	}
	s.finish = append(s.finish, j.close)
	if opts.Record = j.writer(); opts.Record != nil {
		opts.Recipe, err = recipe(cmd)
	}
	return j, err
}

// begin empties the recording for a world that is about to begin, and says so if the
// run cannot be repeated from it.
func (j *recordingFile) begin(records *store.Store) error {
	if _, past := records.Meta("people"); past && j.file != nil {
		fmt.Fprintf(j.errors, "cabrank: %s: the database holds something already, which the recording does not tell: this run cannot be repeated by 'cabrank replay'\n", j.flag)
	}
	return j.empty()
}
