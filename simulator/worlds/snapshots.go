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
	"github.com/cabrank/cabrank/store"
)

// mostSnapshots limits the number of snapshots of a world.
const mostSnapshots = 20

// Snapshot is a saved state of a world.
type Snapshot struct {
	Name  string
	Taken time.Time // in real time
	Saved *host.Saved

	number int // its place, see [Claim]

	held int  // number of current readers; guarded by mu of the snapshots
	gone bool // remove its file when nobody reads it; guarded likewise
}

// Snapshots are the snapshots of a world. They are removed with it.
type Snapshots struct {
	mu     sync.Mutex
	byName map[string]*Snapshot
	count  int // number of the latest one
}

// noSnapshot returns the error for the name of a snapshot that does not exist.
func noSnapshot(name string) error {
	return refuse(NoSnapshot, "there is no snapshot %.40q", name)
}

// Get returns the snapshot with a name, or a [Refusal] if there is none.
func (s *Snapshots) Get(name string) (*Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.byName[name]; one != nil {
		return one, nil
	}
	return nil, noSnapshot(name)
}

// acquire returns a snapshot whose file is not removed until release is called.
func (s *Snapshots) acquire(name string) (one *Snapshot, release func() error, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one = s.byName[name]; one == nil {
		return nil, nil, noSnapshot(name)
	}
	one.held++
	return one, func() error {
		s.mu.Lock()
		one.held--
		last := one.held == 0 && one.gone
		s.mu.Unlock()
		if last {
			return one.remove()
		}
		return nil
	}, nil
}

// free reports whether the records of a removed snapshot can be deleted now. Otherwise the
// last of its readers deletes them.
func (s *Snapshots) free(one *Snapshot) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	one.gone = one.held > 0
	return !one.gone
}

// removeWithin limits how long the records of a snapshot may take to remove.
const removeWithin = time.Minute

// remove removes the records of a snapshot.
func (one *Snapshot) remove() error {
	ctx, cancel := context.WithTimeout(context.Background(), removeWithin)
	defer cancel()
	return one.Saved.Remove(ctx)
}

// room returns an error if the world has too many snapshots to save one of a new name.
func (s *Snapshots) room(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.roomFor(name)
}

// roomFor is [Snapshots.room] for callers that hold mu.
func (s *Snapshots) roomFor(name string) error {
	if s.byName[name] == nil && len(s.byName) >= mostSnapshots {
		return refuse(TooManySnapshots, "there are %d snapshots already; remove one", mostSnapshots)
	}
	return nil
}

// put adds a snapshot, and returns the one of the same name that it replaces; nil: none.
func (s *Snapshots) put(one *Snapshot) (old *Snapshot, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.roomFor(one.Name); err != nil {
		return nil, err
	}
	if s.byName == nil {
		s.byName = make(map[string]*Snapshot)
	}
	old = s.byName[one.Name]
	s.byName[one.Name] = one
	return old, nil
}

// take removes a snapshot from the list and returns it, or a [Refusal] if there is none.
func (s *Snapshots) take(name string) (*Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.byName[name]
	if one == nil {
		return nil, noSnapshot(name)
	}
	delete(s.byName, name)
	return one, nil
}

// next returns the number of the next snapshot.
func (s *Snapshots) next() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	return s.count
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

// Save saves the state of a world's host as a snapshot, and reports whether it replaced one of the same name.
func (s *Worlds) Save(ctx context.Context, w *World, h *host.Host, name string) (one *Snapshot, replaced bool, err error) {
	if err := w.Snapshots.room(name); err != nil {
		return nil, false, err
	}
	one = &Snapshot{Name: name, Taken: s.options.Now(), number: w.Snapshots.next()}
	place, err := s.snapshotPlace(w, one.number)
	if err != nil {
		return nil, false, err
	}
	if one.Saved, err = h.Save(ctx, place); err != nil {
		return nil, false, err
	}
	old, err := w.Snapshots.put(one)
	if err != nil {
		return nil, false, errors.Join(err, one.Saved.Remove(context.WithoutCancel(ctx)))
	}
	if err := w.keep(ctx); err != nil { // the old one is still there, and listed again after a restart
		return nil, false, err
	}
	if old != nil {
		s.discard(w, old)
	}
	return one, old != nil, nil
}

// snapshotPlace returns the place of the records of a snapshot. A sandbox's name cannot
// contain the mark that the main world's files have.
func (s *Worlds) snapshotPlace(w *World, number int) (store.Place, error) {
	if w.claim != nil {
		return w.claim.Snapshot(number), nil
	}
	folder, err := s.Folder()
	if err != nil {
		return nil, err
	}
	return store.File(filepath.Join(folder, cmp.Or(w.Name, "_main")+"-snapshot-"+strconv.Itoa(number)+".db")), nil
}

// DropSnapshot removes a snapshot of a world.
func (s *Worlds) DropSnapshot(ctx context.Context, w *World, name string) error {
	one, err := w.Snapshots.take(name)
	if err != nil {
		return err
	}
	err = w.keep(ctx)
	s.discard(w, one)
	return err
}

// discard removes the records of a snapshot that is no longer listed.
func (s *Worlds) discard(w *World, one *Snapshot) {
	if w.Snapshots.free(one) {
		s.stays(w, one.Name, one.remove())
	}
}

// HoldSnapshot returns a snapshot of a world, whose file is not removed until release is
// called.
func (s *Worlds) HoldSnapshot(w *World, name string) (one *Snapshot, release func(), err error) {
	one, done, err := w.Snapshots.acquire(name)
	return one, func() { s.stays(w, name, done()) }, err
}

// stays logs the error of removing a snapshot's file, if there is one. The file will be
// removed with the folder.
func (s *Worlds) stays(w *World, name string, failed error) {
	if failed != nil {
		s.log.Warn("the file of a snapshot could not be removed", "snapshot", name, "sandbox", w.Name, "error", failed)
	}
}

// removeAll removes the snapshots of a world that has ended.
func (s *Snapshots) removeAll() error {
	s.mu.Lock()
	all := s.byName
	s.byName = nil
	s.mu.Unlock()
	var errs []error
	for _, one := range all {
		if s.free(one) {
			errs = append(errs, one.remove())
		}
	}
	return errors.Join(errs...)
}
