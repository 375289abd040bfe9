package control

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/host"
)

func snapshotCalls() calls {
	return calls{
		get("listSnapshots", "/snapshots", "The snapshots of the world", listSnapshots).free(),
		get("readSnapshot", "/snapshots/{name}", "A snapshot", showSnapshot).free(),
		put("takeSnapshot", "/snapshots/{name}", "Save the world as it is", takeSnapshot).mayCreate().
			more("In the place of a snapshot of that name. Cars without a job are at their ranks again in a world that goes on from it.").
			refuses(http.StatusConflict, http.StatusUnprocessableEntity),
		del("dropSnapshot", "/snapshots/{name}", "Remove a snapshot", dropSnapshot).free().says("it is removed"),
		post("restoreSnapshot", "/snapshots/{name}/restore", "Let the world go on from a snapshot", restoreSnapshot).free().
			more("Refused while a recording is being made (409, code `recording`), since it would be lost. A snapshot that cannot be read changes nothing.").
			refuses(http.StatusConflict, http.StatusInternalServerError),
		get("downloadSnapshot", "/snapshots/{name}/download", `The database of a snapshot, which "serve --db" takes`, downloadSnapshot).free().
			answers("Database").refuses(http.StatusServiceUnavailable),
	}.tagged("Snapshots")
}

// Bounds of snapshots.
const (
	mostSnapshots = 20 // of a sandbox
	mostDownloads = 4  // at a time, of all sandboxes: each has a copy on the disk
)

// Codes of problems of snapshots.
const (
	codeNoSnapshot       taxi.Code = "snapshot-not-found" // 404
	codeTooManySnapshots taxi.Code = "too-many-snapshots" // 409
	codeTooManyDownloads taxi.Code = "too-many-downloads" // 503
	codeRecording        taxi.Code = "recording"          // 409; one is being made, and would be lost
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
	held  int  // times that it is being read; mu of the snapshots is held for both
	gone  bool // it is removed once nobody reads it
}

// snapshots are those of a sandbox. They end with it.
type snapshots struct {
	mu     sync.Mutex
	byName map[string]*snapshot
	count  int // of files
}

// noSnapshot says that there is none of a name.
func noSnapshot(name string) error {
	return taxi.NewProblem(http.StatusNotFound, codeNoSnapshot, "there is no snapshot %.40q", name)
}

func (s *snapshots) get(name string) (*snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.byName[name]; one != nil {
		return one, nil
	}
	return nil, noSnapshot(name)
}

// hold finds a snapshot whose file stays until release is called, whatever happens to it.
func (s *snapshots) hold(name string) (one *snapshot, release func() error, err error) {
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
			return one.saved.Remove()
		}
		return nil
	}, nil
}

// remove removes the file of a snapshot that nobody finds any more, once nobody reads it;
// mu is held.
func (*snapshots) remove(one *snapshot) error {
	if one.held > 0 {
		one.gone = true
		return nil
	}
	return one.saved.Remove()
}

// room refuses another snapshot where there are too many.
func (s *snapshots) room(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.roomFor(name)
}

// roomFor is room; mu is held.
func (s *snapshots) roomFor(name string) error {
	if s.byName[name] == nil && len(s.byName) >= mostSnapshots {
		return taxi.NewProblem(http.StatusConflict, codeTooManySnapshots, "there are %d snapshots already; DELETE one", mostSnapshots)
	}
	return nil
}

// put keeps a snapshot, in the place of another of that name, which is removed; failed
// says why that could not be.
func (s *snapshots) put(one *snapshot) (replaced bool, failed, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.roomFor(one.Name); err != nil {
		return false, nil, err
	}
	if s.byName == nil {
		s.byName = make(map[string]*snapshot)
	}
	old := s.byName[one.Name]
	s.byName[one.Name] = one
	if old == nil {
		return false, nil, nil
	}
	return true, s.remove(old), nil
}

