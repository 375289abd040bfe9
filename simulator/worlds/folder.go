package worlds

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/store"
)

// Folder is a [Directory] in files: the main world is in one database, and each sandbox in
// a database of its own in a folder, with a JSON file of its facts. One process at a time
// uses it, the one that has opened the main world's database.
type Folder struct {
	main store.Place
	path string

	sweep func() error    // removes files that a killed process left; called once, after the main world is open
	mu    sync.Mutex      // held while files of facts are added or removed, and for the member below
	named map[string]bool // snapshots that this process has named, perhaps not in the facts yet: ann@3
}

// NewFolder returns the directory of the worlds beside a main world. The folder is created
// with the first sandbox.
func NewFolder(main store.Place, path string) *Folder {
	f := &Folder{main: main, path: path, named: make(map[string]bool)}
	f.sweep = sync.OnceValue(f.sweepFiles)
	return f
}

// mainFile is the name of the main world's files. No sandbox has it.
const mainFile = "_main"

// facts returns the path of the facts of a world, and records that of its records.
func (f *Folder) facts(name string) string {
	return filepath.Join(f.path, cmp.Or(name, mainFile)+".json")
}

func (f *Folder) records(name string) store.Place {
	if name == "" {
		return f.main
	}
	return store.File(filepath.Join(f.path, name+".db"))
}

// snapshotMark separates the name of a world from the number of a snapshot.
const snapshotMark = "@"

// snapshotName returns the name of the files of a snapshot, without the ending.
func snapshotName(name string, number int) string {
	return cmp.Or(name, mainFile) + snapshotMark + strconv.Itoa(number)
}

func (f *Folder) snapshot(name string, number int) store.Place {
	f.mu.Lock()
	defer f.mu.Unlock()
	base := snapshotName(name, number)
	f.named[base] = true
	return store.File(filepath.Join(f.path, base+".db"))
}

// Claim implements [Directory].
func (f *Folder) Claim(ctx context.Context, name string) (Claim, error) {
	found, err := f.Find(ctx, name)
	if err != nil {
		return nil, err
	}
	return &folderClaim{f, name, found.Facts}, nil
}

// Create implements [Directory].
func (f *Folder) Create(ctx context.Context, name string, facts Facts) (Claim, error) {
	if err := f.sweep(); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := os.Stat(f.facts(name)); err == nil {
		return nil, ErrExists
	}
	c := &folderClaim{f, name, facts}
	return c, c.write(facts)
}

// Find implements [Directory].
func (f *Folder) Find(_ context.Context, name string) (Listed, error) {
	text, err := os.ReadFile(f.facts(name))
	l := Listed{Name: name}
	switch {
	case errors.Is(err, fs.ErrNotExist) && name == "":
		return l, nil
	case errors.Is(err, fs.ErrNotExist):
		return l, ErrUnknown
	case err != nil:
		return l, err
	}
	if err := json.Unmarshal(text, &l.Facts); err != nil {
		return l, fmt.Errorf("%s: %w; move the file away, and the sandbox is gone", f.facts(name), err)
	}
	return l, nil
}

// List implements [Directory].
func (f *Folder) List(ctx context.Context) (all []Listed, err error) {
	if err := f.sweep(); err != nil {
		return nil, err
	}
	names, err := f.names()
	for _, name := range names {
		l, failed := f.Find(ctx, name)
		if errors.Is(failed, ErrUnknown) { // it was removed meanwhile
			continue
		}
		err = errors.Join(err, failed)
		all = append(all, l)
	}
	return all, err
}

// names lists the sandboxes in the folder.
func (f *Folder) names() (names []string, err error) {
	entries, err := os.ReadDir(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".json"); ok && name != mainFile {
			names = append(names, name)
		}
	}
	return names, err
}

// sweepFiles removes what a process left that was killed while it created or removed a
// sandbox or a snapshot, or wrote facts: databases without facts, and new facts.
func (f *Folder) sweepFiles() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	names, err := f.names()
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	errs, listed := []error{err}, f.listed(append(names, mainFile))
	for _, e := range entries {
		base, ending, _ := strings.Cut(e.Name(), ".")
		if !listed(base) || strings.HasPrefix(ending, newFacts) {
			errs = append(errs, os.Remove(filepath.Join(f.path, e.Name())))
		}
	}
	return errors.Join(errs...)
}

// newFacts begins the file name ending of facts that are being written.
const newFacts = "json.new-"

// listed returns a function that reports whether there are facts of a world, or of a
// snapshot, whose files have a name. All snapshots of a world whose facts cannot be read are
// listed. mu is held.
func (f *Folder) listed(names []string) func(base string) bool {
	listed, unread := maps.Clone(f.named), make(map[string]bool)
	for _, name := range names {
		listed[name] = true
		found, err := f.Find(context.Background(), strings.TrimPrefix(name, mainFile))
		unread[name] = err != nil
		for _, one := range found.Facts.Snapshots {
			listed[snapshotName(name, one.Number)] = true
		}
	}
	return func(base string) bool {
		world, _, _ := strings.Cut(base, snapshotMark)
		return listed[base] || unread[world]
	}
}

// folderClaim is the claim of a world of a [Folder]. It is never lost.
type folderClaim struct {
	folder *Folder
	name   string
	given  Facts
}

func (c *folderClaim) Facts() Facts                    { return c.given }
func (c *folderClaim) Records() store.Place            { return c.folder.records(c.name) }
func (c *folderClaim) Snapshot(number int) store.Place { return c.folder.snapshot(c.name, number) }
func (c *folderClaim) Holds() bool                     { return true }
func (c *folderClaim) OnLost(func())                   {}
func (c *folderClaim) Give(context.Context) error      { return nil }

// Keep implements [Claim].
func (c *folderClaim) Keep(_ context.Context, facts Facts) error {
	c.folder.mu.Lock()
	defer c.folder.mu.Unlock()
	return c.write(facts)
}

// write replaces the file of the facts; mu of the folder is held.
func (c *folderClaim) write(facts Facts) error {
	text, err := json.MarshalIndent(facts, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.folder.path, 0o700); err != nil {
		return fmt.Errorf("a folder for sandboxes: %w", err)
	}
	path := c.folder.facts(c.name)
	return replaceFile(path, text)
}

// replaceFile writes a file, readable by its owner only, whose old content stays until
// the new one is on disk. The new one survives a loss of power.
func replaceFile(path string, text []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-") // see newFacts
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = store.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

// Remove implements [Claim]. The facts go first, so that a sandbox is never listed without
// its records.
func (c *folderClaim) Remove(ctx context.Context) error {
	c.folder.mu.Lock()
	defer c.folder.mu.Unlock()
	errs := []error{os.Remove(c.folder.facts(c.name))}
	snapshots, err := filepath.Glob(filepath.Join(c.folder.path, c.name+snapshotMark+"*.db"))
	errs = append(errs, err, c.Records().Remove(ctx), removeIfThere(filepath.Join(c.folder.path, c.name+".db.lock")))
	for _, path := range snapshots {
		errs = append(errs, os.Remove(path))
	}
	return errors.Join(errs...)
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Fresh implements [Directory]. No other process has the folder.
func (f *Folder) Fresh(context.Context) error { return nil }

// Patience implements [Directory].
func (f *Folder) Patience() time.Duration { return openWithin }

var _ Directory = (*Folder)(nil)
