package control

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/host"
)

var snapshotRoutes = []route{
	get("/snapshots", listSnapshots).free(),
	put("/snapshots/{name}", takeSnapshot), get("/snapshots/{name}", showSnapshot).free(),
	del("/snapshots/{name}", dropSnapshot).free(),
	post("/snapshots/{name}/restore", restoreSnapshot).free(),
	get("/snapshots/{name}/download", downloadSnapshot).free(),
}

// mostSnapshots bounds how many a sandbox has.
const mostSnapshots = 20

// Codes of problems of snapshots.
const (
	codeNoSnapshot       taxi.Code = "snapshot-not-found" // 404
	codeTooManySnapshots taxi.Code = "too-many-snapshots" // 409
)

// Snapshot is a world as it was when it was saved.
type Snapshot struct {
	Name  string    `json:"name"`
	Taken time.Time `json:"taken"` // by the wall
	Clock Clock     `json:"clock"` // as it stood
	Seed  uint64    `json:"seed"`
	Live  int       `json:"live"` // journeys that had not ended
}

// snapshot is one that is kept.
type snapshot struct {
	Snapshot

	saved *host.Saved
}

// snapshots are those of a sandbox. They end with it.
type snapshots struct {
	mu     sync.Mutex
	byName map[string]*snapshot
	count  int // of files
}

func (s *snapshots) get(name string) (*snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.byName[name]; one != nil {
		return one, nil
	}
	return nil, refuse(http.StatusNotFound, codeNoSnapshot, "there is no snapshot %.40q", name)
}

// put keeps a snapshot, in the place of another of that name.
func (s *snapshots) put(one *snapshot) (replaced *snapshot, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	replaced = s.byName[one.Name]
	if replaced == nil && len(s.byName) >= mostSnapshots {
		return nil, refuse(http.StatusConflict, codeTooManySnapshots, "there are %d snapshots already; DELETE one", mostSnapshots)
	}
	if s.byName == nil {
		s.byName = make(map[string]*snapshot)
	}
	s.byName[one.Name] = one
	return replaced, nil
}

func (s *snapshots) take(name string) *snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.byName[name]
	delete(s.byName, name)
	return one
}

// file is a file that nobody else has: no name of a sandbox has the mark that stands in
// those of the main world and of downloads.
func (b *sandbox) file(folder, what string) string {
	b.snapshots.mu.Lock()
	defer b.snapshots.mu.Unlock()
	b.snapshots.count++
	return filepath.Join(folder, cmp.Or(b.name, "_main")+what+"-snapshot-"+strconv.Itoa(b.snapshots.count)+".db")
}

func (s *snapshots) list() []Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := []Snapshot{}
	for _, name := range slices.Sorted(maps.Keys(s.byName)) {
		all = append(all, s.byName[name].Snapshot)
	}
	return all
}

// Snapshots lists those of a world, by name.
type Snapshots struct {
	Snapshots []Snapshot `json:"snapshots"`
}

func listSnapshots(c *call) (any, error) { return Snapshots{c.box.snapshots.list()}, nil }

func showSnapshot(c *call) (any, error) {
	one, err := c.box.snapshots.get(c.path("name"))
	if err != nil {
		return nil, err
	}
	return one.Snapshot, nil
}

func takeSnapshot(c *call) (any, error) {
	name := c.path("name")
	if !sandboxName.MatchString(name) || name == toEmpty || name == toFixtures {
		return nil, refuse(http.StatusUnprocessableEntity, taxi.CodeValidationFailed,
			"a snapshot's name has up to 40 lower-case letters, digits and hyphens, and is neither empty nor fixtures")
	}
	folder, err := c.server.folder()
	if err != nil {
		return nil, err
	}
	saved, err := c.host.Save(c, c.box.file(folder, ""))
	if err != nil {
		return nil, err
	}
	one := &snapshot{Snapshot{name, c.server.options.Now(), clockAs(saved.Clock), saved.Config.Seed, saved.Live}, saved}
	replaced, err := c.box.snapshots.put(one)
	if err != nil {
		return nil, errors.Join(err, saved.Remove())
	}
	if replaced != nil {
		return one.Snapshot, replaced.saved.Remove()
	}
	return reply{http.StatusCreated, one.Snapshot}, nil
}

func dropSnapshot(c *call) (any, error) {
	one := c.box.snapshots.take(c.path("name"))
	if one == nil {
		_, err := c.box.snapshots.get(c.path("name"))
		return nil, err
	}
	return nil, one.saved.Remove()
}

// restoreSnapshot lets the world go on from a snapshot. The journal and the faults stay.
func restoreSnapshot(c *call) (any, error) {
	one, err := c.box.snapshots.get(c.path("name"))
	if err != nil {
		return nil, err
	}
	return c.begin(host.Reset{From: one.saved}, []Kept{KeepJournal, KeepFaults})
}

// downloadSnapshot sends the database of a snapshot.
func downloadSnapshot(c *call) (any, error) {
	one, err := c.box.snapshots.get(c.path("name"))
	if err != nil {
		return nil, err
	}
	folder, err := c.server.folder()
	if err != nil {
		return nil, err
	}
	path := c.box.file(folder, "_download")
	defer os.Remove(path) // and with the folder
	if err := one.saved.CopyTo(c, path); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	c.takeLong()
	late := time.AfterFunc(moveWithin, func() { // the copy stays for as long as somebody reads it
		_ = http.NewResponseController(c.w).SetWriteDeadline(time.Unix(1, 0)) // long ago
	})
	defer late.Stop()
	c.answered = true
	h := c.w.Header()
	h.Set("Content-Type", "application/vnd.sqlite3")
	h.Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	h.Set("Content-Disposition", `attachment; filename="`+one.Name+`.db"`)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	_, _ = io.Copy(c.w, file) // an error means that the caller is gone
	return nil, nil
}

// folder is where snapshots are, which nobody else can read. It ends with the server.
func (s *Server) folder() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return "", errEnded
	}
	if s.temporary == "" {
		var err error
		if s.temporary, err = os.MkdirTemp("", "cabrank-snapshots-"); err != nil {
			return "", fmt.Errorf("a folder for snapshots: %w", err)
		}
	}
	return s.temporary, nil
}

// removeAll removes the snapshots of a sandbox that has ended.
func (s *snapshots) removeAll() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, one := range s.byName {
		errs = append(errs, one.saved.Remove())
	}
	s.byName = nil
	return errors.Join(errs...)
}

// from finds what a world is to begin anew with: a snapshot, unless the name is one of
// the others.
func (c *call) from(name string) (*host.Saved, error) {
	if name == "" || name == toEmpty || name == toFixtures {
		return nil, nil
	}
	one, err := c.box.snapshots.get(name)
	if err != nil {
		return nil, refuseField("/to", "range", "is %.40q, want empty, fixtures or the name of a snapshot", name)
	}
	return one.saved, nil
}