// drop removes a snapshot; failed says why its file could not be.
func (s *snapshots) drop(name string) (failed, err error) {
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
func (b *sandbox) file(folder string) string {
	b.snapshots.mu.Lock()
	defer b.snapshots.mu.Unlock()
	b.snapshots.count++
	return filepath.Join(folder, cmp.Or(b.name, "_main")+"-snapshot-"+strconv.Itoa(b.snapshots.count)+".db")
}

// weight is the memory that snapshots take, at most: they may share records with each other and
// with the world.
func (s *snapshots) weight() (bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.byName {
		bytes += recordsTake(one.saved.InMemory())
	}
	return bytes
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

func listSnapshots(c *call) (Snapshots, error) { return Snapshots{c.box.snapshots.list()}, nil }

func showSnapshot(c *call) (Snapshot, error) {
	one, err := c.box.snapshots.get(c.path("name"))
	if err != nil {
		return Snapshot{}, err
	}
	return one.Snapshot, nil
}

func takeSnapshot(c *call) (out Snapshot, err error) {
	name := c.path("name")
	if !sandboxName.MatchString(name) || name == toEmpty || name == toFixtures {
		return out, taxi.NewProblem(http.StatusUnprocessableEntity, taxi.CodeValidationFailed,
			"a snapshot's name has up to 40 lower-case letters, digits and hyphens, and is neither empty nor fixtures")
	}
	if err := c.box.snapshots.room(name); err != nil {
		return out, err
	}
	folder, err := c.server.folder()
	if err != nil {
		return out, err
	}
	c.takeLong()
	saved, err := c.host.Save(c, c.box.file(folder))
	if err != nil {
		return out, err
	}
	one := &snapshot{
		Snapshot: Snapshot{name, c.server.options.Now(), clockAs(saved.Clock), saved.Config.Seed, saved.Live}, saved: saved,
	}
	replaced, failed, err := c.box.snapshots.put(one)
	if err != nil {
		return out, errors.Join(err, saved.Remove())
	}
	c.stays(name, failed)
	if !replaced {
		c.status = http.StatusCreated
	}
	return one.Snapshot, nil
}

func dropSnapshot(c *call) (none, error) {
	failed, err := c.box.snapshots.drop(c.path("name"))
	c.stays(c.path("name"), failed)
	return none{}, err
}

// stays says that the file of a snapshot that is no more could not be removed, if it
// could not. It goes with the server's folder.
func (c *call) stays(name string, failed error) {
	if failed != nil {
		c.server.log.Warn("the file of a snapshot could not be removed", "snapshot", name, "sandbox", c.box.name, "error", failed)
	}
}

// restoreSnapshot lets the world go on from a snapshot. The journal and the faults stay.
func restoreSnapshot(c *call) (Overview, error) {
	one, release, err := c.box.snapshots.hold(c.path("name"))
	if err != nil {
		return Overview{}, err
	}
	defer func() { c.stays(one.Name, release()) }()
	return c.begin(host.Reset{From: one.saved}, []Kept{KeepJournal, KeepFaults})
}

// downloadSnapshot sends the database of a snapshot.
func downloadSnapshot(c *call) (sent written, err error) {
	one, release, err := c.box.snapshots.hold(c.path("name"))
	if err != nil {
		return sent, err
	}
	defer func() { c.stays(one.Name, release()) }()
	if c.server.downloads.Add(1) > mostDownloads {
		c.server.downloads.Add(-1)
		p := taxi.NewProblem(http.StatusServiceUnavailable, codeTooManyDownloads, "%d snapshots are being downloaded; ask again once one is done", mostDownloads)
		p.RetryAfter = 5 * time.Second
		return sent, p
	}
	defer c.server.downloads.Add(-1)
	folder, err := c.server.folder()
	if err != nil {
		return sent, err
	}
	if folder, err = os.MkdirTemp(folder, "_download-"); err != nil {
		return sent, err
	}
	defer os.RemoveAll(folder) // else it goes with the server's
	c.takeLong()
	path := filepath.Join(folder, "copy.db") // with what a store keeps beside it
	if err := one.saved.CopyTo(c, path); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = noSnapshot(one.Name)
		}
		return sent, err
	}
	file, err := os.Open(path)
	if err != nil {
		return sent, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return sent, err
	}
	defer inbound.BreakOff(http.NewResponseController(c.w), moveWithin)()
	h := c.w.Header()
	h.Set("Content-Type", "application/vnd.sqlite3")
	h.Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	h.Set("Content-Disposition", `attachment; filename="`+one.Name+`.db"`)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	_, _ = io.Copy(parts{c.w}, file) // an error means that the caller is gone
	return sent, nil
}

// parts writes a long answer; whoever does not take a part in time is gone.
type parts struct{ w http.ResponseWriter }

func (p parts) Write(b []byte) (int, error) {
	defer inbound.BreakOff(http.NewResponseController(p.w), inbound.TakesWithin)()
	return p.w.Write(b)
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
		errs = append(errs, s.remove(one))
	}
	s.byName = nil
	return errors.Join(errs...)
}

// from finds what a world is to begin anew with: a snapshot, which is held until leave is
// called, unless the name is one of the others.
func (c *call) from(name string) (from *host.Saved, leave func(), err error) {
	if name == "" || name == toEmpty || name == toFixtures {
		return nil, func() {}, nil
	}
	one, release, err := c.box.snapshots.hold(name)
	if err != nil {
		return nil, nil, taxi.InvalidField("/to", "range", "is %.40q, want empty, fixtures or the name of a snapshot", name)
	}
	return one.saved, func() { c.stays(name, release()) }, nil
}
