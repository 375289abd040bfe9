package worlds

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/store"
)

// TestASnapshotStaysWhileItIsRead checks that the file of a snapshot that was dropped, replaced
// or ended is removed only when it is released.
func TestASnapshotStaysWhileItIsRead(t *testing.T) {
	config, folder := host.Default(), t.TempDir()
	config.Speed, config.Cars = 0, 1
	h, err := host.Open(t.Context(), config, host.Deps{Now: time.Now, Place: store.File(filepath.Join(folder, "cabs.db"))})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	s, w := &Worlds{}, &World{}
	all := &w.Snapshots
	keep := func(file string) {
		saved, err := h.Save(t.Context(), store.File(file))
		require.NoError(t, err)
		old, err := all.put(&Snapshot{Name: "a", Saved: saved})
		require.NoError(t, err)
		if old != nil {
			s.discard(w, old)
		}
	}
	for name, end := range map[string]func(){
		"dropped":  func() { require.NoError(t, s.DropSnapshot(t.Context(), w, "a")) },
		"replaced": func() { keep(filepath.Join(folder, "other.db")) },
		"ended":    func() { require.NoError(t, all.removeAll()) },
	} {
		file := filepath.Join(folder, name+".db")
		keep(file)
		_, release, err := all.acquire("a")
		require.NoError(t, err)
		end()
		require.FileExists(t, file, name)
		require.NoError(t, release())
		require.NoFileExists(t, file, name)
	}
}
