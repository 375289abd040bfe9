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

// journalFile is a file that a run is written to. It belongs to whoever opened it
// alone, and keeps what it holds until [journalFile.empty].
type journalFile struct {
	flag, path string
	file       *os.File // nil: nothing is written
	errors     io.Writer
	once       sync.Once
}

// openJournal opens a file for a journal, if one is named. It holds names and
// numbers, so nobody else may read it.
func openJournal(flag, path string, out outside) (*journalFile, error) {
	j := &journalFile{flag: flag, path: path, errors: out.stderr}
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
func (j *journalFile) writer() io.Writer {
	if j.file == nil {
		return nil
	}
	return j
}

// empty makes room for a new run. Devices and pipes hold nothing.
func (j *journalFile) empty() error {
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
// cannot write its journal goes on without.
func (j *journalFile) Write(line []byte) (int, error) {
	n, err := j.file.Write(line)
	if err != nil {
		j.once.Do(func() {
			fmt.Fprintf(j.errors, "cabrank: %s: the journal ends here: %v\n", j.flag, err)
		})
	}
	return n, err
}

func (j *journalFile) close() error {
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}

// openJournal opens the journal of a system, and leaves what it holds as it is.
func (f *systemFlags) openJournal(cmd *cobra.Command, s *system, opts *simulator.Options, out outside) (*journalFile, error) {
	j, err := openJournal("--journal", f.journal, out)
	if err != nil {
		return nil, err
	}
	s.finish = append(s.finish, j.close)
	if opts.Journal = j.writer(); opts.Journal != nil {
		opts.Recipe, err = recipe(cmd)
	}
	return j, err
}

// begin empties the journal for a world that is about to begin, and says so if the
// run cannot be repeated from it.
func (j *journalFile) begin(records *store.Store) error {
	if _, past := records.Meta("people"); past && j.file != nil {
		fmt.Fprintf(j.errors, "cabrank: %s: the database holds something already, which the journal does not tell: this run cannot be repeated by 'cabrank replay'\n", j.flag)
	}
	return j.empty()
}
