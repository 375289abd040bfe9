package platform_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform"
)

// recordsDial returns a request for a call that dials and records for at most so many seconds.
func recordsDial(seconds, to string) string {
	return `{"target":{"phoneNumber":{"number":"+442079460001"}},"verbs":[{"dial":{"timeLimit":` + seconds + `,"record":{"maxLength":` + seconds + `},` +
		`"targets":[{"phoneNumber":{"number":"` + to + `"}}]}}]}`
}

func wavFiles(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.wav"))
	require.NoError(t, err)
	return files
}

// TestSilentRecordingsUseLittleDiskSpace checks that a recording of four hours of silence uses less than 1 MiB of the disk, though
// its size is that of four hours.
func TestSilentRecordingsUseLittleDiskSpace(t *testing.T) {
	folder := t.TempDir()
	h := newHouse(t, func(o *platform.Options) { o.Recordings, o.BaseURL = folder, func() string { return "" } })
	h.placed(recordsDial("14400", "+442079460002"))
	h.pass(5 * time.Hour)
	files := wavFiles(t, folder)
	require.Len(t, files, 1)
	about, err := os.Stat(files[0])
	require.NoError(t, err)
	require.InDelta(t, 44+14400*8000*4, about.Size(), 8000*4)
	require.Less(t, about.Sys().(*syscall.Stat_t).Blocks*512, int64(1<<20))
}

// TestTotalSizeOfRecordingsIsLimited checks that a new recording removes the oldest ones if the limit of their total size is
// reached, and that it is interrupted when there is no other to remove. Other files in the folder are not touched.
func TestTotalSizeOfRecordingsIsLimited(t *testing.T) {
	folder := t.TempDir()
	h := newHouse(t, func(o *platform.Options) {
		o.Recordings, o.RecordingsMost, o.BaseURL = folder, 100<<10, func() string { return "" }
	})
	third := h.events()
	for i, name := range []string{"a", "b", "c"} {
		path := filepath.Join(folder, strings.Repeat(name, 24)+".wav")
		require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("x", 40<<10)), 0o600))
		age := h.line.Now().Add(-time.Duration(3-i) * time.Hour)
		require.NoError(t, os.Chtimes(path, age, age))
	}
	other := filepath.Join(folder, "mine.txt")
	require.NoError(t, os.WriteFile(other, nil, 0o600))

	h.placed(recordsDial("60", "+442079460002"))
	h.pass(2 * time.Minute)
	require.NoFileExists(t, filepath.Join(folder, strings.Repeat("a", 24)+".wav"))
	require.FileExists(t, filepath.Join(folder, strings.Repeat("c", 24)+".wav"))
	require.Len(t, wavFiles(t, folder), 3)
	require.NotContains(t, strings.Join(third.bodies(), "\n"), "interrupted")

	words := strings.Repeat("and another word ", 50)
	a := h.post("/sim/v1/phones", `{"number":"+442079460002","script":[{"wait":"1s"},{"say":"`+words+`"},{"wait":"90s"},{"hangup":true}]}`)
	require.Equal(t, http.StatusCreated, a.status, "%s", a.body)
	h.placed(recordsDial("60", "+442079460002"))
	h.pass(5 * time.Minute)
	require.Contains(t, strings.Join(third.bodies(), "\n"), `"interrupted":true`)
	require.FileExists(t, other)
}
