package worlds

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/host"
)

// mostSnapshots is how many a world may have.
const mostSnapshots = 20

// Snapshot is a world as it was when it was saved.
type Snapshot struct {
	Name  string
	Taken time.Time // by the wall
	Saved *host.Saved

	held int  // times that it is being read; mu of the snapshots is held for both
	gone bool // it is removed once nobody reads it
}

// Snapshots are those of a sandbox. They end with it.
type Snapshots struct {
	mu     sync.Mutex
	byName map[string]*Snapshot
	count  int // of files
}

// noSnapshot says that there is none of a name.
func noSnapshot(name string) error {
	return refuse(NoSnapshot, "there is no snapshot %.40q", name)
}

// Get finds a snapshot.
func (s *Snapshots) Get(name string) (*Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.byName[name]; one != nil {
		return one, nil
	}
	return nil, noSnapshot(name)
}

// hold finds a snapshot whose file stays until release is called, whatever happens to it.
func (s *Snapshots) hold(name string) (one *Snapshot, release func() error, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one = s.byName[name]; one == nil {
		return nil, nil, noSnapshot(name)
	}
	one.held++
	return one, func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		if one.held--; one.held == 0 && one.gone {
			return one.Saved.Remove()
		}
		return nil
	}, nil
}

// remove removes the file of a snapshot that nobody finds any more, once nobody reads it;
// mu is held.
func (*Snapshots) remove(one *Snapshot) error {
	if one.held > 0 {
		one.gone = true
		return nil
	}
	return one.Saved.Remove()
}

// room refuses another snapshot where there are too many.
func (s *Snapshots) room(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.roomFor(name)
}

// roomFor is room; mu is held.
func (s *Snapshots) roomFor(name string) error {
	if s.byName[name] == nil && len(s.byName) >= mostSnapshots {
		return refuse(TooManySnapshots, "there are %d snapshots already; remove one", mostSnapshots)
	}
	return nil
}

// put keeps a snapshot, in the place of another of that name, which is removed; failed
// says why that could not be.
func (s *Snapshots) put(one *Snapshot) (replaced bool, failed, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.roomFor(one.Name); err != nil {
		return false, nil, err
	}
	if s.byName == nil {
		s.byName = make(map[string]*Snapshot)
	}
	old := s.byName[one.Name]
	s.byName[one.Name] = one
	if old == nil {
		return false, nil, nil
	}
	return true, s.remove(old), nil
}

// drop removes a snapshot; failed says why its file could not be.
func (s *Snapshots) drop(name string) (failed, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.byName[name]
	if one == nil {
		return nil, noSnapshot(name)
	}
	delete(s.byName, name)
	return s.remove(one), nil
}

// file is a file that nobody else has: no name of a sandbox has the mark that stands in
// those of the main world.
func (w *World) file(folder string) string {
	w.Snapshots.mu.Lock()
	defer w.Snapshots.mu.Unlock()
	w.Snapshots.count++
	return filepath.Join(folder, cmp.Or(w.Name, "_main")+"-snapshot-"+strconv.Itoa(w.Snapshots.count)+".db")
}

// weight is the memory that snapshots take, at most: they may share records with each other and
// with the world.
func (s *Snapshots) weight() (bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.byName {
		bytes += recordsTake(one.Saved.InMemory())
	}
	return bytes
}

// List returns the snapshots, by name.
func (s *Snapshots) List() []*Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*Snapshot, 0, len(s.byName))
	for _, name := range slices.Sorted(maps.Keys(s.byName)) {
		all = append(all, s.byName[name])
	}
	return all
}

// Save keeps a host of a world as it is, in the place of a snapshot of that name.
func (s *Worlds) Save(ctx context.Context, w *World, h *host.Host, name string) (one *Snapshot, replaced bool, err error) {
	if err := w.Snapshots.room(name); err != nil {
		return nil, false, err
	}
	folder, err := s.Folder()
	if err != nil {
		return nil, false, err
	}
	saved, err := h.Save(ctx, w.file(folder))
	if err != nil {
		return nil, false, err
	}
	one = &Snapshot{Name: name, Taken: s.options.Now(), Saved: saved}
	replaced, failed, err := w.Snapshots.put(one)
	if err != nil {
		return nil, false, errors.Join(err, saved.Remove())
	}
	s.stays(w, name, failed)
	return one, replaced, nil
}

// DropSnapshot removes a snapshot of a world.
func (s *Worlds) DropSnapshot(w *World, name string) error {
	failed, err := w.Snapshots.drop(name)
	s.stays(w, name, failed)
	return err
}

// HoldSnapshot finds a snapshot of a world, whose file stays until release is called.
func (s *Worlds) HoldSnapshot(w *World, name string) (one *Snapshot, release func(), err error) {
	one, done, err := w.Snapshots.hold(name)
	return one, func() { s.stays(w, name, done()) }, err
}

// stays says that the file of a snapshot that is no more could not be removed, if it could not. It goes
// with the folder.
func (s *Worlds) stays(w *World, name string, failed error) {
	if failed != nil {
		s.log.Warn("the file of a snapshot could not be removed", "snapshot", name, "sandbox", w.Name, "error", failed)
	}
}

// removeAll removes the snapshots of a sandbox that has ended.
func (s *Snapshots) removeAll() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, one := range s.byName {
		errs = append(errs, s.remove(one))
	}
	s.byName = nil
	return errors.Join(errs...)
}
