//go:build unix

package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/simulator/platform"
)

// TestAFirstStartIsAllOrNothing kills platforms while they start for the first time, at
// moments that a seed draws: the second start has all credentials in its file. TIMES=40 makes
// a campaign of it with a binary of its own, SEED=7 another one.
func TestAFirstStartIsAllOrNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts processes")
	}
	kills, campaign := number(t, "TIMES", 3)
	seed, _ := number(t, "SEED", 1)
	binary, chance := program(t, campaign), rand.New(rand.NewPCG(uint64(seed), 1))
	before, drafted := 0, 0
	for range kills {
		dir := t.TempDir()
		file := filepath.Join(dir, "credentials.json")
		args := []string{"--db", filepath.Join(dir, "platform.db"), "--credentials-file", file}
		p := beginAs(t, binary, "platform", args...)
		soon := time.AfterFunc(time.Duration(20+chance.IntN(330))*time.Millisecond, func() { _ = p.Cmd.Process.Kill() })
		<-p.Ended
		soon.Stop()
		if _, err := os.Stat(file); err != nil {
			before++
		}
		if _, err := os.Stat(filepath.Join(dir, ".credentials.json.draft")); err == nil {
			drafted++
		}
		beginAs(t, binary, "platform", args...).serving().Kill()
		text := clitest.Read(t, file)
		c := clitest.Decode[platform.Credentials](t, text)
		require.Len(t, c.Users, 3)
		require.Len(t, c.Accounts, 2)
		users, accounts := c.Unknown()
		require.Empty(t, users)
		require.Empty(t, accounts)
	}
	t.Logf("%d kills, seed %d: %d before there was a file, %d with a draft", kills, seed, before, drafted)
}
