package journals

import (
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/simulator/host"
)

// sandboxList is a file that lists the sandboxes whose journals have files, while the
// server runs. If it exists when a server starts, a killed server left it: its sandboxes
// are gone, and their files are removed.
type sandboxList struct {
	path string
	of   func(sandbox string) string // returns the file of a sandbox's journal
	log  *slog.Logger

	mu    sync.Mutex
	file  *os.File       // nil: no sandbox has a file yet, or the server is stopping
	named map[string]int // number of sandboxes with a name that have files: one may begin while another ends
	ended bool           // the server stopped properly
}

// sweep removes what a killed server left. It does nothing while another server has the
// list open.
func (l *sandboxList) sweep() {
	if _, err := os.Stat(l.path); err != nil {
		return
	}
	if err := l.removeNamed(); err != nil {
		l.log.Warn("the journal files of sandboxes before are not removed", "list", l.path, "error", err)
	}
}

func (l *sandboxList) removeNamed() error {
	file, err := host.OpenAlone(l.path)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(l.path)
	for line := range strings.Lines(string(text)) {
		name, whole := strings.CutSuffix(line, "\n")
		if !whole || name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			continue // not a valid name
		}
		err = errors.Join(err, removeRolling(l.of(name)))
	}
	return errors.Join(err, l.remove(file))
}

// remove removes the list while no other server can open it, on systems that can remove
// open files.
func (l *sandboxList) remove(file *os.File) error {
	err := os.Remove(l.path)
	closed := file.Close()
	if err != nil {
		err = os.Remove(l.path)
	}
	return errors.Join(closed, err)
}

// add lists a sandbox before its file is created. The files of a server that stops stay.
func (l *sandboxList) add(sandbox string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return nil
	}
	if l.file == nil {
		file, err := host.OpenAlone(l.path)
		if err != nil {
			return err
		}
		l.file, l.named = file, map[string]int{}
	}
	if l.named[sandbox]++; l.named[sandbox] > 1 {
		return nil
	}
	_, err := l.file.WriteString(sandbox + "\n")
	return err
}

// drop removes a sandbox from the list after its files were removed.
func (l *sandboxList) drop(sandbox string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil || l.named[sandbox] == 0 {
		return nil
	}
	if l.named[sandbox]--; l.named[sandbox] > 0 {
		return nil
	}
	delete(l.named, sandbox)
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(l.named)) {
		text.WriteString(name + "\n")
	}
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	if _, err := l.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := l.file.WriteString(text.String())
	return err
}

// end removes the list when a server stops properly: the files of its sandboxes stay.
func (l *sandboxList) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	if l.file == nil {
		return
	}
	if err := l.remove(l.file); err != nil {
		l.log.Warn("the list of sandboxes is not removed: their journal files go at the next start", "list", l.path, "error", err)
	}
	l.file = nil
}

// removeRolling removes the files of a journal, if they exist.
func removeRolling(path string) (err error) {
	for _, name := range live.RollingNames(path) {
		if gone := os.Remove(name); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}
