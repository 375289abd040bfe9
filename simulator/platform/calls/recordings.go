package calls

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// RecordingsKept is how long a recording is stored. Decision: the interface shows no
// retention.
const RecordingsKept = 30 * 24 * time.Hour

// Recordings is a folder of WAV files, whose names are the recordings' ids.
type Recordings struct {
	Folder  string
	BaseURL func() string    // of the platform, without /sim/v1
	Now     func() time.Time // the wall clock, for the age of files; calls may be faster
	Most    int64            // limit of their size in bytes: the oldest are removed first; 0: no limit

	mu    sync.Mutex
	taken map[string]int64 // disk space of each file; nil: not read yet
	tapes map[string]bool  // files that are being written
}

// Recording stops when the disk has less free space than this, which the database needs.
const leaveFree = 64 << 20

// errFull means that there is no space for a recording.
var errFull = errors.New("there is no room for recordings")

func (r *Recordings) record(_ voice.Info, id string) (voice.RecordingFile, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.room(0, id); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(r.path(id), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	r.tapes[id] = true
	return &recordingFile{File: file, of: r, id: id}, nil
}

// recordingFile is a recording that is being written. Skipped parts use no disk space.
type recordingFile struct {
	*os.File
	of *Recordings
	id string
}

// Write writes a part if there is space for it.
func (f *recordingFile) Write(part []byte) (int, error) {
	f.of.mu.Lock()
	err := f.of.room(int64(len(part)), f.id)
	f.of.mu.Unlock()
	if err != nil {
		return 0, err
	}
	return f.File.Write(part)
}

// Close ends the recording, so that it can be removed when space is needed.
func (f *recordingFile) Close() error {
	f.of.mu.Lock()
	delete(f.of.tapes, f.id)
	f.of.mu.Unlock()
	return f.File.Close()
}

// room reserves disk space for a recording, and removes old recordings if all exceed the limit. It returns errFull if
// the disk is full; r is locked.
func (r *Recordings) room(more int64, id string) error {
	if r.taken == nil {
		if err := r.look(); err != nil {
			return err
		}
	}
	if free, known := freeSpace(r.Folder); known && free < leaveFree {
		return errFull
	}
	r.taken[id] += more
	if r.Most == 0 {
		return nil
	}
	var all int64
	for _, bytes := range r.taken {
		all += bytes
	}
	return r.makeRoom(all - r.Most)
}

// makeRoom removes the oldest recordings until bytes are free; r is locked.
func (r *Recordings) makeRoom(bytes int64) error {
	if bytes <= 0 {
		return nil
	}
	files, err := r.files()
	if err != nil {
		return err
	}
	for _, f := range files {
		if bytes <= 0 {
			break
		}
		id := trimWAV(f.Name())
		if r.tapes[id] {
			continue
		}
		if err := os.Remove(r.path(id)); err != nil {
			return err
		}
		bytes -= r.taken[id]
		delete(r.taken, id)
	}
	if bytes > 0 {
		return errFull
	}
	return nil
}

// look lists the files and stores how much disk space each recording uses; r is locked.
func (r *Recordings) look() error {
	files, err := r.files()
	if err != nil {
		return err
	}
	taken := map[string]int64{}
	for _, f := range files {
		taken[trimWAV(f.Name())] = onDisk(f)
	}
	r.taken = taken
	if r.tapes == nil {
		r.tapes = map[string]bool{}
	}
	return nil
}

// files lists the recordings, oldest first.
func (r *Recordings) files() (list []fs.FileInfo, err error) {
	entries, err := os.ReadDir(r.Folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && recordingID.MatchString(trimWAV(e.Name())) {
			list = append(list, info)
		}
	}
	slices.SortStableFunc(list, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	return list, nil
}

func (r *Recordings) path(id string) string { return filepath.Join(r.Folder, id+".wav") }

var recordingID = regexp.MustCompile(`^[0-9a-f]{24}$`)

// Open opens a recording for reading; false if it does not exist.
func (r *Recordings) Open(id string) (io.ReadSeekCloser, bool) {
	if !recordingID.MatchString(id) {
		return nil, false
	}
	file, err := os.Open(r.path(id))
	return file, err == nil
}

// where returns the URL of a new recording and when it expires.
func (r *Recordings) where(id string) (url string, expires time.Time) {
	return r.BaseURL() + "/sim/v1/recordings/" + id, r.Now().Add(RecordingsKept).UTC()
}

// Prune removes expired recordings, and the oldest ones if all exceed the size limit.
func (r *Recordings) Prune() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	files, err := r.files()
	if err != nil {
		return err
	}
	now := r.Now()
	for _, f := range files {
		if now.Sub(f.ModTime()) < RecordingsKept {
			break
		}
		if err := os.Remove(filepath.Join(r.Folder, f.Name())); err != nil {
			return err
		}
	}
	if err := r.look(); err != nil { // other programs may have added or removed files
		return err
	}
	return r.room(0, "")
}

func trimWAV(name string) string { return name[:max(0, len(name)-len(filepath.Ext(name)))] }
