package live

import (
	"fmt"
	"sync"
)

// journalFile writes the calls of a journal to its file. While the file takes none, such as on a
// full disk, calls are counted in place of being written, and the first of them is tried again.
type journalFile struct {
	mu   sync.Mutex
	opts *Options
	owed []byte // the line that the file did not take; nil: it took all
	err  error  // why
	lost int    // calls that came meanwhile, and are not in the file
	all  int    // of these since the start
}

// file writes a call to the file, if there is one.
func (l *Journal) file(k *Call) {
	if l.opts.File == nil {
		return
	}
	l.mu.Lock()
	d := k.Document(false)
	l.mu.Unlock()
	text, err := Marshal(d)
	l.inFile.add(append(text, '\n'), err)
}

// add writes a line, and counts it where it cannot. err is why there is none.
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
		f.tell(err, 0)
	}
}

// goOn writes the line that is owed, and reports whether none is any more.
func (f *journalFile) goOn() bool {
	if f.owed == nil {
		return true
	}
	if _, f.err = f.opts.File.Write(f.owed); f.err != nil {
		return false
	}
	f.tell(nil, f.lost)
	f.owed, f.lost = nil, 0
	return true
}

func (f *journalFile) tell(err error, lost int) {
	if f.opts.FileTold != nil {
		f.opts.FileTold(err, lost)
	}
}

// FileTrouble returns why the file takes no calls; nil: it does, or there is none. It tries.
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
