package control

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/worlds"
)

// Calls of a [Server].
var (
	ListSnapshots = Call[url.Values, Snapshots]{get("listSnapshots", "/snapshots", "The snapshots of the world", listSnapshots).free()}
	ReadSnapshot  = Call[url.Values, Snapshot]{get("readSnapshot", "/snapshots/{name}", "A snapshot", showSnapshot).free()}
	TakeSnapshot  = Call[url.Values, Snapshot]{put("takeSnapshot", "/snapshots/{name}", "Save the state of the world", takeSnapshot).mayCreate().
			more("Replaces a snapshot of that name. In a restored world, cars without a job are at their ranks again.").
			refuses(http.StatusConflict, http.StatusUnprocessableEntity)}
	DropSnapshot    = Call[url.Values, None]{del("dropSnapshot", "/snapshots/{name}", "Remove a snapshot", dropSnapshot).free().says("the snapshot is removed")}
	RestoreSnapshot = Call[url.Values, Overview]{post("restoreSnapshot", "/snapshots/{name}/restore", "Restore a snapshot", restoreSnapshot).free().
			more("If the snapshot cannot be read, nothing changes.").
			refuses(http.StatusInternalServerError)}
	DownloadSnapshot = Call[url.Values, io.ReadCloser]{get("downloadSnapshot", "/snapshots/{name}/download", `The database of a snapshot, for "serve --db"`, downloadSnapshot).free().
				answers("Database").refuses(http.StatusServiceUnavailable)}
)

// mostDownloads limits simultaneous downloads of all sandboxes: each has a copy on disk.
const mostDownloads = 4

// Codes of problems of snapshots.
const (
	codeTooManyDownloads taxi.Code = "too-many-downloads" // 503
)

// Snapshot is a saved state of a world.
type Snapshot struct {
	Name  string    `json:"name"`
	Taken time.Time `json:"taken"` // in real time
	Clock Clock     `json:"clock"` // state of the clock
	Seed  uint64    `json:"seed"`
	Live  int       `json:"live"` // journeys that had not ended
}

func snapshotOf(one *worlds.Snapshot) Snapshot {
	return Snapshot{one.Name, one.Taken, clockAs(one.Saved.Clock), one.Saved.Config.Seed, one.Saved.Live}
}

// Snapshots lists the snapshots of a world, by name.
type Snapshots struct {
	Snapshots []Snapshot `json:"snapshots"`
}

func listSnapshots(c *call) (Snapshots, error) {
	all := []Snapshot{}
	for _, one := range c.box.Snapshots.List() {
		all = append(all, snapshotOf(one))
	}
	return Snapshots{all}, nil
}

func showSnapshot(c *call) (Snapshot, error) {
	one, err := c.box.Snapshots.Get(c.path("name"))
	if err != nil {
		return Snapshot{}, err
	}
	return snapshotOf(one), nil
}

func takeSnapshot(c *call) (out Snapshot, err error) {
	name := c.path("name")
	if !sandboxName.MatchString(name) || name == toEmpty || name == toFixtures {
		return out, taxi.NewProblem(http.StatusUnprocessableEntity, taxi.CodeValidationFailed,
			"a snapshot's name has up to 40 lower-case letters, digits and hyphens, and is neither empty nor fixtures")
	}
	c.takeLong()
	one, replaced, err := c.server.worlds.Save(c, c.box.World, c.host, name)
	if err != nil {
		return out, err
	}
	if !replaced {
		c.status = http.StatusCreated
	}
	return snapshotOf(one), nil
}

func dropSnapshot(c *call) (None, error) {
	return None{}, c.server.worlds.DropSnapshot(c, c.box.World, c.path("name"))
}

// restoreSnapshot restores a snapshot. It does not affect the journal and the faults.
func restoreSnapshot(c *call) (Overview, error) {
	one, release, err := c.server.worlds.HoldSnapshot(c.box.World, c.path("name"))
	if err != nil {
		return Overview{}, err
	}
	defer release()
	return c.begin(host.Reset{From: one.Saved}, []Kept{KeepJournal, KeepFaults})
}

// downloadSnapshot sends the database of a snapshot.
func downloadSnapshot(c *call) (sent written, err error) {
	one, release, err := c.server.worlds.HoldSnapshot(c.box.World, c.path("name"))
	if err != nil {
		return sent, err
	}
	defer release()
	if c.server.downloads.Add(1) > mostDownloads {
		c.server.downloads.Add(-1)
		p := taxi.NewProblem(http.StatusServiceUnavailable, codeTooManyDownloads, "%d snapshots are being downloaded; ask again once one is done", mostDownloads)
		p.RetryAfter = 5 * time.Second
		return sent, p
	}
	defer c.server.downloads.Add(-1)
	folder, err := c.server.worlds.Folder()
	if err != nil {
		return sent, err
	}
	if folder, err = os.MkdirTemp(folder, "_download-"); err != nil {
		return sent, err
	}
	defer os.RemoveAll(folder) // otherwise it is removed with the server's folder
	c.takeLong()
	path := filepath.Join(folder, "copy.db") // and the files that SQLite creates beside it
	if err := one.Saved.CopyTo(c, path); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = &worlds.Refusal{Why: worlds.NoSnapshot, Text: fmt.Sprintf("there is no snapshot %.40q", one.Name)}
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
	_, _ = io.Copy(parts{c.w}, file) // the client may have disconnected
	return sent, nil
}

// parts writes a long response in parts, for each of which the client has a time limit of its own.
type parts struct{ w http.ResponseWriter }

func (p parts) Write(b []byte) (int, error) {
	defer inbound.BreakOff(http.NewResponseController(p.w), inbound.TakesWithin)()
	return p.w.Write(b)
}

// from returns the snapshot for a reset, or nil for the other values of name. The
// snapshot is not removed until leave is called.
func (c *call) from(name string) (from *host.Saved, leave func(), err error) {
	if name == "" || name == toEmpty || name == toFixtures {
		return nil, func() {}, nil
	}
	one, release, err := c.server.worlds.HoldSnapshot(c.box.World, name)
	if err != nil {
		return nil, nil, taxi.InvalidField("/to", "range", "is %.40q, want empty, fixtures or the name of a snapshot", name)
	}
	return one.Saved, release, nil
}
