package live

import (
	"fmt"
	"sync"
)

// journalFile writes the calls of a journal to its file. While writing fails, such as on a full
// disk, calls are only counted, and the first of them is tried again.
type journalFile struct {
	mu   sync.Mutex
	opts *Options
	owed []byte // the line that could not be written; nil: all were written
	err  error  // why it could not be written
	lost int    // later calls that are not in the file
	all  int    // lost calls since the start
}

// file writes a call to the file, if there is one. It has those of an earlier journal.
func (l *Journal) file(k *Call) {
	if l.opts.File == nil || k.restored {
		return
	}
	l.mu.Lock()
	d := k.Document(false)
	l.mu.Unlock()
	text, err := Marshal(d)
	l.inFile.add(append(text, '\n'), err)
}

// add writes a line, or counts it if it cannot. err is why there is no line.
func (f *journalFile) add(line []byte, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil || !f.goOn() {
		f.lost++
		f.all++
		return
	}
	if _, err := f.opts.File.Write(line); err != nil {
		f.owed, f.err = line, err
		f.notify(err, 0)
	}
}

// goOn tries to write the failed line, and reports whether there is none left.
func (f *journalFile) goOn() bool {
	if f.owed == nil {
		return true
	}
	if _, f.err = f.opts.File.Write(f.owed); f.err != nil {
		return false
	}
	f.notify(nil, f.lost)
	f.owed, f.lost = nil, 0
	return true
}

func (f *journalFile) notify(err error, lost int) {
	if f.opts.FileTold != nil {
		f.opts.FileTold(err, lost)
	}
}

// FileTrouble tries to write the failed line, and returns why it still fails; nil: there is no trouble, or no file.
func (l *Journal) FileTrouble() error {
	f := &l.inFile
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.goOn() {
		return nil
	}
	return fmt.Errorf("journal file: %w; %d calls are not in it", f.err, f.lost+1)
}

// unwritten counts the calls that are not in the file.
func (f *journalFile) unwritten() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.owed != nil {
		return f.all + 1
	}
	return f.all
}
