package calls

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// RecordingsKept is how long a recording is kept. Decision: the interface shows no
// retention.
const RecordingsKept = 30 * 24 * time.Hour

// Recordings is a folder of WAV files, named after the recordings' ids.
type Recordings struct {
	Folder  string
	BaseURL func() string    // of the platform, before /sim/v1
	Now     func() time.Time // the wall's, by which files grow old; calls may live faster
}

func (r *Recordings) record(_ voice.Info, id string) (voice.RecordingFile, error) {
	return os.OpenFile(r.path(id), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

func (r *Recordings) path(id string) string { return filepath.Join(r.Folder, id+".wav") }

var recordingID = regexp.MustCompile(`^[0-9a-f]{24}$`)

// Open opens a recording for reading; false when there is none.
func (r *Recordings) Open(id string) (io.ReadSeekCloser, bool) {
	if !recordingID.MatchString(id) {
		return nil, false
	}
	file, err := os.Open(r.path(id))
	return file, err == nil
}

// where returns the address of a recording that was just made and until when it is
// good.
func (r *Recordings) where(id string) (url string, expires time.Time) {
	return r.BaseURL() + "/sim/v1/recordings/" + id, r.Now().Add(RecordingsKept).UTC()
}

// Prune removes recordings that are older than they are kept.
func (r *Recordings) Prune() error {
	now := r.Now()
	entries, err := os.ReadDir(r.Folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !recordingID.MatchString(trimWAV(e.Name())) || now.Sub(info.ModTime()) < RecordingsKept {
			continue
		}
		if err := os.Remove(filepath.Join(r.Folder, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

func trimWAV(name string) string { return name[:max(0, len(name)-len(filepath.Ext(name)))] }
