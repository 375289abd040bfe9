package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/store"
)

// unpacked is a database of testdata, in a folder of the test's own.
func unpacked(t *testing.T, packed string) string {
	t.Helper()
	text := clitest.Read(t, packed)
	z, err := gzip.NewReader(strings.NewReader(text))
	require.NoError(t, err)
	whole, err := io.ReadAll(z)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "old.db")
	require.NoError(t, os.WriteFile(path, whole, 0o600))
	return path
}

// TestServeOpensOldDatabases opens a database of each former schema, written by the program of that time: every booking
// is there, and its taxi comes. A new migration needs a file.
func TestServeOpensOldDatabases(t *testing.T) {
	migrations, err := filepath.Glob("../../store/migrations/*.sql")
	require.NoError(t, err)
	then := time.Date(2026, time.November, 23, 11, 20, 0, 0, time.UTC)
	for schema := 1; schema <= len(migrations); schema++ {
		path := unpacked(t, fmt.Sprintf("testdata/databases/serve-%d.db.gz", schema))
		c := host.Default()
		c.Speed, c.Cars, c.Town, c.Seed = 0, 2, "none", 7
		h, err := host.Open(t.Context(), c, host.Deps{Now: func() time.Time { return then }, AnySeed: true, Place: store.File(path)})
		require.NoError(t, err, "schema %d", schema)
		held := 0
		for _, j := range h.Records().AllLive() {
			if j.Status == taxi.Held && len(j.Dropoffs) == 1 && j.Dropoffs[0].Address == "2 Park Row, Leeds" {
				held++
				require.NoError(t, h.World().Clock().UntilStatus(t.Context(), j.JourneyID, taxi.Complete, 24*time.Hour))
			}
		}
		require.Equal(t, 2, held, "schema %d", schema)
		require.NoError(t, h.Close())
	}
}

// accountsThen are an account and its client id in each database of a platform. Schemas 2 and 4
// were never in a released program, nor for longer than a day.
var accountsThen = map[int][2]string{
	1: {"af0bdcf9-3b48-43d4-937d-38d33e0fe20d", "9cd23001-7598-415f-be8d-0a78f33b0a96"},
	3: {"12d3884b-774f-4617-9024-4ce24ceff26e", "1d5bfb70-b124-43d0-a9eb-7516fddee5e6"},
	5: {"12dbcaf8-97c8-442c-9bf3-cdc857916944", "10397919-1358-43de-bfab-d94052685df2"},
	6: {"a7430c3b-291e-4626-aac9-8041eeed8a38", "f2cc906f-166a-4f23-a51a-188f96e24dd6"},
}

// TestPlatformOpensOldDatabases starts a platform with a database of an older one: its accounts
// place calls with the credentials that they had.
func TestPlatformOpensOldDatabases(t *testing.T) {
	paths := map[int]string{}
	for schema := range accountsThen {
		paths[schema] = unpacked(t, fmt.Sprintf("testdata/databases/platform-%d.db.gz", schema))
	}
	migrations, err := filepath.Glob("../../simulator/platform/records/migrations/*.sql")
	require.NoError(t, err)
	require.Contains(t, paths, len(migrations), "a new migration needs a file")
	s := newShell(t) // which goes to another folder
	for schema, basic := range accountsThen {
		path := paths[schema]
		url, stop := s.Listen(cli.Outside{Stdout: io.Discard, Stderr: io.Discard}, "platform", "--listen", "127.0.0.1:0", "--db", path, "--log", "off")
		answer := clitest.Post(t, url+"/channels/voice", `{"target":{"phoneNumber":{"number":"+442079460001"}},"verbs":[{"say":{"text":["Hello."]}}]}`,
			func(r *http.Request) { r.SetBasicAuth(basic[0], basic[1]) })
		require.Equal(t, http.StatusCreated, answer.Status, "schema %d", schema)
		require.Zero(t, stop())
	}
}
